/**
 * The command line as one bundle, for the tests that start it. To load its files one by one, and to remove their types, takes more
 * than half of the processor time of a start.
 */
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { claim } from './claim.ts';

/** Names the folder of the run, in which the first process that needs the bundle claims to make it. */
export const PROGRAM_FOLDER_VARIABLE = 'PROGRAM_TEST_FOLDER';
const POLL_MS = 20;
/** The bundle takes a second on a quiet machine. */
const BUILD_TIMEOUT_MS = 90_000;

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = join(root, 'src/main.ts');
/** A fixed folder, because Node finds compiled code by the paths of files. */
const target = join(root, 'node_modules/.cache/program');

/** Loaded from node_modules: they find files beside their own, or are so large that their bundle costs more than it gains. */
const EXTERNAL = [
  '@napi-rs/canvas',
  'playwright',
  'playwright-core',
  'esbuild',
  'unpdf',
  '@napi-rs/canvas',
  '@graphql-yoga/render-graphiql',
  '@opentelemetry/core',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  'pg-native',
  'bufferutil',
  'utf-8-validate',
];

/** Keeps the addresses of the sources, by which the program finds its other files and its threads. */
const ownAddresses: Plugin = {
  name: 'own addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      if (relative(root, path).includes('node_modules')) return null;
      const text = readFileSync(path, 'utf8');
      const contents = text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
      return { contents, loader: 'ts' };
    });
  },
};

/** The folder of a test run. */
export interface ProgramFolder {
  /** Has the bundle made again, by the next worker that needs it. */
  forget(): void;
  remove(): void;
}

/** Makes the folder of a test run before its workers start. */
export function prepareProgram(): ProgramFolder {
  const folder = mkdtempSync(join(tmpdir(), 'pagespace-program-'));
  process.env[PROGRAM_FOLDER_VARIABLE] = folder;
  return {
    forget() {
      for (const name of ['claimed', 'done']) rmSync(join(folder, name), { recursive: true, force: true });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Returns the file to start: the bundle in a test run, which the first worker makes that needs it; else the source. */
export async function programFile(): Promise<string> {
  const folder = process.env[PROGRAM_FOLDER_VARIABLE];
  if (folder === undefined) return source;
  const done = join(folder, 'done');
  if (claim(join(folder, 'claimed'))) {
    writeFileSync(`${done}.new`, await bundle());
    // No other worker reads the file before its text is in it.
    renameSync(`${done}.new`, done);
  }
  const giveUpAt = performance.now() + BUILD_TIMEOUT_MS;
  while (!existsSync(done) && performance.now() < giveUpAt) await wait(POLL_MS);
  return readFileSync(done, 'utf8');
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [source],
    outdir: target,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    charset: 'utf8',
    external: EXTERNAL,
    // CommonJS packages in the bundle load the modules of Node.
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(${JSON.stringify(source)});`,
    },
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
    plugins: [ownAddresses],
  });
  mkdirSync(target, { recursive: true });
  for (const { path, contents } of outputFiles) {
    // A program of another run that starts meanwhile reads the earlier file or this one, never a part of it.
    const unfinished = `${path}.${process.pid}`;
    writeFileSync(unfinished, contents);
    renameSync(unfinished, path);
  }
  const written = new Set(outputFiles.map(({ path }) => path));
  // Parts of earlier bundles have other names.
  for (const path of globSync(join(target, '*.mjs'))) if (!written.has(path)) rmSync(path, { force: true });
  return join(target, 'main.mjs');
}
