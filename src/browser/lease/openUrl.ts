/** The waits of an operation before it reads the page: for the address that it opens, and for the condition of its caller (`wait_for`). */
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import { cutText } from '../../domain/space/pageText.ts';
import type { PageObservation } from '../../domain/space/space.ts';
import {
  comparableText,
  DEFAULT_WAIT_FOR_MS,
  type WaitCondition,
  waitConditionText,
} from '../../domain/specialActions/specialActionDefinition.ts';
import { quoteUrl } from '../../domain/webAddress.ts';
import { shortenDeadline } from '../cdp/cdpChannel.ts';
import { pageCrashedFailure, toFailure } from '../cdp/errors.ts';
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import { hasErrorPage, isDownloadStart, isTimeout } from '../cdp/playwrightInternals.ts';
import type { DownloadedFile } from '../scrape/resource/fileResource.ts';
import { settleDocument, settleTab } from '../settle/settle.ts';
import type { Downloads } from '../tab/downloads.ts';
import { navigate, TabStuck, toNavigationFailure, waitForErrorPage } from '../tab/navigate.ts';
import type { Tab } from '../tab/tab.ts';

/** Maximum wait until the file at the URL is downloaded. The download continues after that. */
const DOWNLOAD_TIMEOUT_MS = 5_000;

/** A URL that leads back to the left page is opened again: the old page may have begun to load itself just then. */
const MAX_ATTEMPTS = 2;

const BLANK_URL = 'about:blank';

/** A navigation that takes longer may wait for a connection that the old page holds. Milliseconds. */
const CONNECTION_TIMEOUT_MS = 4_000;

export interface OpenUrlOptions {
  readonly tab: Tab;
  readonly url: string;
  readonly navigationTimeoutMs: number;
  readonly deadline: Deadline;
  /** True to accept a URL that is a file to download; false to fail with NAVIGATION_FAILED for it. */
  readonly allowDownload: boolean;
  /** Maximum wait for what the page has begun, in milliseconds; null for the default. */
  readonly waitMs: number | null;
  readonly downloads: Downloads;
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
      await settleTab(tab, mark, deadline, options.waitMs);
      if (left !== addressOf(tab.page.url()) || left === addressOf(url)) break;
      if (hasReplacedDocument) throw new TabStuck('The page that was left took the place of the new one.');
    }
    if (tab.crashed) throw pageCrashedFailure();
    if (tab.page.url() === BLANK_URL && url !== BLANK_URL && tab.dialog === null) throw wentBackFailure(url);
    if (network.isBodyBroken && network.isCompressed)
      throw new Failure(
        'NAVIGATION_FAILED',
        `${quoteUrl(url)} could not be read: the body is not what its Content-Encoding says, ends early, or has several gzip members.`,
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

/** Settles as `open` does. If the browser still waits after a while, closes silent connections: the old page can hold all of them. */
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

const addressOf = (url: string): string => url.replace(/[?#].*/s, '');

/** Milliseconds without an open request. */
const QUIET_NETWORK_MS = 500;
/** Maximum time between two checks of the condition: changes in frames are not reported. Milliseconds. */
const CHECK_INTERVAL_MS = 250;
/** A page may change all the time. Milliseconds. */
const MIN_CHECK_INTERVAL_MS = 50;
/** A page that answers later has been busy: what its script has loaded next is awaited too. Milliseconds. */
const IDLE_ANSWER_MS = 100;
const CHECK_TIMEOUT_MS = 2_000;
/** Time before the deadline at which the wait ends, so that the page can be read. Milliseconds. */
const RESERVED_MS = 2_000;

interface WaitOptions {
  readonly condition: WaitCondition;
  readonly waitMs: number | null;
  readonly deadline: Deadline;
  readonly activeTab: () => Tab;
  readonly observe: () => Promise<PageObservation>;
}

/** Waits until a condition is met in the active tab. @throws Failure WAIT_TIMEOUT with the present space; OPERATION_TIMEOUT, BROWSER_CRASHED */
export async function waitForCondition(options: WaitOptions): Promise<void> {
  const { condition, deadline, waitMs, activeTab } = options;
  const wantedMs = waitMs ?? DEFAULT_WAIT_FOR_MS;
  const maxMs = Math.max(0, Math.min(wantedMs, deadline.remainingMs() - RESERVED_MS));
  const end = performance.now() + maxMs;
  const look = condition.kind === 'network' ? networkLook(end, deadline) : pageLook(condition, options);
  for (;;) {
    if (activeTab().isUnresponsive || (await look(activeTab()))) return;
    const left = end - performance.now();
    if (left <= 0) break;
    await nextChange(activeTab(), Math.min(left, CHECK_INTERVAL_MS), deadline);
    await activeTab().network.nextChange(Math.min(left, MIN_CHECK_INTERVAL_MS));
  }
  const { space } = await options.observe();
  throw new Failure(
    'WAIT_TIMEOUT',
    `The wait for ${cutText(waitConditionText(condition), 200)} ended after ${(maxMs / 1_000).toFixed(1)} seconds without it. The operation itself was performed; do not repeat a step, observe with the same wait_for instead.`,
    { space },
  );
}

/** Looks at the page and says whether the condition is met. */
type Look = (tab: Tab) => Promise<boolean>;

function networkLook(end: number, deadline: Deadline): Look {
  const all = { after: 0, maxAgeMs: Number.POSITIVE_INFINITY, maxBodyMs: Number.POSITIVE_INFINITY };
  return async tab => {
    const { network } = tab;
    const quietUntil = performance.now() + QUIET_NETWORK_MS;
    const isQuiet = () => !network.loading && network.requests.count(all) === 0;
    while (isQuiet()) {
      const left = quietUntil - performance.now();
      if (left <= 0) return (await isIdle(tab, deadline)) && isQuiet();
      if (performance.now() >= end) return false;
      await network.nextChange(left);
    }
    return false;
  };
}

/** Returns false if the page answers late or begins a request before: a script has run, which may load the next. */
async function isIdle(tab: Tab, deadline: Deadline): Promise<boolean> {
  const number = tab.network.currentRequestNumber();
  const start = performance.now();
  using limit = shortenDeadline(deadline, CHECK_TIMEOUT_MS);
  try {
    await tab.interruptible((await tab.world(limit)).callAgent('nextChange', 0));
  } catch {
    // A page that navigates or does not answer is not idle; one that cannot be asked is not waited for.
    return !tab.network.loading && !limit.signal.aborted;
  }
  return performance.now() - start < IDLE_ANSWER_MS && tab.network.currentRequestNumber() === number;
}

function pageLook(
  { kind, text, isPresent }: Extract<WaitCondition, { isPresent: boolean }>,
  { observe, deadline }: WaitOptions,
): Look {
  const sought = comparableText(text);
  const hasAction = async (): Promise<boolean> =>
    (await observe()).space.actions.some(({ description }) => comparableText(description).includes(sought));
  return async tab => {
    if (tab.network.loading) return false;
    using limit = shortenDeadline(deadline, CHECK_TIMEOUT_MS);
    try {
      const world = await tab.world(limit);
      const isThere = kind === 'action' ? await hasAction() : await tab.interruptible(showsText(world, text));
      if (isThere !== isPresent) return false;
      await tab.interruptible(settleDocument(world));
      return true;
    } catch (error) {
      if (deadline.signal.aborted) throw error;
      // The page has navigated, is busy, or has opened a dialog: the next look finds out.
      return false;
    }
  };
}

async function showsText(world: IsolatedWorld, text: string): Promise<boolean> {
  await world.install('agent');
  if (await world.callAgent('showsText', text)) return true;
  const children = await world.children();
  const found = await Promise.all(children.map(child => showsText(child, text).catch(() => false)));
  return found.includes(true);
}

async function nextChange(tab: Tab, maxMs: number, deadline: Deadline): Promise<void> {
  using limit = shortenDeadline(deadline, maxMs * 2);
  try {
    const world = await tab.world(limit);
    await tab.interruptible(world.callAgent('nextChange', maxMs));
  } catch {
    // The next look at the page finds out why.
    await tab.network.nextChange(maxMs);
  }
}
