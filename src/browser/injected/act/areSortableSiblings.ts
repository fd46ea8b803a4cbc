import { boxOf, localName, parentNode } from '../dom/domGetters.ts';
import { elementByKey } from '../perceive/elementKeys.ts';

/** Two lengths count as similar when the longer is at most this many times the shorter. */
const MAX_SIZE_RATIO = 1.5;

/**
 * Returns true if the elements with these keys are siblings with the same tag and similar sizes, such as entries of a
 * list or tiles of a grid. False when one of them has left the document.
 */
export function areSortableSiblings(firstKey: number, secondKey: number): boolean {
  const [first, second] = [elementByKey(firstKey), elementByKey(secondKey)];
  if (first === null || second === null || first === second) return false;
  if (parentNode(first) !== parentNode(second)) return false;
  if (localName(first) !== localName(second) || first instanceof SVGElement) return false;
  const [box, other] = [boxOf(first), boxOf(second)];
  return isSimilar(box.width, other.width) && isSimilar(box.height, other.height);
}

const isSimilar = (one: number, other: number): boolean =>
  Math.max(one, other) <= MAX_SIZE_RATIO * Math.min(one, other);
