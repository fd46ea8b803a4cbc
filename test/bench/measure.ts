/** `npm run measure`: counts lines, files and module-level state of src, prints them, and writes them into docs/architecture.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { importsOf, readSources } from '../architecture/imports.ts';

const document = new URL('../../docs/architecture.md', import.meta.url);

/** A statement at the start of a line belongs to no function. */
const MODULE_LET = /^(?:export )?let /gm;

const sources = readSources();
const files = [...sources].map(([path, text]) => ({ path, text }));

const importers = Map.groupBy(
  new Set(importsOf(sources).map(({ from, to }) => `${to} ${from}`)),
  pair => pair.split(' ')[0] ?? '',
);

const countLines = (text: string): number => text.split('\n').length - 1;
const lines = files.map(({ text }) => countLines(text)).sort((one, other) => one - other);
const folders = Map.groupBy(files, ({ path }) => dirname(path));
const injected = files.filter(({ path }) => path.startsWith('browser/injected/'));
const state = injected.reduce((sum, { text }) => sum + [...text.matchAll(MODULE_LET)].length, 0);

const rows: readonly (readonly [string, number])[] = [
  ['lines of `src` without generated files', lines.reduce((sum, count) => sum + count, 0)],
  ['files', files.length],
  ['lines of the median file', lines[Math.floor(lines.length / 2)] ?? 0],
  ['files with one importer', files.filter(({ path }) => importers.get(path)?.length === 1).length],
  ['files in the largest folder', Math.max(...[...folders.values()].map(members => members.length))],
  ['module-level `let` in `browser/injected`', state],
];

const table = `\n| Measure | Value |\n|---|---|\n${rows.map(([name, value]) => `| ${name} | ${value.toLocaleString('en')} |\n`).join('')}\n`;
const kept = readFileSync(document, 'utf8');
const between = /(?<=<!-- size:begin[^\n]*-->\n)[\s\S]*?(?=<!-- size:end -->)/;
if (!between.test(kept)) throw new Error('docs/architecture.md has lost its marks for the table "size".');
writeFileSync(
  document,
  kept.replace(between, () => table),
);
process.stdout.write(table.trimStart());
