/**
 * Builds the two npm packages of this tree under dist/packages, as JavaScript, because Node does not strip types under node_modules:
 * `client`, which depends on nothing and runs anywhere, and `server`, the service with its command line. The server's package
 * names no Node among its dependencies: npm would link it as the `node` of the project that installs the package.
 *
 * `npm run pack -- [folder]` packs both into the folder, by default the current one.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
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

const PACKAGES = 'dist/packages';
const SERVER = `${PACKAGES}/server`;
const CLIENT = `${PACKAGES}/client`;

/** The modules that the command line loads, and those of worker threads: the code loads these by address, so no import names them. */
const ENTRY_POINTS = ['src/main.ts', ...threadModules()];

function threadModules(): string[] {
  return globSync('src/**/*.ts', { cwd: root }).flatMap(path =>
    [...readFileSync(at(path), 'utf8').matchAll(/\bnew URL\('(\.\/\w+\.ts)', import\.meta\.url\)/g)].map(
      ([, module = '']) => join(dirname(path), module),
    ),
  );
}

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

async function compile(options: BuildOptions): Promise<void> {
  const { outputFiles = [] } = await build({ ...COMMON, ...options, write: false });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, withJsPaths(text));
  }
}

/** Writes the types of the client. @throws Error when they are not valid */
function declareClient(): void {
  const tsc = at('node_modules', 'typescript', 'bin', 'tsc');
  const project = at('src', 'setup', 'tsconfig.client.json');
  const { status } = spawnSync(process.execPath, [tsc, '-p', project], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('The types of the client could not be written (see above).');
  for (const path of globSync(`${CLIENT}/**/*.d.ts`, { cwd: root }))
    writeFileSync(at(path), withJsPaths(readFileSync(at(path), 'utf8')));
}

const manifest = JSON.parse(readFileSync(at('package.json'), 'utf8'));
const { version, license, repository, homepage, bugs, keywords } = manifest;
const SHARED = { version, license, repository, homepage, bugs, keywords, type: 'module' };

const SERVER_MANIFEST = {
  name: 'pagespace',
  description: manifest.description,
  ...SHARED,
  bin: manifest.bin,
  engines: { node: '>=24' },
  publishConfig: { access: 'public', provenance: true },
  dependencies: manifest.dependencies,
};

const CLIENT_MANIFEST = {
  name: '@pagespace/client',
  description: 'The client of pagespace: web pages in browser sessions, as lists of actions. No dependency.',
  ...SHARED,
  exports: { '.': { types: './main.d.ts', default: './main.js' }, './package.json': './package.json' },
  sideEffects: false,
  engines: { node: '>=20' },
  publishConfig: { access: 'public', provenance: true },
};

const writeManifest = (folder: string, content: object): void =>
  writeFileSync(at(folder, 'package.json'), `${JSON.stringify(content, null, 2)}\n`);

/** Writes both packages from scratch. @throws Error when a file does not compile */
async function buildPackages(): Promise<void> {
  rmSync(at(PACKAGES), { recursive: true, force: true });
  const files = await loadedFiles();
  await Promise.all([
    compile({ entryPoints: files, outdir: `${SERVER}/lib`, outbase: 'src', target: 'node24' }),
    compile({
      entryPoints: globSync('src/client/**/*.ts', { cwd: root }),
      outdir: CLIENT,
      outbase: 'src/client',
      platform: 'neutral',
      target: 'es2022',
    }),
  ]);
  declareClient();
  for (const path of globSync(`${PACKAGES}/**/*.{js,d.ts}`, { cwd: root })) {
    const text = readFileSync(at(path), 'utf8');
    if (withJsPaths(text) !== text) throw new Error(`${path} imports TypeScript.`);
  }
  for (const folder of ['bin', 'dist/page', 'dist/web'])
    cpSync(at(folder), at(SERVER, folder), { recursive: true });
  for (const folder of [SERVER, CLIENT]) copyFileSync(at('LICENSE'), at(folder, 'LICENSE'));
  copyFileSync(at('README.md'), at(SERVER, 'README.md'));
  copyFileSync(at('src/client/README.md'), at(CLIENT, 'README.md'));
  writeManifest(SERVER, SERVER_MANIFEST);
  writeManifest(CLIENT, CLIENT_MANIFEST);
}

if (import.meta.main) {
  await buildPackages();
  const target = resolve(process.env.INIT_CWD ?? process.cwd(), process.argv[2] ?? '.');
  mkdirSync(target, { recursive: true });
  for (const folder of [CLIENT, SERVER]) {
    const { status } = spawnSync('npm', ['pack', '--ignore-scripts', '--pack-destination', target], {
      cwd: at(folder),
      stdio: ['ignore', 'inherit', 'ignore'],
      shell: process.platform === 'win32',
    });
    if (status !== 0) throw new Error(`npm pack failed in ${folder}.`);
  }
}
