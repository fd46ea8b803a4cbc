/** Opens a URL in a tab. Handles old pages in an endless loop, and error pages that appear late. */
import type { Deadline } from '../../domain/ports/deadline.ts';
import { raceDeadline } from '../cdp/cdpChannel.ts';
import { isNavigationInterrupted } from '../cdp/playwrightInternals.ts';
import { waitForErrorPage } from './settle.ts';
import type { Tab } from './tab.ts';

/** Maximum wait for the old page; then its script is terminated, because an endless loop would block the navigation. */
const UNLOAD_TIMEOUT_MS = 1_000;
/** Maximum repetitions of a navigation that an error page of Chromium has interrupted. */
const MAX_RETRIES = 3;
const INTERRUPTION_TIMEOUT_MS = 500;

/** Opens a URL. Resolves when the new document is committed. @throws Playwright's errors; the deadline's Failure; Interrupted */
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
