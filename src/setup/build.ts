/** Bundles the scripts that run in a browser: those injected into pages, and those of the service's own pages. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

const PAGE_SCRIPT: BuildOptions = {
  absWorkingDir: root,
  outdir: 'dist/page',
  bundle: true,
  format: 'iife',
  target: 'chrome120',
  charset: 'ascii',
  // Each new document gets the whole agent.
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
};

/** Writes page scripts of ASCII characters only: with any other one, the browser stores each character of the script in two bytes. */
async function buildPageScript(options: BuildOptions): Promise<void> {
  const { outputFiles } = await build({ ...PAGE_SCRIPT, ...options, write: false });
  for (const { path, text } of outputFiles) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, inAscii(text));
  }
}

/** Escapes the characters that esbuild leaves as they are: those of regular expressions. `\»` becomes `\u00bb` too. */
const inAscii = (source: string): string =>
  source.replace(/(\\*)([^\0-\x7f])/g, (_, slashes: string, character: string) => {
    const own = slashes.slice(0, slashes.length - (slashes.length % 2));
    return `${own}\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });

/** Writes dist/page/*.js: the scripts that the service injects into the pages of sessions. Takes about 50 ms. */
export async function buildInjectedScripts(): Promise<void> {
  await buildPageScript({
    entryPoints: {
      agent: 'src/browser/injected/agent/main.ts',
      prewarm: 'src/browser/injected/agent/prewarm.ts',
      documentStart: 'src/browser/injected/settle/documentStart.ts',
      scrape: 'src/browser/injected/scrape/main.ts',
      sharedWorkers: 'src/browser/injected/agent/sharedWorkers.ts',
    },
  });
}

const WEB: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  target: 'es2022',
  charset: 'utf8',
  minify: true,
  // Licences want their notices kept.
  legalComments: 'eof',
  logLevel: 'warning',
};

/**
 * Writes dist/web: the scripts of the pages that the service itself serves, and in dist/web/dashboard the dashboard, in parts of which
 * the browser loads some only when they are needed.
 */
export async function buildWebScripts(): Promise<void> {
  const folder = 'dist/web/dashboard';
  // Parts that no build needs any more would be served for ever.
  await rm(join(root, folder), { recursive: true, force: true });
  await Promise.all([
    build({
      ...WEB,
      entryPoints: { docs: 'src/web/docs.ts' },
      outdir: 'dist/web',
      format: 'iife',
    }),
    build({
      ...WEB,
      entryPoints: { main: 'src/web/dashboard/main.tsx', style: 'src/web/dashboard/style.css' },
      outdir: folder,
      format: 'esm',
      splitting: true,
      chunkNames: '[name]-[hash]',
      jsx: 'automatic',
      jsxImportSource: 'preact',
    }),
  ]);
}

if (import.meta.main) await Promise.all([buildInjectedScripts(), buildWebScripts()]);
