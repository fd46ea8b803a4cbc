import { boxOf, localName, parentNode } from '../dom/domGetters.ts';
import { elementByKey } from '../perceive/elementKeys.ts';

/** Maximum ratio of two sizes that count as about equal. */
const MAX_SIZE_RATIO = 1.5;

/** True when both are siblings of one kind and of about one size: entries of a list, tiles of a grid. */
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
