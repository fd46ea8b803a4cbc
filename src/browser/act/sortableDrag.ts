/** Drags an item of a list or grid to the position of another item. */
import type { ElementContext } from './elementContext.ts';
import { boundingBox, MOUSE_STEPS, viewportPoint } from './geometry.ts';
import { timeoutOption } from './timeoutOption.ts';

/**
 * Returns true if both elements are siblings of the same tag and about the same size, like the items of a list or grid: then
 * the drag probably sorts them.
 */
export async function areSortableSiblings(source: ElementContext, target: ElementContext): Promise<boolean> {
  if (source.world.context.uniqueId !== target.world.context.uniqueId) return false;
  return source.world.callAgent('areSortableSiblings', source.listed.key, target.listed.key);
}

/** Distance between the middle of the target and the end of the drag, as a fraction of the target's width or height. */
const OVERSHOOT = 0.25;

/**
 * Drags the source to the position of the target: moves the pointer past the middle of the target, where sortable lists
 * insert an item. Moves first up or down, then along the row, as grids are ordered. The caller has pressed the mouse
 * button on the source and releases it afterwards.
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
