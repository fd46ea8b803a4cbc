/**
 * Builds lib/ of the npm package: JavaScript of everything that the command line and the client load, and the client's types,
 * because Node does not strip types under node_modules. `npm pack` runs this, after install.mjs has built the scripts in dist/.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const at = (...parts: string[]): string => join(root, ...parts);

const COMMON = {
  absWorkingDir: root,
  platform: 'node',
  format: 'esm',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  write: false,
} satisfies BuildOptions;

/** The modules that users of the package load, and those of worker threads: the code loads these by address, so no import names them. */
const ENTRY_POINTS = ['src/main.ts', 'src/client/main.ts', ...threadModules()];

function threadModules(): string[] {
  return globSync('src/**/*.ts', { cwd: root }).flatMap(path =>
    [...readFileSync(at(path), 'utf8').matchAll(/\bnew URL\('(\.\/\w+\.ts)', import\.meta\.url\)/g)].map(
      ([, module = '']) => join(dirname(path), module),
    ),
  );
}

/** Runs in browsers and on Node 20. */
const CLIENT = 'src/client/';

/** A relative import, or the address of a worker, in JavaScript that esbuild wrote or in a declaration. */
const SOURCE_PATH = /(\bfrom\s*|\bimport\s*\(?\s*|\bnew URL\()(["'])(\.{1,2}\/[^"']+)\.ts\2/g;

const withJsPaths = (text: string): string => text.replace(SOURCE_PATH, '$1$2$3.js$2');

/** Returns the source files that the entry points load, workers and dynamic imports included. */
async function loadedFiles(): Promise<string[]> {
  const { metafile } = await build({
    ...COMMON,
    entryPoints: ENTRY_POINTS,
    outdir: 'lib',
    bundle: true,
    packages: 'external',
    metafile: true,
  });
  return Object.keys(metafile.inputs).filter(path => path.startsWith('src/'));
}

async function compile(files: readonly string[], target: string): Promise<void> {
  const { outputFiles } = await build({
    ...COMMON,
    entryPoints: [...files],
    outdir: 'lib',
    outbase: 'src',
    target,
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, withJsPaths(text));
  }
}

function declareClient(): void {
  const tsc = at('node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', at('src', 'setup', 'tsconfig.client.json')], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error('The types of the client could not be written (see above).');
  for (const path of globSync('lib/client/**/*.d.ts', { cwd: root }))
    writeFileSync(at(path), withJsPaths(readFileSync(at(path), 'utf8')));
}

/** Writes lib/ from scratch. @throws Error when a file does not compile */
async function buildPackage(): Promise<void> {
  rmSync(at('lib'), { recursive: true, force: true });
  const files = await loadedFiles();
  await Promise.all([
    compile(
      files.filter(path => !path.startsWith(CLIENT)),
      'node24',
    ),
    compile(
      files.filter(path => path.startsWith(CLIENT)),
      'es2022',
    ),
  ]);
  declareClient();
  for (const path of globSync('lib/**/*.{js,d.ts}', { cwd: root })) {
    const text = readFileSync(at(path), 'utf8');
    if (withJsPaths(text) !== text) throw new Error(`${path} imports TypeScript.`);
  }
}

if (import.meta.main) await buildPackage();
