/** Opens a URL in a tab, also while the old page is in an endless loop or an earlier navigation's error page appears late. */

import type { Frame } from 'playwright';
import { afterMs, race } from '../../async/race.ts';
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
import { Interrupted, type Tab } from './tab.ts';
import { TabStuck, watchLeftPage } from './watchLeftPage.ts';

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
 * @param requestedUrl the last URL that was requested, after redirects
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

/**
 * Waits for the error page that Chromium shows a moment after a failed navigation, at most `timeoutMs`. An error page that
 * appears later would interrupt the next navigation.
 * @param errorPagesBefore `tab.network.errorPageCount` before the navigation
 */
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
    navigation.then(
      () => true,
      () => false,
    ),
    afterMs(COMMIT_REPORT_TIMEOUT_MS, () => false),
  );
