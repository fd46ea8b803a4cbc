/** Chromium's own list of the blobs of a browser context: the one place where it tells what they hold. */
import type { BrowserContext, Page } from 'playwright';

/** No page can open it, and callers are refused it. */
const BLOB_INTERNALS_URL = 'chrome://blob-internals/';

/** Opens an address in a context, by Chromium's id of it, past every filter. @returns Chromium's id of the page */
export type OpenInternalPage = (url: `chrome://${string}`, browserContextId: string) => Promise<string>;

export class BlobUsageReader {
  readonly #context: BrowserContext;
  #opening: Promise<string> | null = null;

  constructor(context: BrowserContext) {
    this.#context = context;
  }

  /** Whether a page that has come is this list, and none of the session's; never throws. */
  async isReaderPage(page: Page): Promise<boolean> {
    const opening = this.#opening;
    if (opening === null) return false;
    if (page.url() === BLOB_INTERNALS_URL) return true;
    try {
      // It may be told of before it has its address.
      return (await this.#targetIdOf(page)) === (await opening);
    } catch {
      // A window that closed at once, or a list that did not open.
      return false;
    }
  }

  /** @returns bytes of all blobs of the context. @throws Error when the list does not come within `patienceMs` */
  async readBytes(open: OpenInternalPage, browserContextId: string, timeoutMs: number): Promise<number> {
    const pagePromise = this.#context.waitForEvent('page', {
      predicate: page => this.isReaderPage(page),
      timeout: timeoutMs,
    });
    this.#opening = open(BLOB_INTERNALS_URL, browserContextId);
    // `coming` fails of itself then.
    this.#opening.catch(() => {});
    const page = await pagePromise;
    this.#opening = null;
    const closeTimer = setTimeout(() => void page.close().catch(() => {}), timeoutMs);
    try {
      await page.waitForURL(BLOB_INTERNALS_URL);
      return await page.evaluate(() =>
        [...document.querySelectorAll('li')]
          .map(line => /^Length: ([\d,]+)$/.exec(line.textContent)?.[1] ?? '0')
          .reduce((sum, length) => sum + Number(length.replaceAll(',', '')), 0),
      );
    } finally {
      clearTimeout(closeTimer);
      void page.close().catch(() => {});
    }
  }

  async #targetIdOf(page: Page): Promise<string> {
    const session = await this.#context.newCDPSession(page);
    try {
      return (await session.send('Target.getTargetInfo')).targetInfo.targetId;
    } finally {
      void session.detach().catch(() => {});
    }
  }
}
