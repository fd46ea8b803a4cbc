/**
 * Writes schema.graphql, sorted, the fragments that select whole results, and the error classes of the client. With `--check` it writes nothing and fails when a file is stale.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { printedSchema } from '../api/graphql/schema.ts';
import { DEFAULT_FORMATS } from '../domain/content/contentParts.ts';
import { FAILURES } from '../domain/failure/failures.ts';
import { metadataShape } from '../operations/results/observation.ts';
import { scrapedDataShape } from '../operations/results/scrapedData.ts';
import { sessionShape } from '../operations/results/session.ts';
import type { Shape } from '../operations/results/shape.ts';
import { actionShape, diffShape, messageShape, spaceShape } from '../operations/results/space.ts';

/** Failures that always carry the page as it is now. */
const WITH_SPACE = new Set(['ACTION_STALE']);

/** `ACTION_STALE` → `ActionStaleError`, `INTERNAL` → `InternalError`, `SESSION_ERROR` → `SessionError`. */
const errorClassName = (code: string): string =>
  `${code
    .toLowerCase()
    .split('_')
    .map(word => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join('')
    .replace(/Error$/, '')}Error`;

/** The fragments by their shapes. Other shapes are written out where they occur. */
const FRAGMENTS: ReadonlyMap<Shape<never>, string> = new Map<Shape<never>, string>([
  [sessionShape, 'SessionFields'],
  [actionShape, 'ActionFields'],
  [messageShape, 'MessageFields'],
  [spaceShape, 'SpaceFields'],
  [diffShape, 'DiffFields'],
  [metadataShape, 'MetadataFields'],
  [scrapedDataShape, 'DataFields'],
]);

const FILES: Readonly<Record<string, string>> = {
  'schema.graphql': printedSchema(),
  'src/client/generated/failureErrors.ts': clientFailureErrors(),
  'src/api/graphql/documents/fragments.graphql': resultFragments(),
};

for (const [name, fresh] of Object.entries(FILES)) {
  const file = new URL(`../../${name}`, import.meta.url);
  if (!process.argv.includes('--check')) await writeFile(file, fresh);
  else if ((await readFile(file, 'utf8').catch(() => '')) !== fresh) {
    console.error(`${name} is stale. Run: npm run schema`);
    process.exitCode = 1;
  }
}

/** Returns the text of src/client/generated/failureErrors.ts: one class for each failure code, and the parts of a scrape that are returned by default. */
function clientFailureErrors(): string {
  const codes = Object.entries(FAILURES);
  const classes = codes.map(
    ([code, { title, description }]) => `/** ${title}. ${description} */
export class ${errorClassName(code)} extends PagespaceError {
  declare readonly code: '${code}';
${WITH_SPACE.has(code) ? '  declare readonly space: SpaceFieldsFragment;\n' : ''}}
`,
  );
  const rows = codes.map(([code]) => `  ${code}: ${errorClassName(code)},\n`);
  // As over REST, images are returned only to callers that ask for them.
  const formats = DEFAULT_FORMATS.filter(name => name !== 'images')
    .map(name => `'${name.toUpperCase()}'`)
    .join(', ');
  return `// Written by: npm run schema
import type { ContentFormat, FailureCode, SpaceFieldsFragment } from './operations.ts';
import { type ErrorDetails, PagespaceError } from '../pagespaceError.ts';

/** The parts of the content that a scrape returns without \`content.formats\`. */
export const DEFAULT_FORMATS: ContentFormat[] = [${formats}];

${classes.join('\n')}
type FailureErrorClass = new (code: FailureCode, message: string, details?: ErrorDetails) => PagespaceError;

/** The class of each failure code. */
export const FAILURE_ERRORS: Readonly<Record<FailureCode, FailureErrorClass>> = {
${rows.join('')}};
`;
}

/** Returns the GraphQL fragments that select each shape of a result whole, as the text of their file. */
function resultFragments(): string {
  return `# Every field of the results of operations. Written by: npm run schema\n${[...FRAGMENTS]
    .map(([shape, name]) => `\nfragment ${name} on ${shape.name} ${selectionOf(shape, '')}\n`)
    .join('')}`;
}

function selectionOf({ fields }: Shape<never>, indent: string): string {
  const lines = Object.entries(fields)
    // Only start and close take a screenshot of a session: their documents select it.
    .filter(([name]) => name !== 'screenshot')
    .map(([name, { type }]) => {
      const inner = Array.isArray(type) ? type[0] : type;
      if (typeof inner === 'string' || inner.kind === 'enum') return `${indent}  ${name}\n`;
      const fragment = FRAGMENTS.get(inner);
      const selection =
        fragment === undefined
          ? selectionOf(inner, `${indent}  `)
          : `{\n${indent}    ...${fragment}\n${indent}  }`;
      return `${indent}  ${name} ${selection}\n`;
    });
  return `{\n${lines.join('')}${indent}}`;
}
