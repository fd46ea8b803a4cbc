/** One Chromium and one site for the tests of a file. */

import type { Browser } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import { launchChromium, ObservedPage } from './observePage.ts';
import { type Site, startSite } from './site.ts';

export interface Perceiving {
  readonly site: Site;
  /** Opens a page of test/site, closed at the end of the file. */
  visit(path: string): Promise<ObservedPage>;
  /** A page with this body. */
  show(body: string): Promise<ObservedPage>;
}

/** Starts both before the tests of the calling file and stops both after them. */
export function perceiving(): Perceiving {
  let browser: Browser | null = null;
  let site: Site | null = null;
  beforeAll(async () => {
    [browser, site] = await Promise.all([launchChromium(), startSite()]);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });
  const running = <T>(part: T | null): T => {
    if (part === null) throw new Error('Not started yet.');
    return part;
  };
  return {
    get site() {
      return running(site);
    },
    visit: path => ObservedPage.open(running(browser), `${running(site).url}${path}`),
    async show(body) {
      const observed = await ObservedPage.open(running(browser), 'about:blank');
      await observed.page.setContent(`<!doctype html><html lang="en"><body>${body}</body></html>`);
      return observed;
    },
  };
}
