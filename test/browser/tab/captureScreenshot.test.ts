import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { captureScreenshot } from '../../../src/browser/tab/captureScreenshot.ts';
import { Tab } from '../../../src/browser/tab/tab.ts';
import { DEFAULT_SCREENSHOT } from '../../../src/domain/screenshotOptions.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { launchTestChromium } from '../../support/testChromium.ts';

let browser: Browser;
let pages: ServedPages;

beforeAll(async () => {
  [browser, pages] = await Promise.all([
    launchTestChromium(),
    servePages({ '/1': '<title>One</title>', '/2': '<title>Two</title>' }),
  ]);
});
afterAll(async () => {
  await browser.close();
  await pages[Symbol.asyncDispose]();
});

describe('captureScreenshot', () => {
  // Chromium never answers a capture of a document that another one replaces meanwhile, or says that the page is not active.
  test('returns a picture of the next document when the page navigates meanwhile', async () => {
    const tab = await Tab.open('T1', await browser.newPage());
    const deadline = { signal: AbortSignal.timeout(20_000), remainingMs: () => 20_000 };
    await tab.page.goto(`${pages.url}/1`);
    for (let round = 0; round < 10; round++) {
      const navigation = tab.page.goto(
        round % 2 === 0 ? 'about:blank' : `${pages.url}/${1 + (round % 4 > 1 ? 1 : 0)}`,
      );
      const captures = [1, 2, 3].map(() => captureScreenshot(tab, DEFAULT_SCREENSHOT, deadline));
      for (const image of await Promise.all(captures)) expect(image).toMatch(/^iVBOR/);
      await navigation;
    }
  });
});
