/** Computes positions of elements, for the pointer. */
import { Failure } from '../../../domain/failure/failures.ts';
import type { ElementContext } from '../element/elementContext.ts';
import { whenReady } from '../ready/whenReady.ts';

/**
 * Number of `mousemove` events in one movement of the mouse: pages that follow the pointer (sortable lists, sliders,
 * drawings) need positions between start and end.
 */
export const MOUSE_STEPS = 12;

/** A point in CSS pixels from the top left corner of the viewport or of an element. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Converts a point of an element to viewport coordinates.
 * @param position the point, from the element's top left corner; null for the middle of the element
 * @throws Failure ACTION_BLOCKED when the element has no box
 */
export async function viewportPoint(element: ElementContext, position: Point | null): Promise<Point> {
  const box = await boundingBox(element);
  const inside = position ?? { x: box.width / 2, y: box.height / 2 };
  return { x: box.x + inside.x, y: box.y + inside.y };
}

/** Returns the element's box: its position in the viewport and its size, in CSS pixels. @throws Failure ACTION_BLOCKED when it has none */
export async function boundingBox(
  element: ElementContext,
): Promise<Point & { readonly width: number; readonly height: number }> {
  const box = await whenReady(element, options => element.locator.boundingBox(options));
  if (box === null)
    throw new Failure(
      'ACTION_BLOCKED',
      `${element.listed.id} (${element.listed.description}) has no box on the page now.`,
    );
  return box;
}
