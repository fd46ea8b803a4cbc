/** Reads how the content of an iframe is drawn: transforms and the CSS property `zoom` scale it. */
import type { FramePlace } from '../../../domain/space/actionPhrase.ts';
import { boxOf, clientLeft, clientTop, composedParent } from '../dom/domGetters.ts';
import { frameElement } from './lastObservation.ts';
import { deepestElementAt } from './reach/hitTest.ts';

/** The difference of two lengths that can come from rounding. CSS pixels. */
const ROUNDING_PX = 1;

export function framePlaceOf(element: Element): FramePlace {
  const { left, top, width, height } = boxOf(element);
  const { offsetWidth = 0, offsetHeight = 0 } = element as HTMLElement;
  const isScaled =
    (differs(width, offsetWidth) || differs(height, offsetHeight)) && offsetWidth > 0 && offsetHeight > 0;
  const [scaleX, scaleY] =
    isScaled && !isTurned(element) ? [width / offsetWidth, height / offsetHeight] : [1, 1];
  const { paddingLeft, paddingTop } = getComputedStyle(element);
  const inset = (border: number, padding: string): number => border + (Number.parseFloat(padding) || 0);
  return [
    left + inset(clientLeft(element), paddingLeft) * scaleX,
    top + inset(clientTop(element), paddingTop) * scaleY,
    scaleX,
    scaleY,
  ];
}

/** Returns where the content of an iframe is drawn, by its index in the last observation; null if it is gone. */
export function framePlace(index: number): FramePlace | null {
  const element = frameElement(index);
  return element === null ? null : framePlaceOf(element);
}

/** Returns true if the iframe with this index in the last observation is on top at a point of the viewport. */
export function isFrameAt(index: number, x: number, y: number): boolean {
  const element = frameElement(index);
  return element !== null && deepestElementAt(x, y) === element;
}

const differs = (one: number, other: number): boolean => Math.abs(one - other) >= ROUNDING_PX;

/** Returns true if the element is turned or slanted: then its box does not tell its scale. */
function isTurned(element: Element): boolean {
  for (let around: Element | null = element; around !== null; around = composedParent(around)) {
    const { transform, rotate } = getComputedStyle(around);
    if (rotate !== 'none') return true;
    if (transform === 'none') continue;
    const { b, c } = new DOMMatrix(transform);
    if (b !== 0 || c !== 0) return true;
  }
  return false;
}

/** Returns the width of the window, and how far the document is scrolled from the left and from the top. CSS pixels. */
export const windowPlace = (): readonly [width: number, left: number, top: number] => [
  innerWidth,
  scrollX,
  scrollY,
];
