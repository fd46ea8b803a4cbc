/** Finds the part of an element by which it is dragged. */
import {
  boxOf,
  checkVisibility,
  composedContains,
  getAttribute,
  hasAttribute,
  localName,
  parentNode,
  queryAllIn,
  textContent,
} from '../dom/domGetters.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import { isDragCursor, isDraggable, isResizeCursor } from '../perceive/find/interactionHints.ts';
import { lastContext, listedCandidate } from '../perceive/lastObservation.ts';
import { deepestElementAt } from '../perceive/reach/hitTest.ts';
import { hoverHostOf, pointOver } from '../perceive/reach/shownOnHover.ts';
import { expectOwnScroll } from '../settle/quiet.ts';

/** Two lengths count as similar when the longer is at most this many times the shorter. */
const MAX_SIZE_RATIO = 1.5;

/** Returns true for siblings of one tag and similar sizes, such as entries of a list. */
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

/** Returns the point at which the pointer renders the element, scrolled into view; null if it is rendered or gone. */
export function hoverHostPoint(key: number): readonly [number, number] | null {
  const element = elementByKey(key);
  const listed = element === null ? null : listedCandidate(element);
  const host = listed === null ? null : hoverHostOf(listed.candidate);
  if (host === null) return null;
  const point = pointOver(host);
  if (point !== null) return point;
  expectOwnScroll();
  Element.prototype.scrollIntoView.call(host, { block: 'center', inline: 'nearest', behavior: 'instant' });
  return pointOver(host);
}

const MAX_SEARCHED = 400;
/** Matches classes and attributes by which pages mark the part that is pressed to drag. */
const HANDLE_WORDS = /(^|[\s_-])(drag|grip|grab|handle|handler|mover?)(?=$|[\s_-])/i;

/** Returns the offset at which a drag must press; null when the element itself is dragged and shows no handle. */
export function dragHandlePoint(key: number): readonly [number, number] | null {
  const element = elementByKey(key);
  // An element that handles the press itself is dragged at its middle. One that is marked as draggable may go only by its handle.
  if (element === null || (startsDrag(element) && !isMarked(element))) return null;
  const outer = boxOf(element);
  const parts = Array.from(queryAllIn(element, '*'))
    .slice(0, MAX_SEARCHED)
    .filter(part => checkVisibility(part, { checkVisibilityCSS: true }) && !isEdge(part, element));
  const handle = startsDrag(element)
    ? parts.find(part => isNamedHandle(part) && !/[\p{L}\p{N}]/u.test(textContent(part) ?? ''))
    : (parts.find(isNamedHandle) ??
      parts.find(startsDrag) ??
      parts.find(hasDragCursor) ??
      parts.find(looksLikeHandle));
  if (handle === undefined) return null;
  const box = boxOf(handle);
  if (box.width === 0 || box.height === 0) return null;
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const top = deepestElementAt(x, y);
  if (top !== null && !composedContains(handle, top) && !composedContains(top, handle)) return null;
  return [x - outer.left, y - outer.top];
}

/** Returns true for an edge by which a box is made larger, as that of an event in a calendar: it does not move the box. */
const isEdge = (part: Element, whole: Element): boolean =>
  isResizeCursor(getComputedStyle(part).cursor) && !isResizeCursor(getComputedStyle(whole).cursor);

const isMarked = (element: Element): boolean => isDraggable(element, getAttribute(element, 'class'));

/** Returns true if the element is marked as draggable, or handles the press of a button. */
function startsDrag(element: Element): boolean {
  if (isMarked(element)) return true;
  const handlers = lastContext()?.handlers.get(element);
  return handlers?.hold === true || handlers?.drag === true;
}

const isNamedHandle = (element: Element): boolean =>
  hasAttribute(element, 'data-drag-handle') ||
  hasAttribute(element, 'data-rfd-drag-handle-draggable-id') ||
  (HANDLE_WORDS.test(getAttribute(element, 'class') ?? '') &&
    (isDragCursor(getComputedStyle(element).cursor) || startsDrag(element)));

/** Matches the text of a part that is drawn as a handle, and the name of a button that is dragged. */
const GRIP_TEXT = /^[≡☰⠿⣿⋮⋯∷⁞⁝:·•=↕✥✢]{1,4}$/u;
const DRAG_NAME = /\b(drag|reorder|re-order|move item)\b/i;

/** Returns true for a part that people take for a handle, by its symbol, its class or its name, in a list whose own box handles the press. */
const looksLikeHandle = (element: Element): boolean =>
  GRIP_TEXT.test((textContent(element) ?? '').replace(/\s/g, '')) ||
  HANDLE_WORDS.test(getAttribute(element, 'class') ?? '') ||
  DRAG_NAME.test(getAttribute(element, 'aria-label') ?? getAttribute(element, 'title') ?? '');

const hasDragCursor = (element: Element): boolean => isDragCursor(getComputedStyle(element).cursor);
