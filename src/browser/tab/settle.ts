/**
 * Waits until a page has settled: the navigation is complete, the requests of the step have responses, and the document
 * no longer changes.
 */
import type { Deadline } from '../../domain/ports/deadline.ts';
import { shortenDeadline } from '../cdp/cdpChannel.ts';
import { injectedScript } from '../cdp/injectedScript.ts';
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import { isDocumentGone, isTargetGone } from '../cdp/playwrightInternals.ts';
import { Interrupted, type Tab } from './tab.ts';

/** Maximum wait for the response to a request; a request that is open for longer counts as a stream or a long poll. */
const REQUEST_TIMEOUT_MS = 2_500;
/** Maximum wait for the load event of a document, from the time when it is parsed. */
const LOAD_EVENT_TIMEOUT_MS = 3_000;
/** Time without a change after which a document is quiet (two to three frames at 60 Hz). */
const QUIET_MS = 40;
/** Maximum wait for a document to become quiet: some change without end (a clock, an animation by script). */
const DOCUMENT_TIMEOUT_MS = 800;
/** Maximum wait for the error page that Chromium shows after a failed navigation. */
const ERROR_PAGE_TIMEOUT_MS = 5_000;
/** Maximum time between two checks whether the page has settled. */
const CHECK_INTERVAL_MS = 250;
/** Maximum wait for a page to settle. */
const SETTLE_TIMEOUT_MS = 15_000;

/**
 * Installs the injected agent in the document, if it does not have it. One round trip for a new document, else none.
 * @param installed unique ids of the documents that have the agent; this function adds the document's
 */
export async function installAgent(world: IsolatedWorld, installed: Set<string>): Promise<void> {
  if (installed.has(world.context.uniqueId)) return;
  await world.evaluate(injectedScript('agent'));
  installed.add(world.context.uniqueId);
}

/** Installs the injected agent, if the document does not have it, and waits until the document is quiet: one round trip. */
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

/** Waits until the document has not changed for `QUIET_MS`; at most `timeoutMs`. The document must have the injected agent. */
export async function settleDocument(world: IsolatedWorld, timeoutMs = DOCUMENT_TIMEOUT_MS): Promise<void> {
  await world.callAgent('settle', QUIET_MS, Math.ceil(timeoutMs));
}

/** The moment before a step: `settleTab` waits for requests and changes that start after it. */
export interface SettleMark {
  /** Number of the tab's latest request before the step. */
  readonly requestNumber: number;
  /** Number of the tab's navigations before the step whose response was a file to download. */
  readonly downloadNavigationCount?: number;
}

/** Marks the moment before a step, in the tab's network and in its document. Pass the result to `settleTab` after the step. */
export async function markBeforeStep(
  tab: Tab,
  installed: Set<string>,
  deadline: Deadline,
): Promise<SettleMark> {
  const requestNumber = tab.network.currentRequestNumber();
  const { downloadNavigationCount } = tab.network;
  const context = tab.target.worlds.find(tab.mainFrameId);
  if (!tab.isUnresponsive && context !== null && installed.has(context.uniqueId)) {
    const world = await tab.world(deadline);
    await tab.interruptible(world.callAgent('markStep')).catch(ignorePageGone);
  }
  return { requestNumber, downloadNavigationCount };
}

/**
 * Waits until the page has settled, a dialog opens or the page closes; at most 15 seconds or half of the time
 * left until the deadline. A page that does not settle is not an error: it can be read anyway.
 * @param mark the moment after which requests and changes are waited for
 */
export async function settleTab(
  tab: Tab,
  mark: SettleMark,
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
    const pendingCount = network.countPendingAfter(mark.requestNumber, REQUEST_TIMEOUT_MS);
    const loaded = network.loadEventFired || performance.now() - parsedAt > LOAD_EVENT_TIMEOUT_MS;
    if (pendingCount > 0 || !loaded) {
      await network.nextChange(Math.min(left(), CHECK_INTERVAL_MS));
      continue;
    }
    const requestNumber = network.currentRequestNumber();
    if (!(await trySettleDocument(tab, installed, left(), deadline))) continue;
    if (network.loading || network.countPendingAfter(requestNumber, REQUEST_TIMEOUT_MS) > 0) continue;
    return;
  }
}

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

/**
 * Waits until the top document is quiet. Returns true also when the page cannot respond: then there is nothing to wait for.
 * @returns false if the caller must try again: the document has no isolated world yet, or was replaced meanwhile
 */
async function trySettleDocument(
  tab: Tab,
  installed: Set<string>,
  leftMs: number,
  deadline: Deadline,
): Promise<boolean> {
  if (tab.target.worlds.find(tab.mainFrameId) === null) {
    await tab.network.nextChange(Math.min(leftMs, CHECK_INTERVAL_MS));
    return false;
  }
  const timeoutMs = Math.max(0, Math.min(DOCUMENT_TIMEOUT_MS, leftMs));
  // A script in an endless loop never responds. The next call that needs a response handles that.
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
