import { Failure, isFailure } from '../../domain/failure/failures.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import { quoteUrl } from '../../domain/webAddress.ts';
import { pageCrashedFailure, toFailure } from '../cdp/errors.ts';
import { hasErrorPage, isDownloadStart, isTimeout } from '../cdp/playwrightInternals.ts';
import type { DownloadedFile } from '../scrape/resource/fileResource.ts';
import { settleTab } from '../settle/settle.ts';
import type { Downloads } from '../tab/downloads.ts';
import { navigate, toNavigationFailure, waitForErrorPage } from '../tab/navigate.ts';
import type { Tab } from '../tab/tab.ts';
import { TabStuck } from '../tab/watchLeftPage.ts';

/** Maximum wait until the file at the URL is downloaded. The download continues after that. */
const DOWNLOAD_TIMEOUT_MS = 5_000;

/**
 * Number of times that a URL is opened which leads back to the page that was left: either its script redirects there, or the old
 * page had begun to load itself again just when the new one took its place.
 */
const MAX_ATTEMPTS = 2;

const BLANK_URL = 'about:blank';

/** A navigation that takes longer may wait for a connection that the old page holds. Milliseconds. */
const CONNECTION_TIMEOUT_MS = 4_000;

export interface OpenUrlOptions {
  readonly tab: Tab;
  /** A URL that `checkUrl` has checked. */
  readonly url: string;
  readonly navigationTimeoutMs: number;
  readonly deadline: Deadline;
  /** True to accept a URL that is a file to download; false to fail with NAVIGATION_FAILED for it. */
  readonly allowDownload: boolean;
  /** Maximum wait for what the page has begun, in milliseconds; null for the default. */
  readonly waitMs: number | null;
  readonly downloads: Downloads;
  /** Chromium's unique ids of the documents that have the injected agent. */
  readonly installed: Set<string>;
  /** Returns the failure for a URL to which the egress proxy made no connection; null if the proxy made one. */
  readonly connectionFailure: (url: string) => Failure | null;
  /** Returns a function that closes the connections of the session over which nothing has passed since this call. */
  readonly markConnections: () => (all?: boolean) => void;
}

/**
 * Loads a URL in a tab and waits until the page has settled or a dialog has opened.
 * @returns the file, if the URL is a file and `allowDownload` is true; else null
 * @throws TabStuck when the old page does not let itself be left
 * @throws Failure URL_BLOCKED, NAVIGATION_FAILED, NAVIGATION_TIMEOUT, OPERATION_TIMEOUT, BROWSER_CRASHED
 */
export async function openUrl(options: OpenUrlOptions): Promise<DownloadedFile | null> {
  const { tab, url, deadline, downloads } = options;
  const { network } = tab;
  // Not shortened to the deadline: then both would end at the same moment, and either failure would be the answer.
  const timeoutMs = options.navigationTimeoutMs;
  const mark = { requestNumber: network.currentRequestNumber() };
  const { startedCount } = downloads;
  const { errorPageCount } = network;
  tab.scripts.release();
  network.requests.operationStarted();
  network.expectNavigation();
  try {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const left = addressOf(tab.page.url());
      const { hasReplacedDocument } = tab;
      const open = () => navigate(tab, url, timeoutMs, deadline);
      await withFreeConnections(options.markConnections, () =>
        tab.serviceWorkers.openWithoutSilentOne(url, Math.min(timeoutMs, deadline.remainingMs()), open),
      );
      await settleTab(tab, mark, options.installed, deadline, options.waitMs);
      if (left !== addressOf(tab.page.url()) || left === addressOf(url)) break;
      if (hasReplacedDocument) throw new TabStuck('The page that was left took the place of the new one.');
    }
    if (tab.crashed) throw pageCrashedFailure();
    if (tab.page.url() === BLANK_URL && url !== BLANK_URL && tab.dialog === null) throw wentBackFailure(url);
    if (network.isUndecodable)
      throw new Failure(
        'NAVIGATION_FAILED',
        `${quoteUrl(url)} could not be read: the server names a Content-Encoding that the body does not have.`,
        { retryable: false },
      );
    return null;
  } catch (error) {
    if (error instanceof TabStuck) throw error;
    if (tab.isGivenUp) throw tab.givenUpFailure();
    if (tab.dialog !== null) return null;
    if (isTimeout(error) || deadline.signal.aborted) tab.target.channel.sendNoReply('Page.stopLoading');
    else if (hasErrorPage(error)) await waitForErrorPage(tab, errorPageCount);
    if (isFailure(error) || deadline.signal.aborted) throw toFailure(error, deadline);
    if (isDownloadStart(error)) {
      // The download starts after the navigation has failed. When this returns, the file is stored.
      const maxMs = Math.min(DOWNLOAD_TIMEOUT_MS, deadline.remainingMs());
      await downloads.waitForNewDownload(startedCount, maxMs);
      const file = downloads.lastStored;
      if (options.allowDownload && file !== null)
        return { ...file, contentType: network.responseContentType };
    }
    const lastUrl = network.mainUrl ?? url;
    throw options.connectionFailure(lastUrl) ?? toNavigationFailure(error, lastUrl, timeoutMs, deadline);
  }
}

/**
 * Settles as `open` does. If the browser still waits for the page after a while, closes the connections that were silent before: the
 * old page can hold all of them with requests that no server answers.
 */
async function withFreeConnections<T>(markConnections: () => () => void, open: () => Promise<T>): Promise<T> {
  const timer = setTimeout(markConnections(), CONNECTION_TIMEOUT_MS);
  try {
    return await open();
  } finally {
    clearTimeout(timer);
  }
}

/** Throws the error; a tab that is stuck although it is new, as a failure for the caller. @throws Failure NAVIGATION_TIMEOUT */
export function throwNewTabError(error: unknown): never {
  if (!(error instanceof TabStuck)) throw error;
  throw new Failure('NAVIGATION_TIMEOUT', 'The browser did not begin to load the page in time. Try again.', {
    cause: error,
  });
}

const wentBackFailure = (url: string): Failure =>
  new Failure(
    'NAVIGATION_FAILED',
    `${quoteUrl(url)} could not be opened: the page went back to the blank page.`,
    {
      retryable: false,
    },
  );

/** Returns a URL without its query and fragment. */
const addressOf = (url: string): string => url.replace(/[?#].*/s, '');
