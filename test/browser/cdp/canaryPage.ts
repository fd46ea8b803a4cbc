import type { BrowserContext, CDPSession, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { deferred } from '../../support/deferred.ts';
import { type Page as ServedPage, type ServedPages, servePages } from '../../support/servePages.ts';
import { type SharedBrowser, sharedChromium } from '../../support/sharedChromium.ts';

/** A browser that tests drive with Playwright alone. */
export interface CanaryPage {
  /** The session of the whole browser. */
  readonly browserSession: CDPSession;
  readonly pages: ServedPages;
  /** A new context for each test, with one page. */
  readonly context: BrowserContext;
  readonly page: Page;
  /** The session of `page`. */
  readonly session: CDPSession;
}

/** Starts a page server for the tests of the file, and opens a page before each test. */
export function canaryPage(served: Readonly<Record<string, ServedPage>>): CanaryPage {
  const browser = deferred<SharedBrowser>();
  const browserSession = deferred<CDPSession>();
  const pages = deferred<ServedPages>();
  const context = deferred<BrowserContext>();
  const page = deferred<Page>();
  const session = deferred<CDPSession>();
  beforeAll(async () => {
    const [started] = await Promise.all([browser.set(sharedChromium()), pages.set(servePages(served))]);
    await browserSession.set(started.newBrowserCDPSession());
  });
  afterAll(async () => {
    await browserSession.value.detach();
    await pages.value[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    const own = await context.set(browser.value.newContext());
    await session.set(own.newCDPSession(await page.set(own.newPage())));
    return () => own.close();
  });
  return {
    browserSession: browserSession.value,
    pages: pages.value,
    context: context.value,
    page: page.value,
    session: session.value,
  };
}

/** The error that the work fails with. */
export const errorOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);
