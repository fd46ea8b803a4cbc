/** When a document is quiet. Nothing here waits for a fixed time: it waits for what still happens. */
import { animationsOf, documentElement } from './native.ts';

interface Mark {
  /** Time of the document's timeline, milliseconds; null while it has none. */
  readonly timeline: number | null;
  readonly before: ReadonlySet<Animation>;
  /** Nodes that changed by themselves before the step: what goes on there is not the step's doing. */
  readonly restless: WeakSet<Node>;
}

/** What changed by itself this long before `mark()` is taken to go on. Milliseconds. */
const RESTLESS_FOR_MS = 3_000;
/** A single change while nobody acts may be the late end of a step; a clock or an animation changes again. */
const RESTLESS_FROM = 2;
/** Where a document never came to rest: what changed this long before the limit was what went on. Milliseconds. */
const GOING_ON_MS = 200;
/** The pause after which one look is enough when nothing has changed at all. */
const AT_LEAST_MS = 32;
const MOST_REMEMBERED = 200;

interface Changed {
  /** When it changed last. */
  readonly at: number;
  /** How often it did so while nobody acted. */
  readonly alone: number;
}

const changed = new Map<Node, Changed>();
/** From `mark()` until the document has settled: what changes then is the step's doing. */
let acting = false;
let changes = 0;
let listeners = 0;
let changedAt = -Infinity;
let marked: Mark = { timeline: null, before: new Set(), restless: new WeakSet() };

const observer = new MutationObserver(records => {
  const now = performance.now();
  let fresh = false;
  for (const { target } of records) {
    if (!marked.restless.has(target)) fresh = true;
    const before = changed.get(target);
    const again = before === undefined || before.at < now;
    changed.delete(target);
    changed.set(target, { at: now, alone: (before?.alone ?? 0) + (acting || !again ? 0 : 1) });
  }
  while (changed.size > MOST_REMEMBERED) {
    const oldest = changed.keys().next().value;
    if (oldest === undefined) break;
    changed.delete(oldest);
  }
  if (!fresh) return;
  changes++;
  changedAt = now;
});

/** Begins to watch the document; once for each document. */
export function watchDocument(): void {
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
}

/** How many elements of the document have handlers, as the last observation saw. */
export function noteListeners(count: number): void {
  listeners = count;
}

/** Remembers now: what begins from here on belongs to the step. */
export function mark(): void {
  const now = performance.now();
  const restless = new WeakSet<Node>();
  for (const [node, { at, alone }] of changed)
    if (now - at >= RESTLESS_FOR_MS) changed.delete(node);
    else if (alone >= RESTLESS_FROM) restless.add(node);
  acting = true;
  marked = { timeline: timelineNow(), before: new Set(animations()), restless };
  changes = 0;
  changedAt = -Infinity;
}

/** Frames that must pass without a change once there was one: an animation by script changes something in each. */
const STILL_FRAMES = 3;

/** Resolves when no change and no finite animation of the step is left, at the latest after `maxMs`. */
export async function settle(quietMs: number, maxMs: number): Promise<void> {
  const end = performance.now() + maxMs;
  acting = true;
  try {
    await untilQuiet(quietMs, end);
    if (performance.now() >= end) noteGoingOn();
  } finally {
    acting = false;
  }
}

/** Whatever still changed when the time was up goes on by itself. */
function noteGoingOn(): void {
  const now = performance.now();
  for (const [node, { at }] of changed)
    if (now - at < GOING_ON_MS) changed.set(node, { at, alone: RESTLESS_FROM });
}

async function untilQuiet(quietMs: number, end: number): Promise<void> {
  // Without scripts and handlers nothing can come later; with them, one frame lets what the step queued run.
  if (changes === 0 && listeners === 0 && document.scripts.length === 0 && animationLeft() <= 0) return;
  await frame(Math.min(AT_LEAST_MS, end - performance.now()));
  for (let still = 0, seen = changes; ; still++) {
    const now = performance.now();
    if (seen !== changes) still = 0;
    seen = changes;
    const left = waitLeft(now, quietMs);
    if (now >= end || (left <= 0 && (changes === 0 || still >= STILL_FRAMES))) return;
    // On a busy machine frames come late, and so do the changes that they bring: both are counted in frames.
    await frame(Math.max(1, Math.min(AT_LEAST_MS * STILL_FRAMES, end - now)));
  }
}

/** Milliseconds until the document may be called quiet, as far as is known now. */
function waitLeft(now: number, quietMs: number): number {
  const quiet = changes === 0 ? 0 : changedAt + quietMs - now;
  return Math.max(quiet, animationLeft());
}

/** Milliseconds that finite animations which began after the mark still run; nothing for endless ones. */
function animationLeft(): number {
  let left = 0;
  for (const animation of animations()) {
    if (marked.before.has(animation) || animation.playState !== 'running') continue;
    const timing = animation.effect?.getComputedTiming();
    const total = Number(timing?.endTime ?? 0);
    if (!Number.isFinite(total)) continue;
    const rate = Math.abs(animation.playbackRate) || 1;
    left = Math.max(left, (total - Number(animation.currentTime ?? 0)) / rate);
  }
  return left;
}

function animations(): Animation[] {
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
function frame(atMostMs: number): Promise<void> {
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
