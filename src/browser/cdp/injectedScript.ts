/** Loads the scripts that run inside pages. `src/setup/build.ts` bundles them from src/browser/injected into dist/page/. */
import { readFileSync } from 'node:fs';

/**
 * Name of an injected script: `agent` installs `globalThis.__pagespace` (`PageAgent`), `scrape` installs
 * `globalThis.__pagespaceScrape`, and `prewarm` installs `globalThis.__pagespacePrewarm`. `tasks` declares the variable
 * `tasks`, with the exports of taskRecorder.ts. `pointerLock` refuses the lock of the pointer.
 */
export type InjectedScriptName = 'agent' | 'scrape' | 'prewarm' | 'tasks' | 'pointerLock';

const cache = new Map<InjectedScriptName, string>();

/**
 * Returns the source of an injected script from dist/page/. Evaluating it more than once in a world is harmless.
 * @throws Error when the script is not built
 */
export function injectedScript(name: InjectedScriptName): string {
  const cached = cache.get(name);
  if (cached !== undefined) return cached;
  const url = new URL(`../../../dist/page/${name}.js`, import.meta.url);
  try {
    const source = readFileSync(url, 'utf8');
    cache.set(name, source);
    return source;
  } catch (cause) {
    throw new Error(`The injected script "${name}" is not built. Run: npm run build`, { cause });
  }
}
