/** Scrolls the page, or the region around an element. */
import {
  clientHeight,
  clientWidth,
  documentElement,
  elementFromPoint,
  firstElementChild,
  parentElement,
  scrollBy,
  scrollHeight,
  scrollingElement,
  scrollLeft,
  scrollTop,
  scrollWidth,
} from '../dom/domGetters.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import { isStaticDocument, noteScroll } from '../settle/quiet.ts';
import { waitForRest } from './waitForRest.ts';

/** `at its end`: the box cannot be scrolled further in this direction. `not scrollable`: the page has no scrollable box. */
export type ScrollResult = 'scrolled' | 'at its end' | 'not scrollable';

/** Default scroll distance, as a part of the visible height (or width) of the scrolled box. */
const DEFAULT_PART = 0.85;
/** Minimum of the default scroll distance. CSS pixels. */
const MIN_DEFAULT_PIXELS = 40;
const SCROLLABLE = /auto|scroll|overlay/;

/** The box to scroll, and its scroll position to change: `top` to scroll down or up, `left` to scroll sideways. */
interface ScrollTarget {
  readonly element: Element;
  readonly side: 'top' | 'left';
}

/**
 * Scrolls the nearest scrollable box around the element, else the page. A box that can only scroll sideways is scrolled
 * sideways. Without an element it scrolls the page or, if the page cannot scroll, the box in the middle of the
 * viewport, like a mouse wheel.
 * @param key the key of the element; null for none
 * @param direction 1 for down or right, -1 for up or left
 * @param pixels distance in CSS pixels; null for most of the visible part of the box
 */
export async function scrollRegion(
  key: number | null,
  direction: 1 | -1,
  pixels: number | null,
): Promise<ScrollResult> {
  const page = scrollingElement(document) ?? documentElement(document);
  if (page === null) return 'not scrollable';
  const pageIsStill = scrollHeight(page) <= innerHeight + 1;
  const middle = () => elementFromPoint(document, innerWidth / 2, innerHeight / 2);
  const start = key !== null ? elementByKey(key) : pageIsStill ? middle() : page;
  const { element, side } = findScrollTarget(start, page);
  const position = side === 'top' ? scrollTop : scrollLeft;
  const size = element === page ? innerHeight : (side === 'top' ? clientHeight : clientWidth)(element);
  const distance = pixels ?? Math.max(MIN_DEFAULT_PIXELS, size * DEFAULT_PART);
  const before = position(element);
  scrollBy(element, { [side]: direction * distance, behavior: 'instant' });
  if (position(element) !== before) {
    if (isStaticDocument()) return 'scrolled';
    noteScroll();
    if (element !== page) await untilPressable(element);
    return 'scrolled';
  }
  return element === page && pageIsStill ? 'not scrollable' : 'at its end';
}

/** Maximum wait until the content of a box takes presses again: some lists take none while they are scrolled. Milliseconds. */
const PRESSABLE_TIMEOUT_MS = 500;
/** Maximum wait for the frames in which the page handles the scrolling. Milliseconds. */
const FRAMES_TIMEOUT_MS = 50;

async function untilPressable(box: Element): Promise<void> {
  const end = performance.now() + PRESSABLE_TIMEOUT_MS;
  do await waitForRest(2, FRAMES_TIMEOUT_MS);
  while (isUnpressable(box) && performance.now() < end);
}

/** Returns true if the box, or its only child, takes no presses. */
function isUnpressable(box: Element): boolean {
  const child = firstElementChild(box);
  return [box, child].some(one => one !== null && getComputedStyle(one).pointerEvents === 'none');
}

function findScrollTarget(start: Element | null, page: Element): ScrollTarget {
  for (let element = start; element !== null && element !== page; element = parentElement(element)) {
    const { overflowX, overflowY } = getComputedStyle(element);
    if (scrollHeight(element) > clientHeight(element) + 1 && SCROLLABLE.test(overflowY))
      return { element, side: 'top' };
    if (scrollWidth(element) > clientWidth(element) + 1 && SCROLLABLE.test(overflowX))
      return { element, side: 'left' };
  }
  return { element: page, side: 'top' };
}
