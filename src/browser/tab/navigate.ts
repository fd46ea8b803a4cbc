/** Opens a URL in a tab, also while the old page is in an endless loop or an earlier navigation's error page appears late. */

import type { Frame } from 'playwright';
import { afterMs, race } from '../../async/race.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import { raceDeadline } from '../cdp/cdpChannel.ts';
import { isNavigationInterrupted } from '../cdp/playwrightInternals.ts';
import { Interrupted, type Tab } from './tab.ts';
import { TabStuck, watchLeftPage } from './watchLeftPage.ts';

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
