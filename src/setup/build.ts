/** Bundles the scripts that run in a browser: those injected into pages, and those of the service's own pages. */
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

const PAGE_SCRIPT: BuildOptions = {
  absWorkingDir: root,
  outdir: 'dist/page',
  bundle: true,
  format: 'iife',
  target: 'chrome120',
  charset: 'utf8',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
};

/** Writes dist/page/*.js: the scripts that the service injects into the pages of sessions. Takes about 50 ms. */
export async function buildInjectedScripts(): Promise<void> {
  await Promise.all([
    build({
      ...PAGE_SCRIPT,
      entryPoints: {
        agent: 'src/browser/injected/agent/main.ts',
        prewarm: 'src/browser/injected/agent/prewarm.ts',
        scrape: 'src/browser/injected/scrape/main.ts',
      },
    }),
    // A script for the page's own world must leave nothing there: its exports are a variable, which its caller encloses.
    build({
      ...PAGE_SCRIPT,
      entryPoints: { tasks: 'src/browser/injected/tab/taskRecorder.ts' },
      globalName: 'tasks',
    }),
  ]);
}

/** Writes dist/web/*.js: the scripts of the pages that the service itself serves, such as its home page. */
export async function buildWebScripts(): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: { home: 'src/web/home.ts' },
    outdir: 'dist/web',
    bundle: true,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
}

if (import.meta.main) await Promise.all([buildInjectedScripts(), buildWebScripts()]);
