/** Reads the animations of the document. */

import { animationsOf, documentElement } from '../dom/domGetters.ts';
import { nextFrame } from './nextFrame.ts';

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

/** Number of waits for a frame that does not come, after which none is expected: the browser does not draw this document. */
const MAX_MISSED_FRAMES = 6;

/**
 * The animations of a step, and whether the document has been told of their end. An animation ends between two frames, and the document is
 * told with the second, which is late on a busy machine.
 */
export class StepAnimations {
  #leftMs = 0;
  #isEndUntold = false;
  #missedFrames = 0;

  /** True if an animation has ended since the last frame. */
  get isEndUntold(): boolean {
    return this.#isEndUntold;
  }

  /** Forgets the animations of the step before. */
  restart(): void {
    this.#leftMs = 0;
    this.#isEndUntold = false;
  }

  /** Reads the animations. @returns as `remainingAnimationMs` */
  read(ignored: ReadonlySet<Animation>): number {
    const wasAnimated = this.#leftMs > 0;
    this.#leftMs = remainingAnimationMs(ignored);
    if (wasAnimated && this.#leftMs <= 0) {
      this.#isEndUntold = true;
      this.#missedFrames = 0;
    }
    return this.#leftMs;
  }

  /** Waits for the next frame, with which the document is told. @returns as `nextFrame` */
  async nextFrame(timeoutMs: number): Promise<boolean> {
    const hasCome = await nextFrame(timeoutMs);
    if (!hasCome) this.#missedFrames++;
    // A document that is not shown gets no frames.
    if (hasCome || document.hidden || this.#missedFrames >= MAX_MISSED_FRAMES) this.#isEndUntold = false;
    return hasCome;
  }
}
