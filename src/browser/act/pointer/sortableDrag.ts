/** Drags an item of a list or grid to the position of another item. */

import type { ElementContext } from '../element/elementContext.ts';
import { scrollIntoView } from '../ready/whenReady.ts';
import type { DragPointer } from './dragPointer.ts';
import { boundingBox, MOUSE_STEPS, type Point, viewportPoint } from './geometry.ts';

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

/** A drag of an entry of a list onto another entry. */
export interface SortingDrag {
  /** From the middle of the dragged entry to the middle of the target, before the press. CSS pixels. */
  readonly distance: Point;
  /** The entry whose position it takes. */
  readonly target: ElementContext;
}

/**
 * Drags an entry to the position of the target: moves the pointer past the middle of the target, where sortable lists
 * insert an item. Moves first up or down, then along the row, as grids are ordered. The caller has pressed the pointer
 * on the source and releases it afterwards.
 * @param from the point of the viewport at which the button was pressed
 */
export async function dragPastSibling(
  pointer: DragPointer,
  { distance, target }: SortingDrag,
  from: Point,
): Promise<void> {
  await scrollIntoView(target);
  const box = await boundingBox(target);
  const middle = await viewportPoint(target, null);
  // A coordinate in which both are alike stays that of the pointer, which can be on a handle at the edge.
  const end = (side: number, to: number, way: number, now: number) =>
    Math.abs(way) < side / 4 ? now : to + Math.sign(way) * side * OVERSHOOT;
  const x = end(box.width, middle.x, distance.x, from.x);
  const y = end(box.height, middle.y, distance.y, from.y);
  await pointer.moveAlong({ x: from.x, y }, MOUSE_STEPS, target.world);
  if (x !== from.x) await pointer.moveAlong({ x, y }, MOUSE_STEPS, target.world);
}
