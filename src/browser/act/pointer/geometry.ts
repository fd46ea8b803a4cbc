/** Computes positions of elements, for the pointer. */
import { Failure } from '../../../domain/failure/failures.ts';
import {
  boxOnPage,
  isTransformed,
  type Placement,
  pixelSize,
  toPage,
} from '../../../domain/space/placement.ts';
import type { ElementContext } from '../element/elementContext.ts';
import { whenReady } from '../ready/whenReady.ts';
import { placementIn } from './placedDocuments.ts';

/** Sortable lists, sliders and drawings need positions between start and end. */
export const MOUSE_STEPS = 12;

/** A point in CSS pixels from the top left corner of the viewport or of an element. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/**
 * Converts a point of an element (null: its middle) to the viewport.
 * @param position from the element's own corner along its own sides, in pixels of the page
 * @throws Failure ACTION_BLOCKED without a box
 */
export async function viewportPoint(element: ElementContext, position: Point | null): Promise<Point> {
  if (position === null || !isTransformed(element.placement)) {
    const box = await boundingBox(element);
    const inside = position ?? { x: box.width / 2, y: box.height / 2 };
    return { x: box.x + inside.x, y: box.y + inside.y };
  }
  const { placement, box } = await boxInFrame(element);
  const [left, top] = box;
  const corner = toPage(placement, { x: left, y: top });
  const inside = alongSides(position, placement);
  return { x: corner.x + inside.x, y: corner.y + inside.y };
}

/** Returns the element's box: its position in the viewport and its size, in CSS pixels. @throws Failure ACTION_BLOCKED when it has none */
export async function boundingBox(element: ElementContext): Promise<Box> {
  // Playwright takes the lengths in a frame that is drawn scaled for those of the page.
  if (isTransformed(element.placement)) {
    const { placement, box } = await boxInFrame(element);
    return boxOnPage(placement, box);
  }
  return (
    (await whenReady(element, options => element.locator.boundingBox(options))) ?? throwWithoutBox(element)
  );
}

async function boxInFrame(element: ElementContext) {
  const { frames, world, listed } = element;
  const box = await world.callAgent('elementBox', listed.key);
  const [x, y, width, height] = box ?? [0, 0, 0, 0];
  const placement = await placementIn(frames, { x: x + width / 2, y: y + height / 2 });
  return placement === null || box === null ? throwWithoutBox(element) : { placement, box };
}

function throwWithoutBox({ listed: { id, description } }: ElementContext): never {
  throw new Failure('ACTION_BLOCKED', `${id} (${description}) has no box on the page now.`);
}

/** Converts a point of an element, from its top left corner, from pixels of its document to those of the page. */
export function inPagePixels({ x, y }: Point, placement: Placement): Point {
  const size = pixelSize(placement);
  return { x: x * size.x, y: y * size.y };
}

/** Converts a way along the sides of an element, in pixels of the page, to one on the page: a frame can be drawn turned. */
export function alongSides({ x, y }: Point, placement: Placement): Point {
  const [a, b, c, d] = placement;
  const size = pixelSize(placement);
  return { x: (a * x) / size.x + (c * y) / size.y, y: (b * x) / size.x + (d * y) / size.y };
}
