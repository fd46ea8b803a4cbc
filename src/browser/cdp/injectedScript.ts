/** The scripts that run inside pages, bundled by `npm run build` into dist/page/. */
import { readFileSync } from 'node:fs';

/** `perceive` installs `globalThis.__pagespace`; `scrape` installs `globalThis.__pagespaceScrape`. */
export type InjectedScriptName = 'perceive' | 'scrape';

const cache = new Map<InjectedScriptName, string>();

/**
 * @returns the script's source, an expression statement that may be evaluated more than once in a world
 * @throws Error when it has not been built
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
    throw new Error(`The in-page script "${name}" is not built. Run: npm run build`, { cause });
  }
}
