import { queryAllDocument } from './domGetters.ts';

/**
 * Returns the places of these elements of the document in its order; an element comes before those in it. Reads the document once:
 * the browser walks over all children between two elements to compare their positions, so each comparison in a list of thousands of
 * entries takes time that is linear in it.
 */
export function placesInDocument(elements: Iterable<Element>): ReadonlyMap<Element, number> {
  const wanted = new Set(elements);
  const places = new Map<Element, number>();
  if (wanted.size === 0) return places;
  for (const element of queryAllDocument(document, '*'))
    if (wanted.has(element)) places.set(element, places.size);
  return places;
}
