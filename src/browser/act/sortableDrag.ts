/** Drags an item of a list or grid to the position of another item. */
import type { ElementContext } from './elementContext.ts';
import { boundingBox, MOUSE_STEPS, viewportPoint } from './geometry.ts';
import { timeoutOption } from './timeoutOption.ts';

/** Returns true if the source may take the target's position. */
export async function areSortableSiblings(source: ElementContext, target: ElementContext): Promise<boolean> {
  if (source.world.context.uniqueId !== target.world.context.uniqueId) return false;
  return source.world.callAgent('areSortableSiblings', source.listed.key, target.listed.key);
}

/** Distance between the target's middle and the end of the drag, as a part of the target's side. */
const OVERSHOOT = 0.25;

/**
 * Moves the pointer past the middle of the target, where sortable lists insert the item: first up or down, then along
 * the row, as grids are ordered. The mouse button must be pressed on the source.
 */
export async function dragPastSibling(source: ElementContext, target: ElementContext): Promise<void> {
  const { mouse } = source.tab.page;
  const from = await viewportPoint(source, null);
  await target.locator.scrollIntoViewIfNeeded(timeoutOption(target.deadline));
  const box = await boundingBox(target);
  const middle = await viewportPoint(target, null);
  const overshoot = (side: number, distance: number) =>
    Math.abs(distance) < side / 4 ? 0 : Math.sign(distance) * side * OVERSHOOT;
  const x = middle.x + overshoot(box.width, middle.x - from.x);
  const y = middle.y + overshoot(box.height, middle.y - from.y);
  await mouse.move(from.x, y, { steps: MOUSE_STEPS });
  await mouse.move(x, y, { steps: MOUSE_STEPS });
}
