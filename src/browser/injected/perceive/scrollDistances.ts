/** How far the page, and the regions that are listed, can still be scrolled. Pixels. */
import { clientHeight, scrollHeight, scrollingElement, scrollTop } from '../dom/domGetters.ts';
import type { Candidate } from './candidate.ts';
import type { ObservationContext } from './observationContext.ts';

export function scrollDistances(
  reading: ObservationContext,
  listed: readonly { readonly found: Candidate }[],
): { scrollableDown: number; scrollableUp: number } {
  const ways = listed
    .filter(({ found }) => found.basis === 'scroll' || found.tag === 'textarea')
    .map(({ found }) => scrollDistance(found.element, clientHeight(found.element)));
  const root = scrollingElement(document);
  if (root !== null) ways.push(scrollDistance(root, reading.height));
  return {
    scrollableUp: Math.max(0, ...ways.map(({ up }) => up)),
    scrollableDown: Math.max(0, ...ways.map(({ down }) => down)),
  };
}

function scrollDistance(element: Element, shown: number): { up: number; down: number } {
  const up = Math.round(scrollTop(element));
  return { up, down: Math.floor(scrollHeight(element) - shown - up) };
}
