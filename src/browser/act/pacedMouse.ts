/** Moves the pressed mouse at the pace of a hand, which lists with animations and pickers with inertia follow. */
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import type { Tab } from '../tab/tab.ts';
import type { Point } from './geometry.ts';

/** Number of frames for which the pointer rests before the button is released: a movement up to the release counts as a throw. */
const REST_FRAMES = 6;
/** Maximum wait for the animations of a list whose items make room. */
const REST_TIMEOUT_MS = 600;

/**
 * Moves the mouse from one point to another. Each movement waits until the page has handled the one before, which
 * Chromium does once in each frame.
 */
export async function moveAlong({ page }: Tab, from: Point, to: Point, steps: number): Promise<void> {
  for (let step = 1; step <= steps; step++) {
    const part = step / steps;
    await page.mouse.move(from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part);
  }
}

/**
 * Rests the pressed pointer until the page stands still, with a small movement in between: a list whose items are moving
 * ignores the pointer, and takes its position from the next movement.
 * @param at where the pointer is, in the viewport
 * @param world the world of the document in which the drag ends
 */
export async function restBeforeRelease(tab: Tab, at: Point, world: IsolatedWorld): Promise<void> {
  const { mouse } = tab.page;
  for (const offset of [1, 0]) {
    await world.callAgent('waitForRest', REST_FRAMES / 2, REST_TIMEOUT_MS);
    await mouse.move(at.x + offset, at.y);
  }
  await world.callAgent('waitForRest', REST_FRAMES, REST_TIMEOUT_MS);
}
