/** The browsers that send page events to every CDP session without `Page.enable`. */
import type { Browser, CDPSession, Page } from 'playwright';

const MIRRORING_BROWSERS = new WeakSet<Browser>();

/** Records that the pages of a browser send their page events to every CDP session. */
export function markMirroring(browser: Browser): void {
  MIRRORING_BROWSERS.add(browser);
}

/** Makes a CDP session of a page receive its page events. Takes no round trip in browsers that send them anyway. */
export async function receivePageEvents(page: Page, session: CDPSession): Promise<void> {
  const browser = page.context().browser();
  if (browser === null || !MIRRORING_BROWSERS.has(browser)) await session.send('Page.enable');
}
