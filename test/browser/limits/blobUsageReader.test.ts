import type { BrowserContext, CDPSession, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OpenInternalPage } from '../../../src/browser/limits/sessionResourceUsage.ts';
import { Tab } from '../../../src/browser/tab/tab.ts';
import { TabSet } from '../../../src/browser/tab/tabSet.ts';
import { type SharedBrowser, sharedChromium } from '../../support/sharedChromium.ts';

/** A busy machine opens the internal page late. */
const TIMEOUT_MS = 60_000;
/** Time until a reader gives up a page that does not open. */
const SHORT_TIMEOUT_MS = 300;
const failToOpen: OpenInternalPage = async () => {
  throw new Error('no page could be opened');
};

let browser: SharedBrowser;
let session: CDPSession;
let context: BrowserContext;
let page: Page;
let tabs: TabSet;
let contextId: string;
let open: OpenInternalPage;

beforeAll(async () => {
  browser = await sharedChromium();
  session = await browser.newBrowserCDPSession();
  open = async (url, browserContextId) =>
    (await session.send('Target.createTarget', { url, browserContextId })).targetId;
});
afterAll(() => session.detach());
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
    const reading = opens
      ? tabs.blobUsage.readBytes(open, contextId, TIMEOUT_MS)
      : tabs.blobUsage.readBytes(failToOpen, contextId, SHORT_TIMEOUT_MS);
    await reading.catch(() => {});
    await page.evaluate(() => void window.open('about:blank'));
    await expect.poll(() => tabs.rows()).toHaveLength(2);
  });
});
