/** Reads how far a bar that states its value has come, and whether it will end soon. */
import { getAttribute, localName } from '../dom/domGetters.ts';

/** The shares that a bar has stated. */
interface Pace {
  /** The first share that was seen, and when, as `performance.now()`. */
  readonly from: number;
  readonly since: number;
  /** The last one, and when it was seen first. */
  share: number;
  at: number;
}

const paces = new WeakMap<Element, Pace>();

/** A bar that stands still for so long tells a state, or waits for something else. Milliseconds. */
const MAX_STILL_MS = 1_000;
/** Minimum time for which a bar is watched until its pace counts. Milliseconds. */
const MIN_WATCHED_MS = 400;

/** Returns which part of the work a progress bar states as done, from 0 to 1; null if it states none. */
export function statedShare(bar: Element): number | null {
  const isNative = localName(bar) === 'progress';
  const value = getAttribute(bar, isNative ? 'value' : 'aria-valuenow');
  if (value === null || value.trim() === '') return null;
  const min = Number(isNative ? 0 : (getAttribute(bar, 'aria-valuemin') ?? 0));
  const max = Number(getAttribute(bar, isNative ? 'max' : 'aria-valuemax') ?? (isNative ? 1 : 100));
  const share = (Number(value) - min) / (max - min);
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : null;
}

/** Returns true unless a bar stands still, or has a pace at which it takes longer than `ms`. Call it again and again while the bar is waited for. */
export function mayEndWithin(bar: Element, ms: number): boolean {
  const share = statedShare(bar);
  if (share === null) return true;
  const now = performance.now();
  const pace = paces.get(bar);
  if (pace === undefined || share < pace.share) {
    paces.set(bar, { from: share, since: now, share, at: now });
    return true;
  }
  if (share !== pace.share) Object.assign(pace, { share, at: now });
  if (now - pace.at > MAX_STILL_MS) return false;
  const watchedMs = now - pace.since;
  const done = share - pace.from;
  return watchedMs < MIN_WATCHED_MS || done <= 0 || ((1 - share) * watchedMs) / done <= ms;
}
