/** Writes the generated parts of the documents. With `--check` it writes nothing and fails when one is stale. */
import { readFile, writeFile } from 'node:fs/promises';
import { requestFieldTable, restRoutes, restRouteTable } from '../api/rest/restRouteTable.ts';
import { exitCodeOf, exitCodeTable } from '../cli/terminal.ts';
import { configTable } from '../config/config.ts';
import { contentPartsTable } from '../domain/content/contentParts.ts';
import { FAILURES } from '../domain/failure/failures.ts';
import type { FailureDefinition } from '../domain/failure/failureTable.ts';
import { specialActionTable } from '../domain/specialActions/specialActions.ts';
import { licencesPage, readLock } from './licences.ts';

const file = (name: string): URL => new URL(`../../${name}`, import.meta.url);

/** Returns the document `kept` with `table` between its two marks, `<!-- name:begin … -->` and `<!-- name:end -->`. */
function withTable(kept: string, name: string, table: string): string {
  const between = new RegExp(`(?<=<!-- ${name}:begin[^\\n]*-->\\n)[\\s\\S]*?(?=<!-- ${name}:end -->)`);
  if (!between.test(kept)) throw new Error(`A document has lost its marks for the table "${name}".`);
  return kept.replace(between, () => `\n${table}\n\n`);
}

const failureLine = ([code, { status, title, description, retryable }]: [
  string,
  FailureDefinition,
]): string =>
  `| ${status} | \`${code}\` | ${title}. ${description} | ${retryable ? 'yes' : ''} | ${exitCodeOf(code)} |`.replaceAll(
    /<([A-Z_]+)>/g,
    '`<$1>`',
  );

const failures = (): string => `# Failures

All failure codes (\`src/domain/failure/failureTable.ts\`); [contract.md](contract.md#5-failures) says how they are returned. *Retry*: the same request can succeed later. *Exit*: the exit code of the command line.

| HTTP | Code | What happened, and what you can do | Retry | Exit |
|---|---|---|---|---|
${Object.entries(FAILURES).map(failureLine).join('\n')}
`;

const lock = readLock(await readFile(file('package-lock.json'), 'utf8'));

const DOCUMENTS: readonly { readonly name: string; readonly made: (kept: string) => string }[] = [
  { name: 'docs/configuration.md', made: kept => withTable(kept, 'config', configTable()) },
  {
    name: 'docs/contract.md',
    made: kept =>
      [
        ['special-actions', specialActionTable()] as const,
        ['rest-routes', restRouteTable(restRoutes)] as const,
        ['request-fields', requestFieldTable(restRoutes)] as const,
      ].reduce((text, [name, table]) => withTable(text, name, table), kept),
  },
  { name: 'docs/scraping.md', made: kept => withTable(kept, 'content-parts', contentPartsTable()) },
  { name: 'docs/clients.md', made: kept => withTable(kept, 'exit-codes', exitCodeTable()) },
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
