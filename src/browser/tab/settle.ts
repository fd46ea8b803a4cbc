/** When is a page quiet: navigation over, what the step asked for answered, the document at rest. */
import type { Deadline } from '../../domain/ports/deadline.ts';
import { shortenDeadline } from '../cdp/cdpChannel.ts';
import { injectedScript } from '../cdp/injectedScript.ts';
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import { isDocumentGone, isTargetGone } from '../cdp/playwrightInternals.ts';
import { Interrupted, type Tab } from './tab.ts';

/** A request open for longer is taken for a stream or a long poll. */
const REQUEST_TIMEOUT_MS = 2_500;
/** A new document that has been parsed may take this long for its load event. */
const LOAD_EVENT_TIMEOUT_MS = 3_000;
/** The document counts as quiet after this long without a change (two to three frames at 60 Hz). */
const QUIET_MS = 40;
/** Endless changes (a ticking clock, an animation by script) cost at most this. */
const DOCUMENT_TIMEOUT_MS = 800;
/** The browser's own page about a failed navigation comes a moment after the failure. */
const ERROR_PAGE_TIMEOUT_MS = 5_000;
/** Everything together. */
const SETTLE_TIMEOUT_MS = 15_000;

/** Makes sure that the observer lives in the world's document. One round trip for a new document, none for a known one. */
export async function installObserver(world: IsolatedWorld, installed: Set<string>): Promise<void> {
  if (installed.has(world.context.uniqueId)) return;
  await world.evaluate(injectedScript('agent'));
  installed.add(world.context.uniqueId);
}

/** The observer's `settle`, with the observer itself where the document does not have it yet: one round trip. */
async function installAndSettle(
  world: IsolatedWorld,
  installed: Set<string>,
  timeoutMs: number,
): Promise<void> {
  if (installed.has(world.context.uniqueId)) return settleDocument(world, timeoutMs);
  const script = injectedScript('agent');
  await world.installAndCallAgent(script, 'settle', QUIET_MS, Math.ceil(timeoutMs));
  installed.add(world.context.uniqueId);
}

/** Waits until a document with the injected script is quiet. */
export async function settleDocument(world: IsolatedWorld, timeoutMs = DOCUMENT_TIMEOUT_MS): Promise<void> {
  await world.callAgent('settle', QUIET_MS, Math.ceil(timeoutMs));
}

/** Marks the moment before a step; `settled` waits for what begins after it. */
export interface SettleMark {
  readonly requestNumber: number;
  /** Navigations that had become files. */
  readonly downloadNavigationCount?: number;
}

/** Remembers now, on the network and in the document. */
export async function markBeforeStep(
  tab: Tab,
  installed: Set<string>,
  deadline: Deadline,
): Promise<SettleMark> {
  const request = tab.network.currentRequestNumber();
  const { downloadNavigationCount } = tab.network;
  const context = tab.target.worlds.find(tab.mainFrameId);
  if (!tab.isUnresponsive && context !== null && installed.has(context.uniqueId)) {
    const world = await tab.world(deadline);
    await tab.interruptible(world.callAgent('markStep')).catch(ignorePageGone);
  }
  return { requestNumber: request, downloadNavigationCount };
}

/**
 * Waits until the page is quiet, or a dialog opens, or the page goes; at the latest after 15 seconds or the deadline,
 * without a failure: a page that is never quiet can still be read.
 */
export async function settleTab(
  tab: Tab,
  since: SettleMark,
  installed: Set<string>,
  deadline: Deadline,
): Promise<void> {
  const end = performance.now() + Math.min(SETTLE_TIMEOUT_MS, deadline.remainingMs() / 2);
  const left = () => end - performance.now();
  const { network } = tab;
  let parsedAt: number | null = null;
  while (left() > 0 && !tab.isUnresponsive) {
    if (network.loading) {
      parsedAt = null;
      await network.nextChange(left());
      continue;
    }
    parsedAt ??= performance.now();
    const pendingCount = network.countPendingAfter(since.requestNumber, REQUEST_TIMEOUT_MS);
    const loaded = network.loadEventFired || performance.now() - parsedAt > LOAD_EVENT_TIMEOUT_MS;
    if (pendingCount > 0 || !loaded) {
      await network.nextChange(Math.min(left(), 250));
      continue;
    }
    const requestNumber = network.currentRequestNumber();
    if (!(await trySettleDocument(tab, installed, left(), deadline))) continue;
    if (network.loading || network.countPendingAfter(requestNumber, REQUEST_TIMEOUT_MS) > 0) continue;
    return;
  }
}

/**
 * After a failed navigation Chromium shows a page of its own, a moment later: what is asked for next must not meet it on
 * its way. `before` is what `activity.errorPages` was when the navigation began.
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

/** False when the document went away meanwhile. */
async function trySettleDocument(
  tab: Tab,
  installed: Set<string>,
  leftMs: number,
  deadline: Deadline,
): Promise<boolean> {
  if (tab.target.worlds.find(tab.mainFrameId) === null) {
    await tab.network.nextChange(Math.min(leftMs, 250));
    return false;
  }
  const timeoutMs = Math.max(0, Math.min(DOCUMENT_TIMEOUT_MS, leftMs));
  // A spinning script never answers; the next call that needs an answer deals with it.
  const documentDeadline = shortenDeadline(deadline, timeoutMs * 2);
  try {
    const world = await tab.world(documentDeadline);
    await tab.interruptible(installAndSettle(world, installed, timeoutMs));
    return true;
  } catch (error) {
    if (deadline.signal.aborted) throw error;
    if (documentDeadline.signal.aborted || error instanceof Interrupted) return true;
    ignorePageGone(error);
    return false;
  }
}

function ignorePageGone(error: unknown): void {
  if (!isDocumentGone(error) && !isTargetGone(error) && !(error instanceof Interrupted)) throw error;
}
