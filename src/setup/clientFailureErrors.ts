/** Makes the error classes of the client from the table of failures. `npm run schema` writes them. */
import { DEFAULT_FORMATS } from '../domain/content/contentParts.ts';
import { FAILURES } from '../domain/failure/failures.ts';

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

/** Returns the text of src/client/generated/failureErrors.ts: one class for each failure code, and the parts of a scrape that are returned by default. */
export function clientFailureErrors(): string {
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
