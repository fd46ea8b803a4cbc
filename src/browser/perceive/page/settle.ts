/** When a document is quiet. Nothing here waits for a fixed time: it waits for what still happens. */
import { animationsOf, documentElement } from './native.ts';

interface Mark {
  /** Time of the document's timeline, milliseconds; null while it has none. */
  readonly timeline: number | null;
  readonly before: ReadonlySet<Animation>;
  /** Nodes that changed by themselves before the step: what goes on there is not the step's doing. */
  readonly restless: WeakSet<Node>;
}

/** Changes this long before `mark()` count as going on by themselves. Milliseconds. */
const RESTLESS_FOR_MS = 3_000;
/** The pause after which one look is enough when nothing has changed at all. */
const AT_LEAST_MS = 32;
const MOST_REMEMBERED = 200;

const lastChanged = new Map<Node, number>();
let changes = 0;
let changedAt = -Infinity;
let marked: Mark = { timeline: null, before: new Set(), restless: new WeakSet() };
let waiting: (() => void) | null = null;

const observer = new MutationObserver(records => {
  const now = performance.now();
  let fresh = false;
  for (const { target } of records) {
    if (!marked.restless.has(target)) fresh = true;
    lastChanged.delete(target);
    lastChanged.set(target, now);
  }
  while (lastChanged.size > MOST_REMEMBERED) {
    const oldest = lastChanged.keys().next().value;
    if (oldest === undefined) break;
    lastChanged.delete(oldest);
  }
  if (!fresh) return;
  changes++;
  changedAt = now;
  waiting?.();
});

/** Begins to watch the document; once for each document. */
export function watchDocument(): void {
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
}

/** Remembers now: what begins from here on belongs to the step. */
export function mark(): void {
  const now = performance.now();
  const restless = new WeakSet<Node>();
  for (const [node, at] of lastChanged) if (now - at < RESTLESS_FOR_MS) restless.add(node);
  marked = { timeline: timelineNow(), before: new Set(animations()), restless };
  changes = 0;
  changedAt = -Infinity;
}

/** Resolves when no change and no finite animation of the step is left, at the latest after `maxMs`. */
export function settle(quietMs: number, maxMs: number): Promise<void> {
  const end = performance.now() + maxMs;
  return new Promise(resolve => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const finish = () => {
      clearTimeout(timer);
      waiting = null;
      resolve();
    };
    const look = () => {
      clearTimeout(timer);
      const now = performance.now();
      const left = waitLeft(now, quietMs);
      if (left <= 0 || now >= end) finish();
      else timer = setTimeout(look, Math.min(left, end - now));
    };
    waiting = look;
    // Without scripts nothing can come later; with them, one frame lets what the step queued run.
    if (changes === 0 && document.scripts.length === 0 && animationLeft() <= 0) return finish();
    afterFrame(look, Math.min(AT_LEAST_MS, maxMs));
  });
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

/** Calls back after an animation frame and the tasks behind it, or after `atMostMs` in a page that draws none (a hidden one). */
function afterFrame(done: () => void, atMostMs: number): void {
  let called = false;
  const once = () => {
    if (called) return;
    called = true;
    clearTimeout(timer);
    done();
  };
  const timer = setTimeout(once, atMostMs);
  requestAnimationFrame(() => setTimeout(once, 0));
}
