/** Counts the fields in boxes. Thousands of elements can stand in one box, which is searched once for all of them. */
import { queryAllIn } from '../../dom/domGetters.ts';

const counts = new Map<string, Map<Element, number>>();

/** Forgets the counts: the page may have changed. */
export function clearFieldCounts(): void {
  counts.clear();
}

/** Returns the number of elements in a box that match a selector, as it was when it was asked for first since `clearFieldCounts`. */
export function countIn(box: Element, selector: string): number {
  const bySelector = counts.get(selector) ?? new Map<Element, number>();
  counts.set(selector, bySelector);
  const known = bySelector.get(box);
  if (known !== undefined) return known;
  const { length } = queryAllIn(box, selector);
  bySelector.set(box, length);
  return length;
}
