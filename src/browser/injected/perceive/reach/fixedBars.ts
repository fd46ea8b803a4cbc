/** Recognizes elements that only a bar at an edge of the window covers: scrolling brings them out from below it. */
import { boxOf, composedParent, documentElement, scrollHeight } from '../../dom/domGetters.ts';
import { styleOf } from '../../dom/styleOf.ts';
import type { Box } from '../element/box.ts';
import type { ObservationContext } from '../observationContext.ts';

/**
 * Returns true if the page can be scrolled so far that the bar no longer covers the box.
 * @param cover the element above the box
 * @param box the box of an element that scrolls with the page
 */
export function scrollsFromBelow(cover: Element, box: Box, { scrollY, height }: ObservationContext): boolean {
  const bar = barAround(cover);
  const root = documentElement(document);
  if (bar === null || root === null) return false;
  const { top, bottom } = boxOf(bar);
  if (top > height / 2) return scrollHeight(root) - height - scrollY >= box.bottom - top;
  return bottom < height / 2 && scrollY >= bottom - box.top;
}

/** Returns the box around an element that stays at its place in the window: for a sticky one, while the page below it scrolls. */
function barAround(element: Element): Element | null {
  for (let at: Element | null = element; at !== null; at = composedParent(at)) {
    const { position } = styleOf(at);
    if (position === 'fixed' || position === 'sticky') return at;
  }
  return null;
}
