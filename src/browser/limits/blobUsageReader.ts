/** Reads how many bytes the blobs of a browser context use. No API reports it, so it opens an internal page of Chromium. */
import type { BrowserContext, Page } from 'playwright';
import { BLOB_INTERNALS_URL, blobBytesOf } from '../cdp/playwrightInternals.ts';
import { detachSession } from '../cdp/playwrightSessions.ts';

/**
 * Opens a URL in a context, without any URL check.
 * @param browserContextId Chromium's id of the context
 * @returns Chromium's target id of the page
 */
export type OpenInternalPage = (url: `chrome://${string}`, browserContextId: string) => Promise<string>;

/** Reads how many bytes the blobs of one browser context use. */
export class BlobUsageReader {
  readonly #context: BrowserContext;
  #opening: Promise<string> | null = null;
  #reading: Promise<number> | null = null;

  constructor(context: BrowserContext) {
    this.#context = context;
  }

  /**
   * Returns true if a new page of the context is the internal page that this reader opened, not a tab of the session.
   * Never throws.
   */
  async isReaderPage(page: Page): Promise<boolean> {
    const opening = this.#opening;
    if (opening === null) return false;
    if (page.url() === BLOB_INTERNALS_URL) return true;
    try {
      // Playwright may report the page before its URL is known.
      return (await this.#targetId(page)) === (await opening);
    } catch {
      // The window closed at once, or the internal page did not open.
      return false;
    }
  }

  /**
   * Returns the bytes of all blobs of the context. A call during another one gets its result: a second internal page would count as a tab
   * of the session as soon as the first one is known.
   * @throws Error when the internal page does not open within `timeoutMs`
   */
  readBytes(open: OpenInternalPage, browserContextId: string, timeoutMs: number): Promise<number> {
    this.#reading ??= this.#read(open, browserContextId, timeoutMs).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(open: OpenInternalPage, browserContextId: string, timeoutMs: number): Promise<number> {
    const opened = this.#context.waitForEvent('page', {
      predicate: page => this.isReaderPage(page),
      timeout: timeoutMs,
    });
    this.#opening = open(BLOB_INTERNALS_URL, browserContextId);
    // If the call fails, the wait for `opened` times out.
    this.#opening.catch(() => {});
    const page = await opened;
    this.#opening = null;
    const timer = setTimeout(() => void page.close().catch(() => {}), timeoutMs);
    try {
      await page.waitForURL(BLOB_INTERNALS_URL);
      const lines = await page.locator('li').allTextContents();
      return lines.reduce((sum, line) => sum + blobBytesOf(line), 0);
    } finally {
      clearTimeout(timer);
      void page.close().catch(() => {});
    }
  }

  async #targetId(page: Page): Promise<string> {
    const session = await this.#context.newCDPSession(page);
    try {
      return (await session.send('Target.getTargetInfo')).targetInfo.targetId;
    } finally {
      void detachSession(session).catch(() => {});
    }
  }
}
