/** Closed shadow trees, which no script can see, handed to the in-page scraper. */
import { adoptClosedShadowRoots } from '../cdp/closedShadowRoots.ts';
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';

/** @returns whether there were any at the elements that the scraper last counted */
export async function adoptClosedRoots(world: IsolatedWorld, count: number): Promise<boolean> {
  const host = (index: number) => `__pagespaceScrape.closedHost(${index})`;
  return (await adoptClosedShadowRoots(world, count, host, ADOPT)) > 0;
}

const ADOPT = '(...roots) => globalThis.__pagespaceScrape.adopt(...roots)';
