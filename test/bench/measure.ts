/** `npm run measure`: counts lines, files and module-level state of src, prints them, and writes them into docs/architecture.md. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const document = join(root, 'docs/architecture.md');

/** Imports, exports from, and dynamic imports of a file of the project. */
const IMPORT = /(?:from|import\(|import)\s*['"](\.[^'"]+)['"]/g;
/** A statement at the start of a line belongs to no function. */
const MODULE_LET = /^(?:export )?let /gm;

const files = globSync('src/**/*.{ts,tsx,mjs}', { cwd: root })
  .map(path => path.replaceAll('\\', '/'))
  .filter(path => !path.includes('/generated/'))
  .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const importers = new Map<string, number>();
for (const { path, text } of files) {
  const imported = [...text.matchAll(IMPORT)].map(([, name]) => join(dirname(path), name ?? ''));
  for (const target of new Set(imported)) importers.set(target, (importers.get(target) ?? 0) + 1);
}

const countLines = (text: string): number => text.split('\n').length - 1;
const lines = files.map(({ text }) => countLines(text)).sort((one, other) => one - other);
const folders = Map.groupBy(files, ({ path }) => dirname(path));
const injected = files.filter(({ path }) => path.startsWith('src/browser/injected/'));
const state = injected.reduce((sum, { text }) => sum + [...text.matchAll(MODULE_LET)].length, 0);

const rows: readonly (readonly [string, number])[] = [
  ['lines of `src` without generated files', lines.reduce((sum, count) => sum + count, 0)],
  ['files', files.length],
  ['lines of the median file', lines[Math.floor(lines.length / 2)] ?? 0],
  ['files with one importer', files.filter(({ path }) => importers.get(path) === 1).length],
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
