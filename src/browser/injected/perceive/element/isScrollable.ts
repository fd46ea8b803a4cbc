import {
  clientHeight,
  clientWidth,
  firstElementChild,
  hasAttributes,
  scrollHeight,
  scrollWidth,
} from '../../dom/domGetters.ts';

const SCROLLING_OVERFLOW = /auto|scroll|overlay/;
const CONTAINER_TAGS = /^(main|section|article|aside|nav|ul|ol|pre|table|div)$/;
/** A region is listed only if its visible height (or width, if it scrolls sideways) is larger than this. CSS pixels. */
const MIN_SIZE_PX = 12;

/**
 * Returns true if an element is a scrollable region. Reads the layout only of elements that can be one, because layout
 * is expensive on large pages.
 * @param handlesWheel true when the element has handlers of the mouse wheel: then it can scroll content with hidden overflow
 */
export function isScrollable(
  element: Element,
  tag: string,
  style: CSSStyleDeclaration,
  handlesWheel = false,
): boolean {
  if (tag === 'video' || tag === 'audio' || firstElementChild(element) === null) {
    if (!hasAttributes(element)) return false;
  } else if (!hasAttributes(element) && !CONTAINER_TAGS.test(tag)) return false;
  const { overflowY } = style;
  // `visible` and `clip` become `auto` and `hidden` beside any other value: nothing scrolls sideways here either.
  if (overflowY === 'visible' || overflowY === 'clip') return false;
  const scrollsDown =
    (SCROLLING_OVERFLOW.test(overflowY) || (handlesWheel && overflowY === 'hidden')) &&
    scrollHeight(element) > clientHeight(element) + 2;
  if (scrollsDown) return clientHeight(element) > MIN_SIZE_PX;
  return (
    SCROLLING_OVERFLOW.test(style.overflowX) &&
    scrollWidth(element) > clientWidth(element) + 2 &&
    clientWidth(element) > MIN_SIZE_PX
  );
}
