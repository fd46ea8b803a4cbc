/** One Chromium for the tests of a worker that need a browser, and nothing of it but pages. */
import type { Browser } from 'playwright';
import { launchTestChromium } from './testChromium.ts';

/** A browser that other files use too: a test opens contexts or pages, closes them, and leaves the browser open. */
export type SharedBrowser = Pick<Browser, 'newBrowserCDPSession' | 'newContext' | 'newPage'>;

let launched: Promise<Browser> | null = null;

/**
 * The browser of this worker, with default switches. The first call starts it; it ends with the worker, whose end closes its pipe.
 * After a crash the next call starts another one.
 */
export async function sharedChromium(): Promise<SharedBrowser> {
  const running = await launched?.catch(() => null);
  if (running?.isConnected()) return running;
  launched = launchTestChromium();
  return launched;
}
