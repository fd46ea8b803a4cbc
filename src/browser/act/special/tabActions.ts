import type { Response } from 'playwright';
import { Failure } from '../../../domain/failure/failures.ts';
import type { Deadline } from '../../../domain/ports/clock.ts';
import { raceDeadline } from '../../cdp/cdpChannel.ts';
import { hasErrorPage, isPageBeingReplaced } from '../../cdp/playwrightInternals.ts';
import { toNavigationFailure, waitForErrorPage } from '../../tab/navigate.ts';
import type { Tab } from '../../tab/tab.ts';
import { invalidValue, type PerformSpecialAction, requiredValue } from './specialActionContext.ts';

/** Opens the URL in the value. @throws Failure VALIDATION_ERROR when there is no value; the failures of `BrowserLease.goto` */
export const goto: PerformSpecialAction = async context => context.goto(requiredValue(context, 'url'));

type HistoryMove = 'goBack' | 'goForward' | 'reload';

/** Maximum number of retries of a move that Chromium refuses because it is replacing the page. */
const MAX_RETRIES = 8;
/** Maximum wait for a change of the page before each retry. */
const REPLACEMENT_TIMEOUT_MS = 250;

/**
 * Returns a function that goes back or forward in the history of the active tab, or reloads it.
 * @throws Failure ACTION_BLOCKED when the history has no earlier or later page; NAVIGATION_FAILED, NAVIGATION_TIMEOUT
 */
export const navigateHistory =
  (move: HistoryMove): PerformSpecialAction =>
  async ({ tab, navigationTimeoutMs, deadline, id }) => {
    const from = tab.page.url();
    const { errorPageCount } = tab.network;
    if (move === 'goBack' && (await isFirstPage(tab, deadline))) throw noPage(id, 'earlier');
    try {
      const moved = moveWithRetries(tab, move, navigationTimeoutMs);
      const response = await tab.interruptible(raceDeadline(moved, deadline));
      if (response === null && move !== 'reload' && tab.page.url() === from && !tab.network.loading) {
        throw noPage(id, move === 'goBack' ? 'earlier' : 'later');
      }
    } catch (error) {
      if (hasErrorPage(error)) await tab.interruptible(waitForErrorPage(tab, errorPageCount));
      throw toNavigationFailure(error, tab.page.url(), navigationTimeoutMs, deadline);
    }
  };

const noPage = (id: string, direction: 'earlier' | 'later'): Failure =>
  new Failure('ACTION_BLOCKED', `${id}: there is no ${direction} page in this tab's history.`, {
    retryable: false,
  });

/** Returns true if only the blank page with which each tab begins is before the present one. */
async function isFirstPage({ target }: Tab, deadline: Deadline): Promise<boolean> {
  // While Chromium replaces the page, it tells no history: then there is an earlier page.
  const history = await target.channel
    .send('Page.getNavigationHistory', undefined, deadline)
    .catch(() => null);
  return history?.currentIndex === 1 && history.entries[0]?.url === 'about:blank';
}

/**
 * Moves in the history; tries again when Chromium refuses because it is replacing the page. A refused move has changed
 * nothing, because Playwright reads the history before it moves.
 */
async function moveWithRetries(
  { page, network }: Tab,
  move: HistoryMove,
  timeout: number,
): Promise<Response | null> {
  for (let retriesLeft = MAX_RETRIES; ; retriesLeft--)
    try {
      return await page[move]({ waitUntil: 'commit', timeout });
    } catch (error) {
      if (retriesLeft === 0 || !isPageBeingReplaced(error)) throw error;
      await network.nextChange(REPLACEMENT_TIMEOUT_MS);
    }
}

/** Activates the tab whose id is in the value. @throws Failure VALIDATION_ERROR when the session has no such tab */
export const switchTab: PerformSpecialAction = async context => {
  const { tabs } = context;
  const tabId = requiredValue(context, 'tab').trim();
  const tab = tabs.byId(tabId);
  if (tab === null) {
    const known = tabs.rows().map(row => row.id);
    throw invalidValue(context.id, `must be one of ${known.join(', ')}`, tabId);
  }
  await tabs.activate(tab);
};

/** Closes the active tab; another tab becomes active. @throws Failure ACTION_BLOCKED when it is the only tab */
export const closeTab: PerformSpecialAction = async ({ tab, tabs, id }) => {
  if (tabs.rows().length < 2)
    throw new Failure('ACTION_BLOCKED', `${id}: the only tab cannot be closed; S8 ends the session.`, {
      retryable: false,
    });
  await tab.page.close();
  await tabs.activate(tabs.active);
};
