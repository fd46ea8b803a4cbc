/** Tells where the documents of iframes are drawn. */
import type { Placement } from '../../../domain/space/placement.ts';
import { drawnPlace, sizeInSpace } from './element/drawnPlace.ts';
import { frameElement } from './lastObservation.ts';
import { deepestElementAt } from './reach/hitTest.ts';

export interface FramePlace {
  readonly place: Placement;
  readonly sizeInSpace: ReturnType<typeof sizeInSpace>;
}

/** Returns where the content of an iframe is drawn, by its index in the last observation; null if it is gone. */
export function framePlace(index: number): FramePlace | null {
  const element = frameElement(index);
  return element === null ? null : { place: drawnPlace(element), sizeInSpace: sizeInSpace(element) };
}

/** Returns true if the iframe with this index in the last observation is on top at a point of the viewport. */
export function isFrameAt(index: number, x: number, y: number): boolean {
  const element = frameElement(index);
  return element !== null && deepestElementAt(x, y) === element;
}

/** Returns the width of the window, and how far the document is scrolled from the left and from the top. CSS pixels. */
export const windowPlace = (): readonly [width: number, left: number, top: number] => [
  innerWidth,
  scrollX,
  scrollY,
];
