import { expect, it } from 'vitest';
import { processRow } from '../../../src/browser/limits/processTable.ts';
import { killBrowserProcesses } from '../../../src/browser/pool/browserPool.ts';
import { Tab } from '../../../src/browser/tab/tab.ts';
import { servePages } from '../../support/servePages.ts';
import { launchTestChromium } from '../../support/testChromium.ts';

it('RendererPidTracker knows the process of a page that requests nothing, also after another site took another process, and a tab ends a process that Chromium cannot', async () => {
  await using stack = new AsyncDisposableStack();
  // A page that is too busy to answer afterwards.
  const busy = '<title>Busy</title><script>setTimeout(() => { for (;;); }, 300)</script>';
  const pages = stack.use(await servePages({ '/': '<title>Quiet</title>', '/busy': busy }));
  const browser = stack.adopt(await launchTestChromium(['--site-per-process']), one => one.close());
  const session = await browser.newBrowserCDPSession();
  const running = async (wanted = 'renderer'): Promise<readonly number[]> => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    return processInfo.filter(({ type }) => type === wanted).map(({ id }) => id);
  };
  const tab = await Tab.open('T1', await browser.newPage());
  const { rendererPids, page } = tab;
  await expect.poll(() => rendererPids.known).toHaveLength(1);
  await page.goto(`${pages.url}/`);
  const [first = Number.NaN] = rendererPids.known;
  await page.goto(`${pages.otherOrigin}/busy`);
  await expect.poll(() => rendererPids.known).toEqual([first, expect.any(Number)]);
  const [, second = Number.NaN] = rendererPids.known;
  expect(await running()).toContain(second);

  // A stopped process carries out no call of Chromium: only the end of the process ends it.
  const [browserPid = null] = await running('browser');
  const group = processRow(browserPid ?? 0)?.group ?? null;
  tab.killRenderers = pids => killBrowserProcesses(pids, 'renderer', group);
  process.kill(second, 'SIGSTOP');
  tab.crash();
  await expect.poll(() => tab.crashed).toBe(true);
});
