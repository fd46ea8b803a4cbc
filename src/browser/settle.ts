/** When is a page quiet: navigation over, what the step asked for answered, the document at rest. */
import type { Deadline } from '../domain/ports.ts';
import { atMost } from './channel.ts';
import { isDocumentGone, isTargetGone } from './errors.ts';
import { inPageScript } from './inPageScript.ts';
import type { IsolatedWorld } from './isolatedWorld.ts';
import { Interrupted, type Tab } from './tab.ts';

/** A request open for longer is taken for a stream or a long poll. */
const PATIENCE_WITH_REQUEST_MS = 2_500;
/** A new document that has been parsed may take this long for its load event. */
const PATIENCE_WITH_LOAD_MS = 3_000;
/** The document counts as quiet after this long without a change (two to three frames at 60 Hz). */
const QUIET_MS = 40;
/** Endless changes (a ticking clock, an animation by script) cost at most this. */
const PATIENCE_WITH_CHANGES_MS = 800;
/** The browser's own page about a failed navigation comes a moment after the failure. */
const PATIENCE_WITH_ERROR_PAGE_MS = 5_000;
/** Everything together. */
const LONGEST_MS = 15_000;

/** Makes sure that the observer lives in the world's document. One round trip for a new document, none for a known one. */
export async function ensureObserver(world: IsolatedWorld, installed: Set<string>): Promise<void> {
  if (installed.has(world.context.uniqueId)) return;
  await world.evaluate(`${inPageScript('perceive')}\n;undefined`);
  installed.add(world.context.uniqueId);
}

/** The observer's `settle`, with the observer itself where the document does not have it yet: one round trip. */
async function installAndSettle(world: IsolatedWorld, installed: Set<string>, mostMs: number): Promise<void> {
  const known = installed.has(world.context.uniqueId);
  await settleDocument(world, mostMs, known ? '' : inPageScript('perceive'));
  installed.add(world.context.uniqueId);
}

/** Waits until one document is quiet; one that has the observer, or gets it by `script`. */
export async function settleDocument(
  world: IsolatedWorld,
  mostMs = PATIENCE_WITH_CHANGES_MS,
  script = '',
): Promise<void> {
  await world.evaluate(
    `${script}\n;__pagespace.settle(${QUIET_MS}, ${Math.ceil(mostMs)}).then(() => undefined)`,
  );
}

/** Marks the moment before a step; `settled` waits for what begins after it. */
export interface Mark {
  readonly request: number;
  /** Navigations that had become files. */
  readonly files?: number;
}

/** Remembers now, on the network and in the document. */
export async function mark(tab: Tab, installed: Set<string>, deadline: Deadline): Promise<Mark> {
  const request = tab.activity.mark();
  const { files } = tab.activity;
  const context = tab.target.worlds.peek(tab.mainFrameId);
  if (!tab.still && context !== null && installed.has(context.uniqueId)) {
    const world = await tab.world(deadline);
    await tab.interruptible(world.evaluate('__pagespace.mark()')).catch(ignoreGone);
  }
  return { request, files };
}

/**
 * Waits until the page is quiet, or a dialog opens, or the page goes; at the latest after 15 seconds or the deadline,
 * without a failure: a page that is never quiet can still be read.
 */
export async function settled(
  tab: Tab,
  since: Mark,
  installed: Set<string>,
  deadline: Deadline,
): Promise<void> {
  const end = performance.now() + Math.min(LONGEST_MS, deadline.remainingMs() / 2);
  const left = () => end - performance.now();
  const { activity } = tab;
  let parsedAt: number | null = null;
  while (left() > 0 && !tab.still) {
    if (activity.loading) {
      parsedAt = null;
      await activity.change(left());
      continue;
    }
    parsedAt ??= performance.now();
    const open = activity.pendingSince(since.request, PATIENCE_WITH_REQUEST_MS);
    const loaded = activity.complete || performance.now() - parsedAt > PATIENCE_WITH_LOAD_MS;
    if (open > 0 || !loaded) {
      await activity.change(Math.min(left(), 250));
      continue;
    }
    const before = activity.mark();
    if (!(await documentQuiet(tab, installed, left(), deadline))) continue;
    if (activity.loading || activity.pendingSince(before, PATIENCE_WITH_REQUEST_MS) > 0) continue;
    return;
  }
}

/**
 * After a failed navigation Chromium shows a page of its own, a moment later: what is asked for next must not meet it on
 * its way. `before` is what `activity.errorPages` was when the navigation began.
 */
export async function errorPageCame(
  { activity }: Tab,
  before: number,
  patienceMs = PATIENCE_WITH_ERROR_PAGE_MS,
): Promise<void> {
  const end = performance.now() + patienceMs;
  for (let left = patienceMs; activity.errorPages === before && left > 0; left = end - performance.now())
    await activity.change(left);
}

/** False when the document went away meanwhile. */
async function documentQuiet(
  tab: Tab,
  installed: Set<string>,
  leftMs: number,
  deadline: Deadline,
): Promise<boolean> {
  if (tab.target.worlds.peek(tab.mainFrameId) === null) {
    await tab.activity.change(Math.min(leftMs, 250));
    return false;
  }
  const most = Math.max(0, Math.min(PATIENCE_WITH_CHANGES_MS, leftMs));
  // A spinning script never answers; the next call that needs an answer deals with it.
  const patience = atMost(deadline, most * 2);
  try {
    const world = await tab.world(patience);
    await tab.interruptible(installAndSettle(world, installed, most));
    return true;
  } catch (error) {
    if (deadline.signal.aborted) throw error;
    if (patience.signal.aborted || error instanceof Interrupted) return true;
    ignoreGone(error);
    return false;
  }
}

function ignoreGone(error: unknown): void {
  if (!isDocumentGone(error) && !isTargetGone(error) && !(error instanceof Interrupted)) throw error;
}
