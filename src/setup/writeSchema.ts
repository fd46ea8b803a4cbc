/**
 * Writes schema.graphql, sorted, the fragment with which REST selects the content of a page, and the error classes of
 * the client. With `--check` it writes nothing and fails when a file is stale.
 */
import { readFile, writeFile } from 'node:fs/promises';
import type { GraphQLObjectType } from 'graphql';
import { printedSchema, schema } from '../api/graphql/schema.ts';
import { wholeFragment } from '../api/graphql/wholeFragment.ts';
import { clientFailureErrors } from './clientFailureErrors.ts';

const scrapedData = schema.getType('ScrapedData') as GraphQLObjectType;

const FILES: Readonly<Record<string, string>> = {
  'schema.graphql': printedSchema(),
  'src/client/generated/failureErrors.ts': clientFailureErrors(),
  'src/api/rest/documents/dataFields.graphql': `# Every content part. Written by: npm run schema\n${wholeFragment('DataFields', scrapedData)}`,
};

for (const [name, fresh] of Object.entries(FILES)) {
  const file = new URL(`../../${name}`, import.meta.url);
  if (!process.argv.includes('--check')) await writeFile(file, fresh);
  else if ((await readFile(file, 'utf8').catch(() => '')) !== fresh) {
    console.error(`${name} is stale. Run: npm run schema`);
    process.exitCode = 1;
  }
}
