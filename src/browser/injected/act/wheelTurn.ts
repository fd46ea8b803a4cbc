/** Recognizes boxes that move their content by style, such as wheels and carousels, and how they are turned by a drag. */
import {
  bodyOf,
  boxOf,
  clientHeight,
  clientWidth,
  composedParent,
  documentElement,
  elementFromPoint,
  firstElementChild,
  parentElement,
  scrollBy,
  scrollHeight,
  scrollIntoView,
  scrollingElement,
  scrollLeft,
  scrollTo,
  scrollTop,
  scrollWidth,
} from '../dom/domGetters.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import { lastContext, listedCandidate } from '../perceive/lastObservation.ts';
import { expectOwnScroll, isStaticDocument, noteScroll } from '../settle/quiet.ts';
import { isTouchedOnly } from './listenedEvents.ts';
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

/** The drag that brings an entry of a wheel into its window. CSS pixels. */
export interface WheelTurn {
  /** The middle of the visible window, in viewport coordinates. */
  readonly center: readonly [number, number];
  /** The size of the visible window. */
  readonly size: readonly [number, number];
  /** The distance by which the content must move, right and down, in pixels. */
  readonly distance: readonly [number, number];
  /** True if only fingers turn the wheel. */
  readonly touch: boolean;
  /** True if a press on the entry means the same wherever the entry is: it has a role of its own. */
  readonly explicit: boolean;
}

/** Minimum visible part of an entry, in each direction. CSS pixels. */
const MIN_VISIBLE_PX = 4;
/** Maximum number of ancestors of the window that may handle the drag. */
const MAX_LEVELS_ABOVE = 5;

/** Returns the drag that brings an entry into the window of its wheel, which must not be scrolled: it computes from positions. */
export function wheelTurn(key: number): WheelTurn | null {
  const element = elementByKey(key);
  const candidate = element === null ? null : (listedCandidate(element)?.candidate ?? null);
  if (element === null || candidate === null || candidate.basis === 'control') return null;
  const window = wheelsOf(element).find(wheel => !isShownIn(element, wheel));
  if (window === undefined) return null;
  showWindow(window);
  const [entry, frame] = [boxOf(element), boxOf(window)];
  const left = Math.max(0, frame.left);
  const top = Math.max(0, frame.top);
  const [right, bottom] = [Math.min(innerWidth, frame.right), Math.min(innerHeight, frame.bottom)];
  const center = [(left + right) / 2, (top + bottom) / 2] as const;
  const away = [entry.left + entry.width / 2 - center[0], entry.top + entry.height / 2 - center[1]] as const;
  return {
    center,
    size: [right - left, bottom - top],
    distance: [
      isBeside(entry.left, entry.right, left, right) ? -away[0] : 0,
      isBeside(entry.top, entry.bottom, top, bottom) ? -away[1] : 0,
    ],
    touch: isTouchedOnly(key),
    explicit: candidate.basis === 'role',
  };
}

/** Scrolls the window of a wheel into view, unless it is. */
function showWindow(window: Element): void {
  const { left, top, right, bottom } = boxOf(window);
  const isShown = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  // A frame may itself be out of view, which its document cannot tell.
  if (isShown && parent === self) return;
  expectOwnScroll();
  keepWheels(window, () =>
    scrollIntoView(window, {
      block: isShown ? 'nearest' : 'center',
      inline: isShown ? 'nearest' : 'center',
      behavior: 'instant',
    }),
  );
}

/** Calls `scroll`, and then gives the wheels around an element the scroll positions that they had before. */
export function keepWheels(element: Element, scroll: () => void): void {
  const before = wheelsOf(element).map(wheel => [wheel, scrollLeft(wheel), scrollTop(wheel)] as const);
  scroll();
  for (const [wheel, left, top] of before)
    if (scrollLeft(wheel) !== left || scrollTop(wheel) !== top)
      scrollTo(wheel, { left, top, behavior: 'instant' });
}

function wheelsOf(element: Element): readonly Element[] {
  const wheels: Element[] = [];
  let isMoved = isMovedByStyle(element);
  for (let at = composedParent(element); at !== null && !isRoot(at); at = composedParent(at)) {
    const { overflowX, overflowY } = getComputedStyle(at);
    const overflow = overflowX + overflowY;
    const hides = /hidden|clip/.test(overflow) && !/auto|scroll/.test(overflow);
    if (isMoved && hides && takesDrags(element, at)) wheels.push(at);
    isMoved ||= isMovedByStyle(at);
  }
  return wheels;
}

const isRoot = (element: Element): boolean =>
  element === documentElement(document) || element === bodyOf(document);

function isMovedByStyle(element: Element): boolean {
  const { transform, translate } = getComputedStyle(element);
  // A wheel at its start is moved by nothing, which is a transformation too.
  if (transform !== 'none' || translate !== 'none') return true;
  const { style } = element as HTMLElement;
  return [style?.top, style?.left, style?.marginTop, style?.marginLeft].some(
    at => (at ?? '') !== '' && at !== '0px',
  );
}

/** Returns true if something from the element up to a few levels above the window handles the press of a button or a finger. */
function takesDrags(element: Element, window: Element): boolean {
  const handlers = lastContext()?.handlers;
  let above = -1;
  for (
    let at: Element | null = element;
    at !== null && !isRoot(at) && above < MAX_LEVELS_ABOVE;
    at = composedParent(at)
  ) {
    if (handlers?.get(at)?.hold === true || /none|pan/.test(getComputedStyle(at).touchAction)) return true;
    if (at === window || above >= 0) above++;
  }
  return false;
}

function isShownIn(element: Element, window: Element): boolean {
  const [entry, frame] = [boxOf(element), boxOf(window)];
  const wide = Math.min(entry.right, frame.right) - Math.max(entry.left, frame.left);
  const high = Math.min(entry.bottom, frame.bottom) - Math.max(entry.top, frame.top);
  return wide >= Math.min(MIN_VISIBLE_PX, entry.width) && high >= Math.min(MIN_VISIBLE_PX, entry.height);
}

const isBeside = (start: number, end: number, from: number, to: number): boolean => start < from || end > to;
