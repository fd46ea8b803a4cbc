/** Moves a slider by dragging its handle, for sliders that ignore the keyboard. */

import type { ElementContext } from '../element/elementContext.ts';
import { toBlockedFailure } from '../ready/blockedFailure.ts';
import { DragPointer } from './dragPointer.ts';
import { inPagePixels, MOUSE_STEPS, viewportPoint } from './geometry.ts';
import { hoverOver } from './hoverOver.ts';

/** Maximum number of movements of the pressed pointer: the first, and corrections by what the slider then says. */
const MAX_MOVEMENTS = 8;
const CORRECTION_STEPS = 2;
/** Maximum wait for the frame in which the page shows the new value. Milliseconds. */
const FRAME_TIMEOUT_MS = 100;

/**
 * Drags the slider's handle along its track to the value. The page says after each movement what the slider holds, so that
 * the next one corrects the position.
 * @param read returns the slider's value; null when it is not known any more
 * @returns the slider's value at the end; null when it is not known any more
 * @throws Failure ACTION_BLOCKED
 */
export async function dragSlider(
  element: ElementContext,
  target: number,
  read: () => Promise<number | null>,
): Promise<number | null> {
  const { tab, world, listed, deadline } = element;
  const track = await world.callAgent('sliderTrack', listed.key);
  if (track === null || track.pixelsPerUnit === 0) return read();
  const thumb = inPagePixels(track.press, element.placement);
  const readAfterFrame = async (): Promise<number | null> => {
    await world.callAgent('waitForRest', 1, FRAME_TIMEOUT_MS);
    return read();
  };
  try {
    await hoverOver(element, thumb);
  } catch (error) {
    throw toBlockedFailure(element, error);
  }
  const start = await viewportPoint(element, thumb);
  await DragPointer.use(tab, { touch: track.touch }, deadline, async pointer => {
    await pointer.moveTo(start);
    await pointer.press();
    let [at, perUnit, now] = [0, track.pixelsPerUnit, await readAfterFrame()];
    for (let nth = 0; nth < MAX_MOVEMENTS && now !== null && now !== target; nth++) {
      const to: number = at + (target - now) * perUnit;
      const point = track.isVertical ? { x: start.x, y: start.y + to } : { x: start.x + to, y: start.y };
      await pointer.moveAlong(point, nth === 0 ? MOUSE_STEPS : CORRECTION_STEPS, world);
      const next: number | null = await readAfterFrame();
      if (next === null || next === now) return;
      // A movement in the wrong direction may have ended at the end of the track: then its length says nothing.
      const isAway = Math.sign(next - now) !== Math.sign(target - now);
      perUnit = isAway ? -perUnit : (to - at) / (next - now);
      [at, now] = [to, next];
    }
  });
  return readAfterFrame();
}
