/** Reads how the content of an iframe is drawn: transforms turn and scale it, and so does the CSS property `zoom`. */
import type { Placement } from '../../../domain/space/actionPhrase.ts';
import { boxOf, clientLeft, clientTop, composedParent } from '../dom/domGetters.ts';
import { orNull } from '../dom/skipped.ts';
import { frameElement } from './lastObservation.ts';
import { deepestElementAt } from './reach/hitTest.ts';

/** The difference of two lengths that can come from rounding. CSS pixels. */
const ROUNDING_PX = 1;

/** Returns where the content of an iframe is drawn in its document's viewport. */
export function framePlaceOf(element: Element): Placement {
  const box = boxOf(element);
  const { offsetWidth: width = 0, offsetHeight: height = 0 } = element as HTMLElement;
  const [a, b, c, d] = drawnPixel(element, [width, height], box);
  const { paddingLeft, paddingTop } = getComputedStyle(element);
  const inset = (border: number, padding: string): number => border + (Number.parseFloat(padding) || 0);
  const x = inset(clientLeft(element), paddingLeft);
  const y = inset(clientTop(element), paddingTop);
  // The corner of the element that is drawn first need not be its own top left one.
  const left = box.left - Math.min(0, a * width) - Math.min(0, c * height);
  const top = box.top - Math.min(0, b * width) - Math.min(0, d * height);
  return [a, b, c, d, left + a * x + c * y, top + b * x + d * y];
}

type Pixel = readonly [a: number, b: number, c: number, d: number];

/** Returns how one pixel of the element is drawn: by the styles around it if they explain its box, else by its box, which does not tell a turn. */
function drawnPixel(element: Element, [width, height]: readonly [number, number], box: DOMRect): Pixel {
  const { a, b, c, d, is2D } = transformOf(element);
  const fits =
    !differs(Math.abs(a) * width + Math.abs(c) * height, box.width) &&
    !differs(Math.abs(b) * width + Math.abs(d) * height, box.height);
  if (is2D && fits) return [a, b, c, d];
  const isScaled =
    (differs(width, box.width) || differs(height, box.height)) && is2D && width > 0 && height > 0;
  return isScaled ? [box.width / width, 0, 0, box.height / height] : [1, 0, 0, 1];
}

/** Returns the product of the transforms of the element and of all around it, and of their zoom. */
function transformOf(element: Element): DOMMatrix {
  let product = new DOMMatrix().scale((element as Element & { currentCSSZoom?: number }).currentCSSZoom ?? 1);
  for (let around: Element | null = element; around !== null; around = composedParent(around)) {
    const { rotate, scale, transform } = getComputedStyle(around);
    // A turn about an axis of space has another form.
    for (const text of [
      transform,
      scale === 'none' ? scale : `scale(${scale.replaceAll(' ', ',')})`,
      rotate === 'none' ? rotate : `rotate(${rotate})`,
    ])
      if (text !== 'none') product = (orNull(() => new DOMMatrix(text)) ?? IN_SPACE).multiply(product);
  }
  return product;
}

const IN_SPACE = new DOMMatrix().rotateAxisAngle(1, 0, 0, 1);

/** Returns where the content of an iframe is drawn, by its index in the last observation; null if it is gone. */
export function framePlace(index: number): Placement | null {
  const element = frameElement(index);
  return element === null ? null : framePlaceOf(element);
}

/** Returns true if the iframe with this index in the last observation is on top at a point of the viewport. */
export function isFrameAt(index: number, x: number, y: number): boolean {
  const element = frameElement(index);
  return element !== null && deepestElementAt(x, y) === element;
}

const differs = (one: number, other: number): boolean => Math.abs(one - other) >= ROUNDING_PX;

/** Returns the width of the window, and how far the document is scrolled from the left and from the top. CSS pixels. */
export const windowPlace = (): readonly [width: number, left: number, top: number] => [
  innerWidth,
  scrollX,
  scrollY,
];
