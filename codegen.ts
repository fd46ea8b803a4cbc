/**
 * Generates typed documents from schema.graphql and the .graphql files, with GraphQL Code Generator. With `--check` it writes
 * nothing and fails when a file is stale.
 *
 * It calls the generator's library. The generator's command line would bring 214 more packages with it, for sources that this
 * project does not have.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import type { Types } from '@graphql-codegen/plugin-helpers';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import { buildASTSchema, parse, print } from 'graphql';

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

const schema = parse(readFileSync('schema.graphql', 'utf8'));
const schemaAst = buildASTSchema(schema);

const outputs: readonly Types.GenerateOptions[] = [
  ...(await preset.buildGeneratesSection({
    baseOutputDir: 'src/api/graphql/generated/',
    presetConfig: { fragmentMasking: false },
    plugins: [],
    pluginMap: {},
    schema,
    schemaAst,
    documents: documents(['src/**/*.graphql'], ['src/client/**']),
    config: TYPESCRIPT,
  })),
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
  const fresh = output.filename.startsWith('src/client/')
    ? made.replace(INLINE_TYPES.from, INLINE_TYPES.to)
    : made;
  if (!process.argv.includes('--check')) writeFileSync(output.filename, fresh);
  else if (readFileSync(output.filename, 'utf8') !== fresh) {
    console.error(`${output.filename} is stale. Run: npm run codegen`);
    process.exitCode = 1;
  }
}

/** The GraphQL documents in the files that match, in the order of their paths. */
function documents(patterns: readonly string[], exclude: readonly string[] = []): Types.DocumentFile[] {
  const paths = globSync(patterns, { exclude }).toSorted();
  return paths.map(location => {
    const document = parse(readFileSync(location, 'utf8'));
    return { location, document, rawSDL: print(document) };
  });
}
