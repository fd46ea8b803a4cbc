/** Writes schema.graphql, sorted. With `--check` it writes nothing and fails when the file is stale. */
import { readFile, writeFile } from 'node:fs/promises';
import { printedSchema } from '../api/graphql/schema.ts';

const file = new URL('../../schema.graphql', import.meta.url);
const printed = printedSchema();

if (process.argv.includes('--check')) {
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept !== printed) {
    console.error('schema.graphql is stale. Run: npm run schema');
    process.exitCode = 1;
  }
} else await writeFile(file, printed);
