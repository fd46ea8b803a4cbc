import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchFlags } from '../../../src/browser/launch/launchChromium.ts';
import { killProcess } from '../../../src/browser/limits/stopProcesses.ts';
import { captureScreenshot } from '../../../src/browser/tab/captureScreenshot.ts';
import { Tab } from '../../../src/browser/tab/tab.ts';
import { DEFAULT_SCREENSHOT } from '../../../src/domain/content/scrape.ts';
import { type ServedPages, servePages } from '../../support/servePages.ts';
import { launchTestChromium } from '../../support/testChromium.ts';

/** Time for which a page is busy, and the shorter one after which the GPU process counts as stalled meanwhile. Milliseconds. */
const SLOW_MS = 2_500;
const STALL_MS = 2_000;

let browser: Browser;
let pages: ServedPages;

beforeAll(async () => {
  [browser, pages] = await Promise.all([
    launchTestChromium(launchFlags()),
    servePages({
      '/1': '<title>One</title>',
      '/2': '<title>Two</title>',
      '/resized':
        '<title>Resized</title><body style="height: 3000px"><script>onresize = () => { const r = new XMLHttpRequest(); r.open("GET", "/asked", false); r.send(); [].includes.call({ length: 2 ** 53 - 1 }, 1) }</script>',
      '/pushes':
        '<title>Pushes</title><script>setInterval(() => history.pushState(0, "", "?" + Math.random()), 5)</script>',
      '/sizes':
        '<title>Sizes</title><body style="height: 3000px"><script>scrollTo(0, 300); const told = []; const tell = () => told.push([screen.width, screen.height, innerWidth, innerHeight, scrollY].join(" ")); onresize = tell; tell()</script>',
      '/native':
        '<title>Native</title><script>setTimeout(() => [].includes.call({ length: 2 ** 53 - 1 }, 1), 1)</script>',
      '/slow': (_request, response) => void setTimeout(() => response.end(), SLOW_MS),
    }),
  ]);
});
afterAll(async () => {
  await browser.close();
  await pages[Symbol.asyncDispose]();
});

/** Sends a signal to the GPU process of the browser. */
async function signalGpu(signal: NodeJS.Signals): Promise<void> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  for (const { id, type } of processInfo) if (type === 'GPU') process.kill(id, signal);
  await session.detach();
}
const restart = () => signalGpu('SIGKILL');
const A_PICTURE = { image: expect.stringMatching(/^iVBOR/) };
const DEADLINE = { signal: new AbortController().signal, remainingMs: () => 20_000 };

describe('captureScreenshot', () => {
  test('gives up a page that a new GPU process does not draw either', async () => {
    const tab = await Tab.open('T1', await browser.newPage());
    await tab.page.goto(`${pages.url}/1`);
    await signalGpu('SIGSTOP');
    let restarts = 0;
    const gpu = { stallMs: 300, restart: async () => void restarts++ };
    await expect(captureScreenshot(tab, DEFAULT_SCREENSHOT, DEADLINE, gpu)).rejects.toMatchObject({
      code: 'NAVIGATION_FAILED',
      message: expect.stringContaining('does not draw this page'),
    });
    expect(restarts).toBe(1);
    await restart();
    await tab.page.close();
  });

  test('restarts a GPU process that does not draw, but not for a page that is busy itself', async () => {
    const tab = await Tab.open('T1', await browser.newPage());
    await tab.page.goto(`${pages.url}/1`);
    let restarts = 0;
    const gpu = {
      // The stopped process draws nothing, however long one waits; a new one gets the longer time, which a loaded machine needs.
      get stallMs() {
        return restarts === 0 ? 100 : STALL_MS;
      },
      restart() {
        restarts++;
        return restart();
      },
    };
    await signalGpu('SIGSTOP');
    expect(await captureScreenshot(tab, DEFAULT_SCREENSHOT, DEADLINE, gpu)).toMatchObject(A_PICTURE);
    expect(restarts).toBe(1);
    const isBusy = tab.page.evaluate(
      "const request = new XMLHttpRequest(); request.open('GET', '/slow', false); request.send()",
    );
    const image = captureScreenshot(tab, DEFAULT_SCREENSHOT, DEADLINE, gpu);
    await isBusy;
    expect([await image, restarts]).toEqual([expect.objectContaining(A_PICTURE), 1]);
  });

  test('leaves the browser and its other pages alone when the process of the page ends meanwhile', async () => {
    const tab = await Tab.open('T1', await browser.newPage());
    await tab.page.goto(`${pages.url}/native`);
    // Nothing is drawn until the process ends.
    captureScreenshot(tab, DEFAULT_SCREENSHOT, DEADLINE, { restart }).catch(() => {});
    const session = await browser.newBrowserCDPSession();
    await session.send('Browser.getVersion');
    await expect.poll(() => tab.rendererPids.known.length).toBeGreaterThan(0);
    const crash = tab.page.waitForEvent('crash');
    for (const pid of tab.rendererPids.known) process.kill(pid, 'SIGKILL');
    await crash;
    const other = await browser.newPage();
    await other.goto(`${pages.url}/1`);
    expect(await other.title()).toBe('One');
  });

  test.each(['is ended by the service', 'crashes by itself'])(
    'leaves the browser alone when the page of a full-page picture %s',
    async how => {
      const tab = await Tab.open('T1', await browser.newPage());
      if (how === 'is ended by the service') tab.killRenderers = pids => pids.forEach(killProcess);
      await tab.page.goto(`${pages.url}/resized`);
      const asked = tab.page.waitForRequest('**/asked');
      captureScreenshot(tab, { ...DEFAULT_SCREENSHOT, fullPage: true }, DEADLINE, { restart }).catch(
        () => {},
      );
      // The page runs without end as soon as Chromium makes it larger for the picture.
      await asked;
      const crashed = tab.page.waitForEvent('crash');
      if (how === 'is ended by the service') tab.crash();
      else tab.rendererPids.known.forEach(killProcess);
      await crashed;
      await expect(browser.newPage()).resolves.toBeDefined();
    },
  );

  test('leaves the page its screen and its size after a full-page picture', async () => {
    const tab = await Tab.open('T1', await browser.newPage());
    await tab.page.goto(`${pages.url}/sizes`);
    await captureScreenshot(tab, { ...DEFAULT_SCREENSHOT, fullPage: true }, DEADLINE, { restart });
    await tab.page.evaluate('tell()');
    const seen = await tab.page.evaluate<string[]>('told');
    expect(seen.at(-1)).toBe('1280 720 1280 720 300');
    // Meanwhile its size can be 1 × 1: Chromium sets that before the real one (crbug.com/40727379), and a frame can fall between.
    expect(new Set(seen.map(sizes => sizes.replace(' 1 1 ', ' 1280 720 ')))).toEqual(new Set(seen.slice(-1)));
  });

  test.each([false, true])(
    'takes the picture of a page that changes its address all the time (full page: %s)',
    async fullPage => {
      const tab = await Tab.open('T1', await browser.newPage());
      await tab.page.goto(`${pages.url}/pushes`);
      const image = captureScreenshot(tab, { ...DEFAULT_SCREENSHOT, fullPage }, DEADLINE, { restart });
      expect(await image).toMatchObject(A_PICTURE);
      await tab.page.close();
    },
  );

  // Chromium never answers a capture of a document that another one replaces meanwhile, or says that the page is not active.
  test('returns a picture of the next document when the page navigates meanwhile', async () => {
    const tab = await Tab.open('T1', await browser.newPage());
    const deadline = { signal: AbortSignal.timeout(20_000), remainingMs: () => 20_000 };
    await tab.page.goto(`${pages.url}/1`);
    for (let round = 0; round < 10; round++) {
      const navigation = tab.page.goto(
        round % 2 === 0 ? 'about:blank' : `${pages.url}/${1 + (round % 4 > 1 ? 1 : 0)}`,
      );
      const captures = [1, 2, 3].map(() => captureScreenshot(tab, DEFAULT_SCREENSHOT, deadline, { restart }));
      for (const image of await Promise.all(captures)) expect(image).toMatchObject(A_PICTURE);
      await navigation;
    }
  });
});
