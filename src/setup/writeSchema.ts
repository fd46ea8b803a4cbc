/**
 * Writes schema.graphql, sorted, the fragments that select whole results, and the error classes of the client. With `--check` it writes nothing and fails when a file is stale.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { printedSchema } from '../api/graphql/schema.ts';
import { clientFailureErrors } from './clientFailureErrors.ts';
import { resultFragments } from './resultFragments.ts';

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
