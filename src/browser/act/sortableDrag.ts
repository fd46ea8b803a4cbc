/** Dragging an entry of a list, or a tile of a grid, to the place of another. */
import { type ElementContext, timeoutOption } from './elementContext.ts';
import { boundingBox, MOUSE_STEPS, viewportPoint } from './geometry.ts';

/** Whether the one may take the other's place. */
export async function areSortableSiblings(source: ElementContext, target: ElementContext): Promise<boolean> {
  if (source.world.context.uniqueId !== target.world.context.uniqueId) return false;
  return source.world.callAgent('areSortableSiblings', source.listed.key, target.listed.key);
}

/** Part of a neighbour's side that is passed beyond its middle. */
const OVERSHOOT = 0.25;

/**
 * To take a neighbour's place is to pass its middle: there, sortable lists make room. First up or down, then along its
 * row, as the order of a grid runs.
 */
export async function dragPastSibling(source: ElementContext, target: ElementContext): Promise<void> {
  const { mouse } = source.tab.page;
  const from = await viewportPoint(source, null);
  await target.locator.scrollIntoViewIfNeeded(timeoutOption(target.deadline));
  const box = await boundingBox(target);
  const middle = await viewportPoint(target, null);
  const past = (side: number, way: number) =>
    Math.abs(way) < side / 4 ? 0 : Math.sign(way) * side * OVERSHOOT;
  const x = middle.x + past(box.width, middle.x - from.x);
  const y = middle.y + past(box.height, middle.y - from.y);
  await mouse.move(from.x, y, { steps: MOUSE_STEPS });
  await mouse.move(x, y, { steps: MOUSE_STEPS });
}
