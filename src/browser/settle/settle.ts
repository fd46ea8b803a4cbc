/** Waits until a page has settled: it is loaded, what the step has begun has ended, and the document no longer changes. */
import { onCall, race } from '../../async/race.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import { DEFAULT_WAIT_MS } from '../../domain/specialActions/specialActionDefinition.ts';
import { shortenDeadline } from '../cdp/cdpChannel.ts';
import { agentFunction, documentHandle, type IsolatedWorld } from '../cdp/isolatedWorld.ts';
import { isDocumentGone, isTargetGone } from '../cdp/playwrightInternals.ts';
import type { SettleReport } from '../injected/settle/quiet.ts';
import { Interrupted, MAX_DOCUMENTS, type Tab } from '../tab/tab.ts';
import { LateEffects } from './lateEffects.ts';
import { PageTasks, type SettleMark } from './pageTasks.ts';
import * as policy from './policy.ts';

/**
 * Creates a reading of a step's page, sent together with the last question whether the page has settled: it counts only if the answer is yes.
 * @param read reads the page, in one round trip @param isStatic true for a document without scripts and listeners: it settles at once
 */
export function settledCheck(read: () => Promise<void>, isStatic: boolean) {
  let latest: Promise<void> | null = null;
  return {
    isStatic,
    start(): void {
      latest = read();
      latest.catch(() => {});
    },
    discard(): void {
      latest = null;
    },
    /** Returns what was read of the settled page; reads it now if that was not started. */
    result: (): Promise<void> => latest ?? read(),
  };
}

export type SettledCheck = ReturnType<typeof settledCheck>;

const NOTHING_REPORTED: SettleReport = {
  showsEffect: true,
  offersAction: false,
  sign: null,
  isStatic: false,
  startsDownload: false,
  animationMs: 0,
};

/** Installs the injected agent, if the document does not have it, and waits until the document is quiet: one round trip. */
async function installAndSettle(
  world: IsolatedWorld,
  timeoutMs: number,
  frames: number,
): Promise<SettleReport> {
  if (world.context.installed.has('agent')) return settleDocument(world, timeoutMs, frames);
  const page = world.worlds.mainWorldContext(world.context.frameId);
  // The observation and the step that follow need them: asked for now, they cost no round trips of their own.
  if (page !== null) documentHandle(world.channel, page, world.deadline).catch(() => {});
  const preparing = PageTasks.prepare(world, world.deadline);
  const report = await world.installAndCall('agent', () => world.callAgent('settle', Math.ceil(timeoutMs)));
  await preparing;
  return report;
}

/** Waits until the document is quiet, at most `timeoutMs`. It must have the injected agent. @param frames see `settle` of the agent */
export const settleDocument = (
  world: IsolatedWorld,
  timeoutMs = policy.DOCUMENT_MS,
  frames = policy.QUIET_FRAMES,
): Promise<SettleReport> => world.callAgent('settle', Math.ceil(timeoutMs), frames);

/** Marks the moment before a step, in the tab's network and in its document. Pass the result to `settleTab` after the step. */
export async function markBeforeStep(tab: Tab, deadline: Deadline): Promise<SettleMark> {
  const { network } = tab;
  const { worlds } = tab.target;
  const { downloadNavigationCount, frameDocumentCount, imageNumber, scheduledNavigation } = network;
  const marked = {
    requestNumber: network.currentRequestNumber(),
    document: network.document?.id,
    endedCount: network.requests.endedCount,
    downloadNavigationCount,
    frameDocumentCount,
    imageNumber,
    scheduledNavigation,
    documents: new Set(worlds.frameIds().map(id => worlds.mainWorldContext(id))),
  };
  network.requests.operationStarted();
  tab.unloadMessages.clear();
  tab.timers = { document: undefined, dueAt: [] };
  const context = tab.target.worlds.find(tab.mainFrameId);
  if (tab.isUnresponsive || context === null || !context.installed.has('agent')) return marked;
  const world = await tab.world(deadline);
  const begun = Promise.all([PageTasks.begin(world, deadline), world.callAgent('markStep')]);
  const [tasks] = (await tab.interruptible(begun).catch(ignorePageGone)) ?? [null];
  return { ...marked, tasks: tasks === null ? [] : [tasks] };
}

/**
 * Waits until the page has settled, a dialog opens or the page closes; at most `waitMs` for what the operation has begun since `mark`, and
 * never up to the deadline. A page that does not settle is not an error: it can be read anyway, and what goes on is pending.
 * @param waitMs the caller's `wait_ms`; null for the default
 * @returns whether the step has started a download that Playwright may not have reported yet
 */
export const settleTab = (...given: Parameters<typeof settle>): ReturnType<typeof settle> =>
  given[0].scripts.during(settle(...given));

async function settle(
  tab: Tab,
  mark: SettleMark,
  deadline: Deadline,
  waitMs: number | null = null,
  check: SettledCheck | null = null,
): Promise<{ readonly startsDownload: boolean }> {
  const start = performance.now();
  const end =
    start + Math.min((waitMs ?? 0) + policy.SETTLE_MS, deadline.remainingMs() * policy.DEADLINE_PART);
  let lateEnd = Math.min(end, start + (waitMs ?? DEFAULT_WAIT_MS));
  const left = () => end - performance.now();
  const lateLeft = () => Math.max(0, lateEnd - performance.now());
  using settleDeadline = shortenDeadline(deadline, left());
  const { network } = tab;
  const document = mark.document ?? network.document?.id;
  const documents = new Set([document]);
  const lateEffects = new LateEffects(tab, mark, waitMs);
  let report: SettleReport = NOTHING_REPORTED;
  const { navigationsWithoutDocument } = network;
  /** True if the page loads documents, or begins to, without end. */
  const isEndless = () =>
    documents.add(network.document?.id).size > MAX_DOCUMENTS ||
    network.navigationsWithoutDocument - navigationsWithoutDocument > policy.MAX_REPLACED_NAVIGATIONS;
  let isSettled = false;
  const countAwaited = (after: number): number => {
    if (lateLeft() === 0) return 0;
    // The requests of a new document are not those of an action: a long poll may be among them.
    const isLoaded = waitMs === null && network.document?.id !== document && report.sign === null;
    const maxAgeMs = isLoaded ? policy.DOUBTFUL_MS : Number.POSITIVE_INFINITY;
    return network.requests.count({ after, maxAgeMs, ...(waitMs !== null && { maxBodyMs: waitMs }) });
  };
  /** A new document that is not filled awaits all requests of the step, any other one those that it has sent since it was asked. */
  const countAwaitedSince = (askedAfter: number): number =>
    countAwaited(report.sign?.kind === 'unfilled' ? mark.requestNumber : askedAfter);
  /** Time until a document leaves itself as it has said since the step began, if that is waited for; else 0. */
  const refreshMs = (): number => {
    const { scheduledNavigation } = network;
    if (scheduledNavigation === null || scheduledNavigation === mark.scheduledNavigation) return 0;
    const isRepeated = scheduledNavigation.isReload && documents.size > 2;
    const ms = Math.max(1, scheduledNavigation.dueAt - performance.now());
    return !isRepeated && ms <= Math.min(lateLeft(), waitMs ?? policy.NAVIGATION_MS) ? ms : 0;
  };
  try {
    while (left() > 0 && !tab.isUnresponsive && !isEndless()) {
      check?.discard();
      if (tab.scripts.pausedMs !== null) {
        const isLoading = network.loading || network.awaitsLoadEvent;
        if (!isLoading || tab.scripts.pausedMs >= policy.PAUSED_MS) break;
        await network.nextChange(policy.CHECK_MS);
        continue;
      }
      if (network.loading) {
        await network.nextChange(left());
        continue;
      }
      if (countAwaited(mark.requestNumber) > 0 || network.awaitsLoadEvent) {
        await lateEffects.ignoreUnused(mark.requestNumber, deadline);
        if (countAwaited(mark.requestNumber) > 0 || network.awaitsLoadEvent)
          await network.nextChange(Math.min(left(), policy.CHECK_MS));
        continue;
      }
      const requestNumber = network.currentRequestNumber();
      const still =
        requestNumber === mark.requestNumber ? policy.STILL_FRAMES : policy.STILL_FRAMES_AFTER_REQUESTS;
      const frames = (mark.tasks ?? []).length > 0 ? still : policy.QUIET_FRAMES;
      const askedAt = performance.now();
      const settling = trySettleDocument(tab, left(), deadline, frames);
      if (check?.isStatic) check.start();
      const settled = await settling;
      if (settled === null) continue;
      report = settled;
      // What is late on a busy machine, or behind a long script, is late by as much.
      const lateMs = performance.now() - askedAt - policy.DOCUMENT_MS;
      if (waitMs === null && lateMs > 0) lateEnd = Math.min(end, lateEnd + lateMs);
      if (network.loading || countAwaitedSince(requestNumber) > 0) continue;
      if (network.awaitsImages(mark.imageNumber ?? Infinity) && lateLeft() > 0) {
        await network.nextChange(Math.min(lateLeft(), policy.CHECK_MS));
        continue;
      }
      if (!check?.isStatic) check?.start();
      const waited = await lateEffects.next(report, lateLeft(), settleDeadline);
      if (waited || network.loading || countAwaitedSince(requestNumber) > 0) continue;
      if (refreshMs() > 0) {
        await network.nextChange(Math.min(refreshMs() + policy.CHECK_MS, left()));
        continue;
      }
      isSettled = true;
      break;
    }
    if (!isSettled) check?.discard();
    if (left() <= 0 || isEndless()) network.gaveUpLoading();
    // Chromium holds every call to a page back while the page waits for its next document.
    if (isEndless() && network.loading) tab.target.channel.sendNoReply('Page.stopLoading');
    tab.settled(documents.size);
    const hasLeft = network.downloadNavigationCount > (mark.downloadNavigationCount ?? Infinity);
    return { startsDownload: report.startsDownload || lateEffects.startsDownload || hasLeft };
  } finally {
    endOperation(tab, mark);
    endStepIn(tab, lateEffects.isFinished);
    tab.settlingMs += performance.now() - start;
  }
}

/** Tells the document that its later changes are its own, and whether it shows all that it has. Does not wait for it. */
function endStepIn(tab: Tab, isFinished: boolean): void {
  const context = tab.target.worlds.find(tab.mainFrameId);
  if (context === null || !context.installed.has('agent')) return;
  tab.target.channel.sendNoReply('Runtime.callFunctionOn', {
    functionDeclaration: agentFunction('endStep'),
    arguments: [{ value: isFinished }],
    executionContextId: context.contextId,
  });
}

/** Ends what `markBeforeStep` has begun. Called by `settleTab`, and for a step that fails before. */
export function endOperation(tab: Tab, mark: SettleMark): void {
  tab.network.requests.operationEnded();
  for (const tasks of mark.tasks ?? []) tasks.end();
}

/** Waits until the top document is quiet, if it can respond. @returns null if it has no isolated world yet, or was replaced meanwhile */
async function trySettleDocument(
  tab: Tab,
  leftMs: number,
  deadline: Deadline,
  frames: number,
): Promise<SettleReport | null> {
  if (tab.target.worlds.find(tab.mainFrameId) === null) {
    await tab.network.nextChange(Math.min(leftMs, policy.CHECK_MS));
    return null;
  }
  const timeoutMs = Math.max(0, Math.min(policy.DOCUMENT_MS, leftMs));
  // An answer may come late on a busy machine, and an end that is only assumed would be taken for the effect of the step. `ScriptWatch`
  // ends the scripts that keep the page from an answer.
  using documentDeadline = shortenDeadline(deadline, leftMs);
  try {
    const world = await tab.world(documentDeadline);
    const settling = tab.interruptible(installAndSettle(world, timeoutMs, frames));
    // Without scripts no timer tells that the document is quiet.
    const report = await race(settling, onCall(tab.scripts.paused));
    if (report === undefined) return NOTHING_REPORTED;
    tab.scripts.answered();
    return report;
  } catch (error) {
    if (deadline.signal.aborted) throw error;
    if (documentDeadline.signal.aborted || error instanceof Interrupted) return NOTHING_REPORTED;
    ignorePageGone(error);
    return null;
  }
}

function ignorePageGone(error: unknown): null {
  if (!isDocumentGone(error) && !isTargetGone(error) && !(error instanceof Interrupted)) throw error;
  return null;
}
