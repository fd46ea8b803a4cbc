/** Opens a URL in a tab, also while the old page is in an endless loop or an earlier navigation's error page appears late. */

import type { Frame } from 'playwright';
import { afterMs, race, succeeds } from '../../async/race.ts';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import { quoteUrl } from '../../domain/webAddress.ts';
import { raceDeadline } from '../cdp/cdpChannel.ts';
import { toFailure } from '../cdp/errors.ts';
import {
  isDownloadStart,
  isInvalidUrl,
  isNavigationFrameGone,
  isNavigationInterrupted,
  isPageBeingReplaced,
  isTimeout,
  networkErrorOf,
} from '../cdp/playwrightInternals.ts';
import { ScriptUsage, type ScriptUsageDeps, TERMINATION_INTERVAL_MS } from './scriptWatch.ts';
import { Interrupted, type Tab } from './tab.ts';

/** A left page that has not answered for this time has its running script terminated, and again every `TERMINATION_INTERVAL_MS` until it answers. */
const UNLOAD_TIMEOUT_MS = 1_000;
/** Processor time in a silence that shows a running script after the server has answered: else V8 would end the first script of the new document. */
const RUNNING_MS = 300;
/**
 * A left page whose handlers of `beforeunload` ask for more dialogs than this, without an answer in between, is in a loop. Its script is
 * terminated at once: Chromium logs each of them, and is busy for seconds with those of one second.
 */
const MAX_BLOCKED_DIALOGS = 8;
/** After this many periods of UNLOAD_TIMEOUT_MS without an answer of the left page, the tab is stuck. */
const MAX_UNANSWERED = 3;
/**
 * After this many periods without an answer of the left page, the tab is stuck, if the server has answered. Chromium then holds calls to the left page back until the process of the new page has
 * started, which takes seconds on a busy machine, and terminations soon end what the left page does.
 */
const MAX_UNANSWERED_AFTER_RESPONSE = 9;

/** Error of a navigation whose old page cannot be left: the caller has to replace the tab. */
export class TabStuck extends Error {
  override readonly name = 'TabStuck';
}

export interface LeftPage {
  /** False for the blank page of a new tab: no script can hold it. */
  readonly canHaveScripts: boolean;
  /** True if the scripts of the page had to be paused before, because one after another ran without end. */
  readonly loops: boolean;
  /** Resolves when the page answers. May reject, or never settle. */
  ping(): Promise<unknown>;
  /** Calls `listener` when a handler of `beforeunload` has asked for a dialog, with the time in milliseconds. @returns a function that ends this */
  onBlockedDialog(listener: (atMs: number) => void): () => void;
  /** Ends the script that the page runs now, or the next one if it runs none. */
  terminateScript(): void;
  readonly controls: ScriptUsageDeps;
  readonly network: {
    /** True while the new document is requested and its server has not answered. */
    readonly awaitsDocument: boolean;
    /** True while the server has answered and the new document has not taken the place of the old one. */
    readonly awaitsCommit: boolean;
    readonly document: { readonly id: string } | null;
  };
}

/**
 * While a navigation takes long and the left page does not answer, terminates the scripts of that page again and again. `whenStuck`
 * rejects with TabStuck when the page has not answered for several periods, or when `isStuck` is called.
 */
export function watchLeftPage(tab: LeftPage): {
  readonly whenStuck: Promise<never>;
  readonly isStuck: () => void;
  stop(): void;
} {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  const isStuck = () => reject(new TabStuck('The page of the tab does not let itself be left.'));
  let unanswered = 0;
  /** Processor time of the left page in its silence; null while it answers. */
  let usage: ScriptUsage | null = null;
  let isLate = false;
  const left = tab.network.document?.id;
  const maxAfterResponse = tab.loops ? MAX_UNANSWERED : MAX_UNANSWERED_AFTER_RESPONSE;
  let blockedDialogs = 0;
  const answered = (): void => {
    unanswered = 0;
    usage = null;
    blockedDialogs = 0;
  };
  const ask = (): void => {
    unanswered++;
    usage ??= new ScriptUsage(tab.controls);
    tab.ping().then(answered, answered);
  };
  const terminate = (): void => {
    const { awaitsDocument, awaitsCommit, document } = tab.network;
    // The scripts of the new document must not be ended.
    if (!isLate || usage === null || awaitsDocument || document?.id !== left) return;
    if (usage.isAbove(RUNNING_MS, awaitsCommit ? Number.POSITIVE_INFINITY : UNLOAD_TIMEOUT_MS))
      tab.terminateScript();
  };
  let terminatedAt = 0;
  const stopListening = tab.onBlockedDialog(atMs => {
    const { awaitsDocument, awaitsCommit, document } = tab.network;
    // Only before the new document is requested: its scripts must not be ended. The log may come late, from a loop that was ended.
    if (awaitsDocument || awaitsCommit || document?.id !== left || atMs <= terminatedAt) return;
    if (++blockedDialogs <= MAX_BLOCKED_DIALOGS) return;
    terminatedAt = Date.now();
    blockedDialogs = 0;
    tab.terminateScript();
  });
  const check = (): void => {
    const { awaitsDocument, awaitsCommit } = tab.network;
    isLate = true;
    // Chromium holds calls to the page back while a server has not answered: silence then says nothing about the page.
    if (awaitsDocument) {
      answered();
      return;
    }
    if (unanswered >= (awaitsCommit ? maxAfterResponse : MAX_UNANSWERED)) isStuck();
    terminate();
    ask();
  };
  if (tab.canHaveScripts) ask();
  const timers = tab.canHaveScripts
    ? [setInterval(check, UNLOAD_TIMEOUT_MS), setInterval(terminate, TERMINATION_INTERVAL_MS)]
    : [];
  const stop = (): void => {
    timers.forEach(clearInterval);
    stopListening();
  };
  return { whenStuck: promise, isStuck, stop };
}

/** Texts for Chromium's network errors, by code, as the end of a sentence. Source of the codes: net/base/net_error_list.h. */
const NETWORK_ERRORS: Readonly<Record<string, string>> = {
  ERR_NAME_NOT_RESOLVED: 'its name could not be found',
  ERR_CONNECTION_REFUSED: 'the server refused the connection',
  ERR_CONNECTION_RESET: 'the server closed the connection',
  ERR_CONNECTION_CLOSED: 'the server closed the connection',
  ERR_EMPTY_RESPONSE: 'the server sent nothing',
  ERR_CONNECTION_TIMED_OUT: 'the connection timed out',
  ERR_ADDRESS_UNREACHABLE: 'the address cannot be reached',
  ERR_INTERNET_DISCONNECTED: 'there is no network',
  ERR_TOO_MANY_REDIRECTS: 'it redirects without end',
  ERR_INVALID_REDIRECT: 'it redirects to an address that is none',
  ERR_UNSAFE_REDIRECT: 'it redirects to an address that may not be opened',
  ERR_UNSAFE_PORT: 'that port may not be opened',
  ERR_INVALID_AUTH_CREDENTIALS: 'it asks for a user name and password',
  ERR_INVALID_RESPONSE: 'the server sent something that is not HTTP',
  ERR_INVALID_HTTP_RESPONSE: 'the server sent something that is not HTTP',
  ERR_SSL_PROTOCOL_ERROR: 'its TLS is broken',
  ERR_BLOCKED_BY_RESPONSE: 'the server forbids it to be shown',
  ERR_TUNNEL_CONNECTION_FAILED: 'no connection to the server could be made',
  ERR_PROXY_CONNECTION_FAILED: 'no connection to the server could be made',
  ERR_ABORTED: 'the page did not load: the server answered with nothing to show, or the load was broken off',
};

/**
 * Converts the error of a navigation to NAVIGATION_FAILED, NAVIGATION_TIMEOUT or URL_BLOCKED; passes every other error
 * to `toFailure`.
 * @param timeoutMs the timeout that the navigation had, for the text of NAVIGATION_TIMEOUT
 */
export function toNavigationFailure(
  error: unknown,
  requestedUrl: string,
  timeoutMs: number,
  deadline: Deadline,
): unknown {
  if (isFailure(error) || deadline.signal.aborted) return toFailure(error, deadline);
  const url = quoteUrl(requestedUrl);
  if (isTimeout(error))
    return new Failure(
      'NAVIGATION_TIMEOUT',
      `${url} did not answer within ${Math.round(timeoutMs / 1000)} seconds. Try again later.`,
      { cause: error },
    );
  if (isDownloadStart(error))
    return new Failure(
      'NAVIGATION_FAILED',
      `${url} is a download, not a page. The file is kept among the session's downloads; a scrape of the address reads it.`,
      { retryable: false, cause: error },
    );
  const code = networkErrorOf(error);
  if (code === 'ERR_UNSAFE_REDIRECT' || code === 'ERR_UNSAFE_PORT')
    return new Failure('URL_BLOCKED', `${url} may not be opened: ${NETWORK_ERRORS[code]}.`, { cause: error });
  if (code !== null) {
    const why =
      NETWORK_ERRORS[code] ??
      (code.startsWith('ERR_CERT_') ? 'its certificate is not valid' : 'the browser could not load it');
    return new Failure('NAVIGATION_FAILED', `${url} could not be opened: ${why} (${code}).`, {
      ...(code.startsWith('ERR_CERT_') && { retryable: false }),
      cause: error,
    });
  }
  if (isPageBeingReplaced(error))
    return new Failure('NAVIGATION_FAILED', 'The page was being replaced by another. Try again.', {
      cause: error,
    });
  if (isInvalidUrl(error))
    return new Failure('NAVIGATION_FAILED', `${url} is not an address that a browser can open.`, {
      retryable: false,
      cause: error,
    });
  if (isNavigationInterrupted(error) || isNavigationFrameGone(error))
    return new Failure(
      'NAVIGATION_FAILED',
      `${url} could not be opened: another navigation took its place.`,
      { cause: error },
    );
  return toFailure(error, deadline);
}

/** Maximum wait for the error page that Chromium shows after a failed navigation. */
const ERROR_PAGE_TIMEOUT_MS = 5_000;

/** Waits up to `timeoutMs` for the error page after a failed navigation (one more than `errorPagesBefore`): a later one would interrupt the next. */
export async function waitForErrorPage(
  { network }: Tab,
  errorPagesBefore: number,
  timeoutMs = ERROR_PAGE_TIMEOUT_MS,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  for (
    let left = timeoutMs;
    network.errorPageCount === errorPagesBefore && left > 0;
    left = end - performance.now()
  )
    await network.nextChange(left);
}

/** Maximum time between a dialog of the new page and Playwright's report that the page was committed. */
const COMMIT_REPORT_TIMEOUT_MS = 1_000;
/** Maximum number of retries of a navigation that an error page of Chromium has interrupted. */
const MAX_RETRIES = 3;
/** Maximum wait, before a retry, for the error page that interrupted the navigation. */
const INTERRUPTION_TIMEOUT_MS = 500;

/**
 * Opens a URL in a tab. Resolves when the new document is committed, which is before it is loaded.
 * @throws Playwright's error when the URL cannot be opened or `timeoutMs` has passed; the deadline's Failure
 * @throws TabStuck when the old page does not let itself be left, although its scripts were terminated
 * @throws Interrupted when a dialog opens, or the page crashes or closes
 */
export async function navigate(tab: Tab, url: string, timeoutMs: number, deadline: Deadline): Promise<void> {
  if (tab.replacesItself) throw new TabStuck('The page of the tab replaces itself without end.');
  for (let retriesLeft = MAX_RETRIES; ; retriesLeft--) {
    const { errorPageCount } = tab.network;
    const committed = tryToNavigate(tab, url, timeoutMs);
    committed.catch(() => {});
    try {
      return await tab.interruptible(raceDeadline(committed, deadline));
    } catch (error) {
      if (retriesLeft === 0 && isNavigationInterrupted(error)) tab.replacesItself = true;
      if (deadline.signal.aborted || retriesLeft === 0) throw error;
      if (error instanceof Interrupted && tab.dialog !== null) {
        // A dialog of the new page: Playwright reports the navigation a moment later. Else the old page opened another one.
        if (await isCommitted(committed)) return;
        continue;
      }
      // The error page of an earlier failure appeared late and interrupted this navigation.
      if (!isNavigationInterrupted(error)) throw error;
      await waitForErrorPage(tab, errorPageCount, INTERRUPTION_TIMEOUT_MS);
    }
  }
}

/** Leaves the tab's page for a URL. @throws Playwright's error; TabStuck when the old page does not let itself be left */
async function tryToNavigate(tab: Tab, url: string, timeoutMs: number): Promise<void> {
  const { page, dialogs } = tab;
  const stuck = watchLeftPage(tab);
  const stayOnDialogs = dialogs.leave(stuck.isStuck);
  const onNavigated = (frame: Frame): void => {
    if (frame === page.mainFrame()) stayOnDialogs();
  };
  page.on('framenavigated', onNavigated);
  try {
    // While a dialog is open, a navigation would never be committed.
    if (dialogs.open !== null) await Promise.race([dialogs.clear().catch(stuck.isStuck), stuck.whenStuck]);
    await Promise.race([page.goto(url, { waitUntil: 'commit', timeout: timeoutMs }), stuck.whenStuck]);
  } finally {
    stuck.stop();
    page.off('framenavigated', onNavigated);
    stayOnDialogs();
  }
}

const isCommitted = (navigation: Promise<void>): Promise<boolean> =>
  race(
    succeeds(navigation),
    afterMs(COMMIT_REPORT_TIMEOUT_MS, () => false),
  );
