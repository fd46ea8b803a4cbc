/** Computes positions of elements, for the pointer. */
import { Failure } from '../../../domain/failure/failures.ts';
import { isScaled, type Placement, toPage } from '../../../domain/space/actionPhrase.ts';
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

/** Converts a point of an element (null: its middle) to the viewport. @throws Failure ACTION_BLOCKED without a box */
export async function viewportPoint(element: ElementContext, position: Point | null): Promise<Point> {
  const box = await boundingBox(element);
  const inside = position ?? { x: box.width / 2, y: box.height / 2 };
  return { x: box.x + inside.x, y: box.y + inside.y };
}

/** Returns the element's box: its position in the viewport and its size, in CSS pixels. @throws Failure ACTION_BLOCKED when it has none */
export async function boundingBox(element: ElementContext): Promise<Box> {
  // Playwright takes the lengths in a frame that is drawn scaled for those of the page.
  const box = isScaled(element.placement)
    ? await boxInScaledFrame(element)
    : await whenReady(element, options => element.locator.boundingBox(options));
  if (box === null)
    throw new Failure(
      'ACTION_BLOCKED',
      `${element.listed.id} (${element.listed.description}) has no box on the page now.`,
    );
  return box;
}

async function boxInScaledFrame({ frames, world, listed }: ElementContext): Promise<Box | null> {
  const [placement, box] = await Promise.all([
    placementIn(frames),
    world.callAgent('elementBox', listed.key),
  ]);
  if (placement === null || box === null) return null;
  const [left, top, width, height] = box;
  return {
    ...toPage(placement, { x: left, y: top }),
    width: width * placement.scaleX,
    height: height * placement.scaleY,
  };
}

/** Converts a point of an element, from its top left corner, from pixels of its document to those of the page. */
export const inPagePixels = ({ x, y }: Point, { scaleX, scaleY }: Placement): Point => ({
  x: x * scaleX,
  y: y * scaleY,
});
