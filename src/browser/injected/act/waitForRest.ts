import { animationsOf, boxOf, documentElement } from '../dom/domGetters.ts';
import { elementByKey } from '../perceive/elementKeys.ts';

/** The time in which a hidden page, which draws none, would draw a frame. Milliseconds. */
const FRAME_TIMEOUT_MS = 50;

/** Number of frames in which an element must stay at its place to stand still. */
const STILL_FRAMES = 4;

/** Resolves when an element stands still, also where a script moves it; at the latest after `maxMs` milliseconds. */
export async function waitUntilStill(key: number, maxMs: number): Promise<void> {
  const end = performance.now() + maxMs;
  let before = '';
  for (let still = 0; still < STILL_FRAMES && performance.now() < end; ) {
    await waitForRest(1, FRAME_TIMEOUT_MS);
    const element = elementByKey(key);
    if (element === null) return;
    const { left, top } = boxOf(element);
    still = `${left} ${top}` === before ? still + 1 : 0;
    before = `${left} ${top}`;
  }
}

/** Resolves after these frames and all finite animations, at the latest after `maxMs`. */
export const waitForRest = (minFrames: number, maxMs: number): Promise<void> =>
  waitWhile(frames => frames < minFrames || isAnimated(), maxMs);

/** Resolves after this number of frames; at the latest after `maxMs` milliseconds. */
export const waitForFrames = (count: number, maxMs: number): Promise<void> =>
  waitWhile(frames => frames < count, maxMs);

async function waitWhile(goesOn: (frames: number) => boolean, maxMs: number): Promise<void> {
  const end = performance.now() + maxMs;
  for (let frames = 0; performance.now() < end && goesOn(frames); frames++)
    await new Promise<void>(resolve => {
      // A busy machine draws a frame late: it counts when it comes.
      const timer = setTimeout(resolve, document.hidden ? FRAME_TIMEOUT_MS : end - performance.now());
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
