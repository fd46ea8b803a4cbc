/** Finds and counts the fields in boxes. Thousands of elements can stand in one box, which is searched once for all of them. */
import { checkVisibility, queryAllIn } from '../../dom/domGetters.ts';

const counts = new Map<string, Map<Element, number>>();
const rendered = new Map<string, Map<Element, readonly Element[]>>();

/** Forgets the fields and their counts: the page may have changed. */
export function clearFieldCounts(): void {
  counts.clear();
  rendered.clear();
}

/**
 * Returns the rendered elements in a box that match a selector, in document order, as they were when they were asked for first since
 * `clearFieldCounts`.
 */
export function renderedIn(box: Element, selector: string): readonly Element[] {
  const bySelector = rendered.get(selector) ?? new Map<Element, readonly Element[]>();
  rendered.set(selector, bySelector);
  const known = bySelector.get(box);
  if (known !== undefined) return known;
  const found = Array.from(queryAllIn(box, selector)).filter(element => checkVisibility(element));
  bySelector.set(box, found);
  return found;
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
