import { animationsOf, documentElement } from '../dom/domGetters.ts';

/** Maximum wait for one frame: a hidden page draws none. Milliseconds. */
const FRAME_TIMEOUT_MS = 50;

/**
 * Resolves after this number of frames, and when no finite animation is running: for a pointer that rests while the page
 * moves its items; at the latest after `maxMs` milliseconds.
 */
export async function waitForRest(minFrames: number, maxMs: number): Promise<void> {
  const end = performance.now() + maxMs;
  for (let frames = 0; performance.now() < end && (frames < minFrames || isAnimated()); frames++)
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, FRAME_TIMEOUT_MS);
      requestAnimationFrame(() => {
        clearTimeout(timer);
        resolve();
      });
    });
}

const isAnimated = (): boolean =>
  documentElement(document) !== null &&
  animationsOf(document).some(
    ({ playState, effect }) =>
      playState === 'running' && Number.isFinite(Number(effect?.getComputedTiming().endTime ?? 0)),
  );
