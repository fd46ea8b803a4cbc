/** Closed shadow trees, which no script can see, handed to the in-page scraper. */
import type { World } from '../cdp/world.ts';

/** @returns whether there were any at the elements that the scraper last counted */
export async function adoptClosedRoots(world: World, count: number): Promise<boolean> {
  const host = (index: number) => `__pagespaceScrape.closedHost(${index})`;
  return (await world.adoptClosedRoots(count, host, ADOPT)) > 0;
}

const ADOPT = '(...roots) => globalThis.__pagespaceScrape.adopt(...roots)';
