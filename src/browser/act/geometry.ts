/** Where an element is now, for the pointer. */
import { Failure } from '../../domain/failures.ts';
import { type ElementContext, timeoutOption } from './elementContext.ts';

/** Pages that follow the pointer (sortable lists, sliders, drawings) need to see it on its way. */
export const MOUSE_STEPS = 12;

/** CSS pixels; of the viewport, or from an element's top left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The point of an element, its middle for null, in the viewport. @throws Failure ACTION_BLOCKED where it has no box */
export async function viewportPoint(element: ElementContext, position: Point | null): Promise<Point> {
  const box = await boundingBox(element);
  const inside = position ?? { x: box.width / 2, y: box.height / 2 };
  return { x: box.x + inside.x, y: box.y + inside.y };
}

/** @throws Failure ACTION_BLOCKED where it has no box */
export async function boundingBox(
  element: ElementContext,
): Promise<Point & { readonly width: number; readonly height: number }> {
  const box = await element.locator.boundingBox(timeoutOption(element.deadline));
  if (box === null)
    throw new Failure(
      'ACTION_BLOCKED',
      `${element.listed.id} (${element.listed.description}) has no place on the page now.`,
    );
  return box;
}
