/**
 * Generates typed documents from schema.graphql and the .graphql files, with GraphQL Code Generator. With `--check` it writes
 * nothing and fails when a file is stale.
 *
 * It calls the generator's library. The generator's command line would bring 214 more packages with it, for sources that this
 * project does not have.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { codegen } from '@graphql-codegen/core';
import type { Types } from '@graphql-codegen/plugin-helpers';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import { buildASTSchema, concatAST, Kind, parse, print, separateOperations } from 'graphql';

// Node runs the output by stripping types: no enums, and imports with file extensions.
const TYPESCRIPT = {
  enumsAsTypes: true,
  enumType: 'string-literal',
  importExtension: '.ts',
  emitLegacyCommonJSImports: false,
  useTypeImports: true,
  strictScalars: true,
  scalars: {
    DateTime: 'string',
    URL: 'string',
    JSON: 'unknown',
    Base64: 'string',
    SafeInt: 'number',
    Params: '{ readonly [name: string]: string | number | boolean }',
  },
} as const;

/** The fragments that the client and the service share. */
const FRAGMENTS = 'src/api/graphql/documents/fragments.graphql';

const DASHBOARD_DOCUMENTS = 'src/web/dashboard/documents.graphql';
const DASHBOARD_OPERATIONS = 'src/web/dashboard/generated/operations.ts';

const schema = parse(readFileSync('schema.graphql', 'utf8'));
const schemaAst = buildASTSchema(schema);

const outputs: readonly Types.GenerateOptions[] = [
  // The client sends texts and depends on no package, so its documents are strings.
  {
    filename: 'src/client/generated/operations.ts',
    plugins: [{ 'typescript-operations': {} }, { 'typed-document-node': {} }],
    pluginMap: { 'typescript-operations': typescriptOperations, 'typed-document-node': typedDocumentNode },
    schema,
    schemaAst,
    documents: documents(['src/client/**/*.graphql', FRAGMENTS]),
    config: { ...TYPESCRIPT, documentMode: 'string' },
  },
  // The dashboard names persisted operations, so its bundle needs no document: only the types of results and variables.
  {
    filename: DASHBOARD_OPERATIONS,
    plugins: [{ 'typescript-operations': {} }],
    pluginMap: { 'typescript-operations': typescriptOperations },
    schema,
    schemaAst,
    documents: documents([DASHBOARD_DOCUMENTS]),
    config: TYPESCRIPT,
  },
];

/** The one type that generated strings import, written out: the client depends on no package, not even for its types. */
const INLINE_TYPES = {
  from: "import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';\n",
  to: `/** Marks a document with the types of its result and its variables. */
interface DocumentTypeDecoration<Result, Variables> {
  readonly __apiType?: (variables: Variables) => Result;
}
`,
};

for (const output of outputs) {
  const made = await codegen({ ...output, importExtension: '.ts', emitLegacyCommonJSImports: false });
  write(output.filename, finished(output.filename, made));
}
write(
  'src/api/graphql/generated/operations.ts',
  operationTexts(['src/api/**/*.graphql', DASHBOARD_DOCUMENTS]),
);

/** Writes a file; with `--check` fails when it is stale. */
function write(filename: string, fresh: string): void {
  if (!process.argv.includes('--check')) writeFileSync(filename, fresh);
  else if (readFileSync(filename, 'utf8') !== fresh) {
    console.error(`${filename} is stale. Run: npm run codegen`);
    process.exitCode = 1;
  }
}

/** A table of the texts of the persisted operations, each with its fragments. */
function operationTexts(patterns: readonly string[]): string {
  const all = concatAST(documents(patterns).flatMap(({ document }) => document ?? []));
  const rows = Object.entries(separateOperations(all)).map(
    ([name, operation]) => `  ${name}: ${JSON.stringify(print(operation))},\n`,
  );
  return `/** The persisted operations of the service, by name. */\nexport const OPERATIONS = {\n${rows.join('')}};\n`;
}

/** The GraphQL documents in the files that match, in the order of their paths. */
function documents(patterns: readonly string[], exclude: readonly string[] = []): Types.DocumentFile[] {
  const paths = globSync(patterns, { exclude }).toSorted();
  return paths.map(location => {
    const document = parse(readFileSync(location, 'utf8'));
    return { location, document, rawSDL: print(document) };
  });
}

/** Completes what the generator made: see `INLINE_TYPES` and `operationTable`. */
function finished(filename: string, made: string): string {
  if (filename.startsWith('src/client/')) return made.replace(INLINE_TYPES.from, INLINE_TYPES.to);
  return filename === DASHBOARD_OPERATIONS ? `${made}${operationTable(DASHBOARD_DOCUMENTS)}` : made;
}

/** A type that maps the name of each operation in a file to its kind, its result and its variables. */
function operationTable(path: string): string {
  const { definitions } = parse(readFileSync(path, 'utf8'));
  const rows = definitions.flatMap(one => {
    if (one.kind !== Kind.OPERATION_DEFINITION || one.name === undefined) return [];
    const type = `${one.name.value}${one.operation.replace(/^./, letter => letter.toUpperCase())}`;
    return `  readonly ${one.name.value}: { readonly kind: '${one.operation}'; readonly result: ${type}; readonly variables: ${type}Variables };\n`;
  });
  return `\n/** The persisted operations of the dashboard, by name. */\nexport interface Operations {\n${rows.join('')}}\n`;
}
