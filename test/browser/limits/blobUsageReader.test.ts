import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OpenInternalPage } from '../../../src/browser/limits/blobUsageReader.ts';
import { Tab } from '../../../src/browser/tab/tab.ts';
import { TabSet } from '../../../src/browser/tab/tabSet.ts';
import { launchTestChromium } from '../../support/testChromium.ts';

const TIMEOUT_MS = 1_000;
const failToOpen: OpenInternalPage = async () => {
  throw new Error('no page could be opened');
};

let browser: Browser;
let context: BrowserContext;
let page: Page;
let tabs: TabSet;
let contextId: string;
let open: OpenInternalPage;

beforeAll(async () => {
  browser = await launchTestChromium();
  const session = await browser.newBrowserCDPSession();
  open = async (url, browserContextId) =>
    (await session.send('Target.createTarget', { url, browserContextId })).targetId;
});
afterAll(() => browser.close());
beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
  const tab = await Tab.open('T1', page);
  tabs = new TabSet(context, tab, { onEvent: () => {}, onCrash: () => {}, now: () => 0 });
  contextId =
    (await tab.target.channel.session.send('Target.getTargetInfo')).targetInfo.browserContextId ?? '';
  return () => context.close();
});

describe('BlobUsageReader', () => {
  it('returns the bytes of all blobs, and its internal page is not a tab of the session', async () => {
    await page.evaluate(() => Object.assign(window, { kept: new Blob(['x'.repeat(123_456)]) }));
    expect(await tabs.blobUsage.readBytes(open, contextId, TIMEOUT_MS)).toBe(123_456);
    expect(tabs.rows()).toHaveLength(1);
  });

  it('reads once for two calls at the same time, and leaves no page', async () => {
    await page.evaluate(() => Object.assign(window, { kept: new Blob(['x'.repeat(1_000)]) }));
    const read = () => tabs.blobUsage.readBytes(open, contextId, TIMEOUT_MS);
    expect(await Promise.all([read(), read()])).toEqual([1_000, 1_000]);
    await page.evaluate(() => void window.open('about:blank'));
    await expect.poll(() => tabs.rows()).toHaveLength(2);
    expect(context.pages()).toHaveLength(2);
  });

  it.each([
    ['has opened', true],
    ['has failed to open', false],
  ])('does not hide windows of the session after its internal page %s', async (_, opens) => {
    await tabs.blobUsage.readBytes(opens ? open : failToOpen, contextId, TIMEOUT_MS).catch(() => {});
    await page.evaluate(() => void window.open('about:blank'));
    await expect.poll(() => tabs.rows()).toHaveLength(2);
  });
});
