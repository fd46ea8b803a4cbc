/** Opens an address in a tab, against pages that spin and error pages that come late. */
import type { Deadline } from '../domain/ports.ts';
import { within } from './channel.ts';
import { errorPageCame } from './settle.ts';
import type { Tab } from './tab.ts';

/** A page that is left has this long until its script is ended, so that one that spins cannot hold the navigation up. */
const PATIENCE_WITH_OLD_PAGE_MS = 1_000;
/** How often a navigation is begun anew after the browser's own error page took its place. */
const MOST_RETRIES = 3;
const PATIENCE_WITH_INTERRUPTION_MS = 500;

/** Resolves when the document is committed. @throws Playwright's errors; the deadline's Failure; Interrupted */
export async function navigate(
  tab: Tab,
  address: string,
  timeoutMs: number,
  deadline: Deadline,
): Promise<void> {
  const go = () => {
    tab.leaving = true;
    const work = tab.page.goto(address, { waitUntil: 'commit', timeout: timeoutMs }).finally(() => {
      tab.leaving = false;
    });
    return tab.interruptible(within(freeing(tab, work), deadline));
  };
  for (let left = MOST_RETRIES; ; left--) {
    const { errorPages } = tab.activity;
    try {
      return void (await go());
    } catch (error) {
      // The page of the browser's own about a failure before this comes late, and takes this one's place.
      if (left === 0 || !(error instanceof Error) || !/interrupted by another navigation/.test(error.message))
        throw error;
      await errorPageCame(tab, errorPages, PATIENCE_WITH_INTERRUPTION_MS);
    }
  }
}

async function freeing<T>(tab: Tab, navigation: Promise<T>): Promise<T> {
  const end = () => tab.target.channel.tell('Runtime.terminateExecution');
  const timer = setTimeout(end, PATIENCE_WITH_OLD_PAGE_MS);
  return navigation.finally(() => clearTimeout(timer));
}
