/** When a document is quiet. Nothing here waits for a fixed time: it waits for what still happens. */
import { animationsOf, documentElement } from '../dom/domGetters.ts';

interface StepBaseline {
  /** Time of the document's timeline, milliseconds; null while it has none. */
  readonly timeline: number | null;
  readonly before: ReadonlySet<Animation>;
  /** Nodes that changed by themselves before the step: what goes on there is not the step's doing. */
  readonly restless: WeakSet<Node>;
}

/** What changed by itself this long before `mark()` is taken to go on. Milliseconds. */
const BACKGROUND_WINDOW_MS = 3_000;
/** A single change while nobody acts may be the late end of a step; a clock or an animation changes again. */
const MIN_BACKGROUND_CHANGES = 2;
/** Where a document never came to rest: what changed this long before the limit was what went on. Milliseconds. */
const ONGOING_WINDOW_MS = 200;
/** The pause after which one look is enough when nothing has changed at all. */
const FRAME_TIMEOUT_MS = 32;
const MAX_REMEMBERED_NODES = 200;

interface NodeChanges {
  /** When it changed last. */
  readonly at: number;
  /** How often it did so while nobody acted. */
  readonly alone: number;
}

const changesByNode = new Map<Node, NodeChanges>();
/** From `mark()` until the document has settled: what changes then is the step's doing. */
let stepRunning = false;
let stepChanges = 0;
let listenerCount = 0;
let lastStepChangeAt = -Infinity;
let baseline: StepBaseline = { timeline: null, before: new Set(), restless: new WeakSet() };

const observer = new MutationObserver(records => {
  const now = performance.now();
  let fresh = false;
  for (const { target } of records) {
    if (!baseline.restless.has(target)) fresh = true;
    const before = changesByNode.get(target);
    const again = before === undefined || before.at < now;
    changesByNode.delete(target);
    changesByNode.set(target, { at: now, alone: (before?.alone ?? 0) + (stepRunning || !again ? 0 : 1) });
  }
  while (changesByNode.size > MAX_REMEMBERED_NODES) {
    const oldest = changesByNode.keys().next().value;
    if (oldest === undefined) break;
    changesByNode.delete(oldest);
  }
  if (!fresh) return;
  stepChanges++;
  lastStepChangeAt = now;
});

/** Begins to watch the document; once for each document. */
export function watchDocument(): void {
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
}

/** How many elements of the document have handlers, as the last observation saw. */
export function setListenerCount(count: number): void {
  listenerCount = count;
}

/** Remembers now: what begins from here on belongs to the step. */
export function markStep(): void {
  const now = performance.now();
  const restless = new WeakSet<Node>();
  for (const [node, { at, alone }] of changesByNode)
    if (now - at >= BACKGROUND_WINDOW_MS) changesByNode.delete(node);
    else if (alone >= MIN_BACKGROUND_CHANGES) restless.add(node);
  stepRunning = true;
  baseline = { timeline: timelineNow(), before: new Set(runningAnimations()), restless };
  stepChanges = 0;
  lastStepChangeAt = -Infinity;
}

/** Frames that must pass without a change once there was one: an animation by script changes something in each. */
const REQUIRED_QUIET_FRAMES = 3;

/** Resolves when no change and no finite animation of the step is left, at the latest after `maxMs`. */
export async function settle(quietMs: number, maxMs: number): Promise<void> {
  const end = performance.now() + maxMs;
  stepRunning = true;
  try {
    await waitUntilQuiet(quietMs, end);
    if (performance.now() >= end) rememberOngoingChanges();
  } finally {
    stepRunning = false;
  }
}

/** Whatever still changed when the time was up goes on by itself. */
function rememberOngoingChanges(): void {
  const now = performance.now();
  for (const [node, { at }] of changesByNode)
    if (now - at < ONGOING_WINDOW_MS) changesByNode.set(node, { at, alone: MIN_BACKGROUND_CHANGES });
}

async function waitUntilQuiet(quietMs: number, end: number): Promise<void> {
  // Without scripts and handlers nothing can come later; with them, one frame lets what the step queued run.
  if (
    stepChanges === 0 &&
    listenerCount === 0 &&
    document.scripts.length === 0 &&
    remainingAnimationMs() <= 0
  )
    return;
  await nextFrame(Math.min(FRAME_TIMEOUT_MS, end - performance.now()));
  for (let still = 0, seen = stepChanges; ; still++) {
    const now = performance.now();
    if (seen !== stepChanges) still = 0;
    seen = stepChanges;
    const left = remainingWaitMs(now, quietMs);
    if (now >= end || (left <= 0 && (stepChanges === 0 || still >= REQUIRED_QUIET_FRAMES))) return;
    // On a busy machine frames come late, and so do the changes that they bring: both are counted in frames.
    await nextFrame(Math.max(1, Math.min(FRAME_TIMEOUT_MS * REQUIRED_QUIET_FRAMES, end - now)));
  }
}

/** Milliseconds until the document may be called quiet, as far as is known now. */
function remainingWaitMs(now: number, quietMs: number): number {
  const quiet = stepChanges === 0 ? 0 : lastStepChangeAt + quietMs - now;
  return Math.max(quiet, remainingAnimationMs());
}

/** Milliseconds that finite animations which began after the mark still run; nothing for endless ones. */
function remainingAnimationMs(): number {
  let left = 0;
  for (const animation of runningAnimations()) {
    if (baseline.before.has(animation) || animation.playState !== 'running') continue;
    const timing = animation.effect?.getComputedTiming();
    const total = Number(timing?.endTime ?? 0);
    if (!Number.isFinite(total)) continue;
    const rate = Math.abs(animation.playbackRate) || 1;
    left = Math.max(left, (total - Number(animation.currentTime ?? 0)) / rate);
  }
  return left;
}

function runningAnimations(): Animation[] {
  try {
    return documentElement(document) === null ? [] : animationsOf(document);
  } catch {
    return [];
  }
}

const timelineNow = (): number | null => {
  const time = document.timeline.currentTime;
  return typeof time === 'number' ? time : null;
};

/** Resolves after an animation frame and the tasks behind it, or after `atMostMs` in a page that draws none (a hidden one). */
function nextFrame(atMostMs: number): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, atMostMs);
    requestAnimationFrame(() =>
      setTimeout(() => {
        clearTimeout(timer);
        resolve();
      }, 0),
    );
  });
}
