/** Opens a URL in a tab, also while the old page is in an endless loop or an earlier navigation's error page appears late. */
import type { Frame } from 'playwright';
import { afterMs, race } from '../../async/race.ts';
import type { Deadline } from '../../domain/ports/deadline.ts';
import { raceDeadline } from '../cdp/cdpChannel.ts';
import { isNavigationInterrupted } from '../cdp/playwrightInternals.ts';
import { TERMINATION_INTERVAL_MS } from './scriptWatch.ts';
import { waitForErrorPage } from './settle.ts';
import { Interrupted, type Tab } from './tab.ts';

/**
 * The running script of the old page is terminated each time that this period of a navigation has passed: a loop would
 * block it. While the page does not answer, also every `TERMINATION_INTERVAL_MS`: each of its handlers can loop.
 */
const UNLOAD_TIMEOUT_MS = 1_000;
/** After this many periods of UNLOAD_TIMEOUT_MS without an answer of the old page, the tab is stuck. */
const MAX_UNANSWERED = 2;
/** Maximum time between a dialog of the new page and Playwright's report that the page was committed. */
const COMMIT_REPORT_TIMEOUT_MS = 1_000;
/** Maximum number of retries of a navigation that an error page of Chromium has interrupted. */
const MAX_RETRIES = 3;
/** Maximum wait, before a retry, for the error page that interrupted the navigation. */
const INTERRUPTION_TIMEOUT_MS = 500;

/** Error of a navigation whose old page cannot be left: the caller has to replace the tab. */
export class TabStuck extends Error {
  override readonly name = 'TabStuck';
}

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
  const stuck = watchOldPage(tab);
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

/**
 * While a navigation takes long, terminates the scripts of the old page again and again: each of its handlers can loop.
 * `whenStuck` rejects with TabStuck when the old page has not answered for several periods, or when `isStuck` is called.
 */
function watchOldPage(tab: Tab): {
  readonly whenStuck: Promise<never>;
  readonly isStuck: () => void;
  stop(): void;
} {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  const isStuck = () => reject(new TabStuck('The page of the tab does not let itself be left.'));
  let unanswered = 0;
  const answered = (): void => {
    unanswered = 0;
  };
  const timer = setInterval(() => {
    // Chromium holds calls to the page back while a server has not answered: silence then says nothing about the page.
    if (tab.network.awaitsDocument) {
      unanswered = 0;
      return;
    }
    if (unanswered >= MAX_UNANSWERED) isStuck();
    unanswered++;
    tab.terminateScript();
    tab.ping().then(answered, answered);
  }, UNLOAD_TIMEOUT_MS);
  const repetition = setInterval(() => {
    if (unanswered > 0) tab.terminateScript();
  }, TERMINATION_INTERVAL_MS);
  const stop = (): void => {
    clearInterval(timer);
    clearInterval(repetition);
  };
  return { whenStuck: promise, isStuck, stop };
}

const isCommitted = (navigation: Promise<void>): Promise<boolean> =>
  race(
    navigation.then(
      () => true,
      () => false,
    ),
    afterMs(COMMIT_REPORT_TIMEOUT_MS, () => false),
  );
