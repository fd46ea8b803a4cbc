import { Failure } from '../../domain/failure/failures.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import { cutText } from '../../domain/space/pageText.ts';
import type { PageObservation } from '../../domain/space/space.ts';
import {
  comparableText,
  DEFAULT_WAIT_FOR_MS,
  type WaitCondition,
  waitConditionText,
} from '../../domain/specialActions/waitCondition.ts';
import { shortenDeadline } from '../cdp/cdpChannel.ts';
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import { installAgent, settleDocument } from '../settle/settle.ts';
import type { Tab } from '../tab/tab.ts';

/** Time without an open request after which the network is quiet. Milliseconds. */
const QUIET_NETWORK_MS = 500;
/** Maximum time between two checks of the condition: changes in frames are not reported. Milliseconds. */
const CHECK_INTERVAL_MS = 250;
/** Minimum time between two checks of the condition: a page may change all the time. Milliseconds. */
const MIN_CHECK_INTERVAL_MS = 50;
/** A page that answers later has been busy: what its script has loaded next is awaited too. Milliseconds. */
const IDLE_ANSWER_MS = 100;
/** Maximum time for one check of the page. Milliseconds. */
const CHECK_TIMEOUT_MS = 2_000;
/** Time before the deadline at which the wait ends, so that the page can be read. Milliseconds. */
const RESERVED_MS = 2_000;

export interface WaitOptions {
  readonly condition: WaitCondition;
  /** Maximum wait; null for the default. */
  readonly waitMs: number | null;
  readonly deadline: Deadline;
  /** Returns the active tab. */
  readonly activeTab: () => Tab;
  readonly observe: () => Promise<PageObservation>;
  /** The documents of a tab that have the injected agent: Chromium's unique ids. */
  readonly installedIn: (tab: Tab) => Set<string>;
}

/**
 * Waits until a condition of the caller is met in the active tab. An open dialog ends the wait for a text or an action.
 * @throws Failure WAIT_TIMEOUT with the present space when it is not met in time; OPERATION_TIMEOUT, BROWSER_CRASHED
 */
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
  { observe, deadline, installedIn }: WaitOptions,
): Look {
  const sought = comparableText(text);
  const hasAction = async (): Promise<boolean> =>
    (await observe()).space.actions.some(({ description }) => comparableText(description).includes(sought));
  return async tab => {
    if (tab.network.loading) return false;
    using limit = shortenDeadline(deadline, CHECK_TIMEOUT_MS);
    try {
      const world = await tab.world(limit);
      const installed = installedIn(tab);
      const isThere =
        kind === 'action' ? await hasAction() : await tab.interruptible(showsText(world, installed, text));
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

/** Returns true if the document or one of the frames in it shows the text. */
async function showsText(world: IsolatedWorld, installed: Set<string>, text: string): Promise<boolean> {
  await installAgent(world, installed);
  if (await world.callAgent('showsText', text)) return true;
  const children = await world.children();
  const found = await Promise.all(
    children.map(child => showsText(child, installed, text).catch(() => false)),
  );
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
