/** Opens a URL in a tab, also while the old page is in an endless loop or an earlier navigation's error page appears late. */
import type { Deadline } from '../../domain/ports/deadline.ts';
import { raceDeadline } from '../cdp/cdpChannel.ts';
import { isNavigationInterrupted } from '../cdp/playwrightInternals.ts';
import { waitForErrorPage } from './settle.ts';
import type { Tab } from './tab.ts';

/** Maximum time of a navigation before the running script of the old page is terminated: an endless loop would block the navigation. */
const UNLOAD_TIMEOUT_MS = 1_000;
/** Maximum number of retries of a navigation that an error page of Chromium has interrupted. */
const MAX_RETRIES = 3;
/** Maximum wait, before a retry, for the error page that interrupted the navigation. */
const INTERRUPTION_TIMEOUT_MS = 500;

/**
 * Opens a URL in a tab. Resolves when the new document is committed, which is before it is loaded.
 * @throws Playwright's error when the URL cannot be opened or `timeoutMs` has passed; the deadline's Failure
 * @throws Interrupted when a dialog opens, or the page crashes or closes
 */
export async function navigate(tab: Tab, url: string, timeoutMs: number, deadline: Deadline): Promise<void> {
  const go = () => {
    tab.acceptsBeforeUnload = true;
    const work = tab.page.goto(url, { waitUntil: 'commit', timeout: timeoutMs }).finally(() => {
      tab.acceptsBeforeUnload = false;
    });
    return tab.interruptible(raceDeadline(terminateStuckScript(tab, work), deadline));
  };
  for (let retriesLeft = MAX_RETRIES; ; retriesLeft--) {
    const { errorPageCount } = tab.network;
    try {
      return void (await go());
    } catch (error) {
      // The error page of an earlier failure appeared late and interrupted this navigation.
      if (retriesLeft === 0 || !isNavigationInterrupted(error)) throw error;
      await waitForErrorPage(tab, errorPageCount, INTERRUPTION_TIMEOUT_MS);
    }
  }
}

async function terminateStuckScript<T>(tab: Tab, navigation: Promise<T>): Promise<T> {
  const terminate = () => tab.target.channel.sendNoReply('Runtime.terminateExecution');
  const timer = setTimeout(terminate, UNLOAD_TIMEOUT_MS);
  return navigation.finally(() => clearTimeout(timer));
}
