/** Reads the animations of the document. */
import { animationsOf, documentElement } from '../dom/domGetters.ts';

/** Returns the animations of the document; none if the page does not let them be read. */
export function currentAnimations(): Animation[] {
  try {
    return documentElement(document) === null ? [] : animationsOf(document);
  } catch {
    return [];
  }
}

/**
 * Returns the milliseconds until the last running finite animation ends; 0 if none is running. Endless animations do not count.
 * @param ignored animations that do not count
 * @param maxTotalMs longer animations, with their delay, do not count. Milliseconds
 */
export function remainingAnimationMs(
  ignored: ReadonlySet<Animation>,
  maxTotalMs = Number.POSITIVE_INFINITY,
): number {
  let left = 0;
  for (const animation of currentAnimations()) {
    if (ignored.has(animation) || animation.playState !== 'running') continue;
    const timing = animation.effect?.getComputedTiming();
    const total = Number(timing?.endTime ?? 0);
    const rate = Math.abs(animation.playbackRate) || 1;
    if (!Number.isFinite(total) || total / rate > maxTotalMs) continue;
    left = Math.max(left, (total - Number(animation.currentTime ?? 0)) / rate);
  }
  return left;
}
