/** Calls the scraper that is injected into a frame's isolated world. */
import type { Json } from '../../domain/json.ts';
import { adoptClosedShadowRoots, type IsolatedWorld } from '../cdp/isolatedWorld.ts';
import type { PageScraper } from '../injected/scrape/pageScraper.ts';

export const installScraper = (world: IsolatedWorld): Promise<unknown> => world.install('scrape');

export function callScraper<Method extends keyof PageScraper>(
  world: IsolatedWorld,
  method: Method,
  ...args: Parameters<PageScraper[Method]>
): Promise<ReturnType<PageScraper[Method]>> {
  // The arguments and the result are JSON; TypeScript does not accept interfaces as JSON.
  const call = world.call(
    `(...args) => globalThis.__pagespaceScrape.${method}(...args)`,
    ...(args as Json[]),
  );
  return call as Promise<unknown> as Promise<ReturnType<PageScraper[Method]>>;
}

/**
 * Finds the closed shadow roots of the elements that the scraper counted in its last response, and passes them to the
 * scraper.
 */
export async function addClosedRoots(world: IsolatedWorld, hostCount: number): Promise<boolean> {
  const host = (index: number) => `globalThis.__pagespaceScrape.closedHost(${index})`;
  const add = '(...roots) => globalThis.__pagespaceScrape.addClosedRoots(...roots)';
  return (await adoptClosedShadowRoots(world, hostCount, host, add)) > 0;
}
