/** Pages of the worker's Chromium and one test site for the tests of a file. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import { ObservedPage } from './observedPage.ts';
import { type SharedBrowser, sharedChromium } from './sharedChromium.ts';
import { startTestSite, type TestSite } from './testSite.ts';

export interface ObserverHarness {
  readonly site: TestSite;
  /** Opens a page of test/site. */
  openPath(path: string): Promise<ObservedPage>;
  /** Opens a page with this body. */
  openHtml(body: string): Promise<ObservedPage>;
}

/** Starts both before the tests of the calling file and stops them after the tests, with all pages. */
export function observerHarness(): ObserverHarness {
  let browser: SharedBrowser | null = null;
  let site: TestSite | null = null;
  beforeAll(async () => {
    [browser, site] = await Promise.all([sharedChromium(), startTestSite()]);
  });
  /** Opening a tab for each test would take most of the time. */
  const idle: ObservedPage[] = [];
  const used: ObservedPage[] = [];
  const open = async (url: string): Promise<ObservedPage> => {
    const observed = idle.pop() ?? (await ObservedPage.open(running(browser), 'about:blank'));
    used.push(observed);
    // A tab that waits for a test is blank.
    if (url !== 'about:blank') await observed.goto(url);
    return observed;
  };
  afterEach(async () => {
    for (const observed of used.splice(0).filter(({ page }) => !page.isClosed())) {
      await observed.reset();
      idle.push(observed);
    }
  });
  afterAll(async () => {
    for (const { page } of idle.splice(0)) await page.context().close();
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
    openPath: path => open(`${running(site).url}${path}`),
    async openHtml(body) {
      const observed = await open('about:blank');
      await observed.page.setContent(`<!doctype html><html lang="en"><body>${body}</body></html>`);
      return observed;
    },
  };
}
