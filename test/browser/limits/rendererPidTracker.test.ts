import { expect, it } from 'vitest';
import { Tab } from '../../../src/browser/tab/tab.ts';
import { servePages } from '../../support/servePages.ts';
import { launchTestChromium } from '../../support/testChromium.ts';

it('RendererPidTracker knows the process of a page that requests nothing, also after another site took another process', async () => {
  await using stack = new AsyncDisposableStack();
  // A page that is too busy to answer afterwards.
  const busy = '<title>Busy</title><script>setTimeout(() => { for (;;); }, 300)</script>';
  const pages = stack.use(await servePages({ '/': '<title>Quiet</title>', '/busy': busy }));
  const browser = stack.adopt(await launchTestChromium(['--site-per-process']), one => one.close());
  const session = await browser.newBrowserCDPSession();
  const running = async (): Promise<readonly number[]> => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  };
  const { rendererPids, page } = await Tab.open('T1', await browser.newPage());
  await expect.poll(() => rendererPids.known).toHaveLength(1);
  await page.goto(`${pages.url}/`);
  const [first] = rendererPids.known;
  await page.goto(`${pages.otherOrigin}/busy`);
  await expect.poll(() => rendererPids.known).toEqual([first, expect.any(Number)]);
  expect(await running()).toContain(rendererPids.known[1]);
});
