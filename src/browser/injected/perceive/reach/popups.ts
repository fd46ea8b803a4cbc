/** Recognizes dialogs, menus and lists that float above the page. */
import {
  boxOf,
  composedContains,
  documentElement,
  getAttribute,
  hasAttribute,
  localName,
  matches,
} from '../../dom/domGetters.ts';
import { elementsFromPointAround } from '../../dom/elementsFromPointAround.ts';
import { intersection, toBox } from '../element/box.ts';

const POPUP_ROLES = /^(dialog|alertdialog|menu|listbox)$/;
/** Matches the class words that libraries give to what they show above the page. */
const POPUP_CLASSES =
  /(^|[\s_-])(modal|dialog|popup|popover|dropdown|menu|lightbox|drawer|offcanvas|autocomplete|suggestions?|typeahead|datepicker|flatpickr-calendar|consent|cookies?)(s?[\s_-]|$)/i;
/** Maximum number of levels between a positioned box and the element with the role of a popup in it. */
const MAX_LEVELS = 3;
/** A popup is at least this large. CSS pixels. */
const MIN_SIZE = { width: 30, height: 12 } as const;

/**
 * Returns true if an element says that the positioned box around it is a dialog, a menu or a list that opens above the page.
 * @param levels number of levels from the positioned box down to the element
 */
export function isPopupPart(element: Element, levels: number): boolean {
  if (levels > MAX_LEVELS) return false;
  const role = getAttribute(element, 'role');
  if (role !== null && POPUP_ROLES.test(role)) return true;
  if (hasAttribute(element, 'popover') || localName(element) === 'dialog') return true;
  if (getAttribute(element, 'aria-modal') === 'true') return true;
  return levels === 0 && POPUP_CLASSES.test(getAttribute(element, 'class') ?? '');
}

/** Returns true if a positioned box lies above other content of the page, at its middle. */
export function liesAbovePage(popup: Element, width: number, height: number): boolean {
  const box = toBox(boxOf(popup));
  const visible = intersection(box, { left: 0, top: 0, right: width, bottom: height });
  if (visible === null) return false;
  if (box.right - box.left < MIN_SIZE.width || box.bottom - box.top < MIN_SIZE.height) return false;
  const [x, y] = [(visible.left + visible.right) / 2, (visible.top + visible.bottom) / 2];
  const stack = elementsFromPointAround(popup, x, y);
  const first = stack.findIndex(element => composedContains(popup, element));
  if (first < 0) return isAboveAtCorner(popup, visible.left + 4, visible.top + 4);
  return stack.slice(first).some(element => isOtherContent(element, popup));
}

/** Like `liesAbovePage`, at one point: the middle of a wrapper can be empty. */
function isAboveAtCorner(popup: Element, x: number, y: number): boolean {
  const stack = elementsFromPointAround(popup, x, y);
  const first = stack.findIndex(element => composedContains(popup, element));
  return first >= 0 && stack.slice(first).some(element => isOtherContent(element, popup));
}

/** Returns true if an element is neither the box, nor in it or around it. */
export const isOtherContent = (element: Element, popup: Element): boolean =>
  !composedContains(popup, element) &&
  !composedContains(element, popup) &&
  element !== documentElement(document) &&
  !matches(element, 'body');
