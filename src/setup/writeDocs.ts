/** Writes what the documents take from the code. With `--check` it writes nothing and fails when one is stale. */
import { readFile, writeFile } from 'node:fs/promises';
import { configTable } from '../config/config.ts';
import { FAILURES, type FailureDefinition } from '../domain/failures.ts';
import { licencesPage, readLock } from './licences.ts';

const file = (name: string): URL => new URL(`../../${name}`, import.meta.url);

const BETWEEN_MARKS = /(?<=<!-- config:begin[^\n]*-->\n)[\s\S]*?(?=<!-- config:end -->)/;

/** README.md with the table of variables between its two marks. */
function readme(kept: string): string {
  if (!BETWEEN_MARKS.test(kept)) throw new Error('README.md has lost its marks for the table of variables.');
  return kept.replace(BETWEEN_MARKS, () => `\n${configTable()}\n\n`);
}

const failureLine = ([code, { status, title, meaning, retryable }]: [string, FailureDefinition]): string =>
  `| ${status} | \`${code}\` | ${title}. ${meaning} | ${retryable ? 'yes' : ''} |`.replaceAll(
    /<([A-Z_]+)>/g,
    '`<$1>`',
  );

const failures = (): string => `# Failures

Every way the service says no: one table in the code (\`src/domain/failures.ts\`) feeds the GraphQL enum \`FailureCode\`, the REST
status, the page \`/failures\` of a running service, and this list. \`npm run docs\` writes it.

Over REST a failure is an \`application/problem+json\` body (RFC 9457); over GraphQL the same facts stand in \`extensions\`.
*Retry* says that the same call can succeed later without being changed.

| HTTP | Code | What it says, and what you can do | Retry |
|---|---|---|---|
${Object.entries(FAILURES).map(failureLine).join('\n')}
`;

const lock = readLock(await readFile(file('package-lock.json'), 'utf8'));

const DOCUMENTS: readonly { readonly name: string; readonly made: (kept: string) => string }[] = [
  { name: 'README.md', made: readme },
  { name: 'docs/failures.md', made: failures },
  { name: 'docs/licences.md', made: () => licencesPage(lock) },
];

for (const { name, made } of DOCUMENTS) {
  const kept = await readFile(file(name), 'utf8').catch(() => '');
  const fresh = made(kept);
  if (fresh === kept) continue;
  if (process.argv.includes('--check')) {
    console.error(`${name} is stale. Run: npm run docs`);
    process.exitCode = 1;
  } else await writeFile(file(name), fresh);
}
