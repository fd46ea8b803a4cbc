/** Detects what covers the whole viewport: a modal dialog, or a veil. A press does not reach the elements below it. */
import {
  boxOf,
  comparePosition,
  composedContains,
  composedParent,
  documentElement,
  elementsByTag,
  elementsFromPoint,
  firstElementChild,
  getAttribute,
  getRootNode,
  hasAttribute,
  isShadowRoot,
  localName,
  matches,
  queryAllDocument,
} from '../../dom/domGetters.ts';
import { styleOf } from '../../dom/styleOf.ts';
import { intersection, toBox, visibleBox } from '../element/box.ts';
import type { ObservationContext } from '../observationContext.ts';
import { deepestElementAt } from './hitTest.ts';

/** Returns the elements at a point of the viewport as the shadow tree of an element sees them: those of the tree, and of the trees around it. */
export function elementsFromPointAround(element: Element, x: number, y: number): readonly Element[] {
  const root = getRootNode(element);
  return isShadowRoot(root)
    ? ShadowRoot.prototype.elementsFromPoint.call(root, x, y)
    : elementsFromPoint(x, y);
}

const POPUP_ROLES = /^(dialog|alertdialog|menu|listbox)$/;
/** Matches the class words that libraries give to what they show above the page. */
const POPUP_CLASSES =
  /(^|[\s_-])(modal|dialog|popup|popover|dropdown|menu|lightbox|drawer|offcanvas|autocomplete|suggestions?|typeahead|datepicker|flatpickr-calendar|consent|cookies?)(s?[\s_-]|$)/i;
/** Maximum number of levels between a positioned box and the element with the role of a popup in it. */
const MAX_LEVELS = 3;
/** A popup is at least this large. CSS pixels. */
const MIN_SIZE = { width: 30, height: 12 } as const;

/** Returns true for a dialog, a menu or a list that opens above the page. @param levels from the positioned box down to the element */
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

export interface ModalOverlay {
  /** The veil, or the modal dialog: what a press reaches instead of the elements below it. */
  readonly cover: Element;
  /** The elements that a press still reaches, with what is inside of them. */
  readonly parts: readonly Element[];
  /** True when a press reaches nothing outside of the parts, wherever it stands in the document. */
  readonly coversAll: boolean;
}

const DIALOGS = '[aria-modal=true], [role=dialog], [role=alertdialog], .modal.show';

/** Finds the modal dialog, or the positioned box that covers all four corners and is a veil or shows a dialog; null if there is none. */
export function findModalOverlay({ width, height }: ObservationContext): ModalOverlay | null {
  const modal = mayHaveModal() ? Array.from(queryAllDocument(document, ':modal')).at(-1) : undefined;
  if (modal !== undefined) return { cover: modal, parts: [modal], coversAll: true };
  const corners = [
    [3, 3],
    [width - 4, 3],
    [3, height - 4],
    [width - 4, height - 4],
  ] as const;
  const corner = deepestElementAt(...corners[0]);
  // The backdrop of a modal dialog in a shadow tree is the dialog itself.
  const inShadow = around(corner, ':modal');
  if (inShadow !== null) return { cover: inShadow, parts: [inShadow], coversAll: true };
  const first = coveringBox(corner, width, height);
  if (first === null) return null;
  if (!corners.every(([x, y]) => composedContains(first, deepestElementAt(x, y)))) return null;
  const dialogs = Array.from(queryAllDocument(document, DIALOGS)).filter(
    dialog => visibleBox(dialog) !== null,
  );
  const inTree = around(first, DIALOGS);
  if (inTree !== null) dialogs.push(inTree);
  if (dialogs.length > 0) return { cover: first, parts: [...dialogs, first], coversAll: true };
  if (isWindowLayer(first, width, height)) return { cover: first, parts: [first], coversAll: true };
  // A press on a frame goes to its document, whatever origin it has.
  if (localName(first) === 'iframe') return { cover: first, parts: [first], coversAll: true };
  if (firstElementChild(first) !== null || /^(canvas|img|video|svg)$/.test(localName(first))) return null;
  const parent = composedParent(first);
  const portal = parent !== null && !matches(parent, 'body') && isPositionedItself(parent) ? parent : first;
  return { cover: first, parts: [portal], coversAll: false };
}

/** Returns false if nothing in the document can be modal: without dialogs and full screen, searching it finds nothing. */
const mayHaveModal = (): boolean =>
  elementsByTag(document, 'dialog').length > 0 || document.fullscreenElement !== null;

/** Points of the window at which a layer is on top of everything else, as fractions of its width and height. */
const LAYER_POINTS = [
  [0.5, 0.5],
  [0.25, 0.25],
  [0.75, 0.25],
  [0.25, 0.75],
  [0.75, 0.75],
] as const;

/** Returns true for a fixed box with content above other content in the whole window: a dialog without a role. */
function isWindowLayer(cover: Element, width: number, height: number): boolean {
  if (firstElementChild(cover) === null || styleOf(cover).position !== 'fixed') return false;
  let isAbove = false;
  for (const [across, down] of LAYER_POINTS) {
    const stack = elementsFromPointAround(cover, width * across, height * down);
    const [top] = stack;
    if (top === undefined || !composedContains(cover, top)) return false;
    isAbove ||= stack.some(element => isOtherContent(element, cover));
  }
  return isAbove;
}

/** Returns the nearest element that matches, from an element outward, also outside of its shadow tree; null if there is none. */
function around(element: Element | null, selector: string): Element | null {
  for (let at = element; at !== null; at = composedParent(at)) if (matches(at, selector)) return at;
  return null;
}

/** Returns the nearest positioned box that covers the viewport, from an element outward; null if there is none. */
function coveringBox(element: Element | null, width: number, height: number): Element | null {
  for (let at = element; at !== null && !matches(at, 'html, body'); at = composedParent(at)) {
    const box = boxOf(at);
    if (box.width < width * 0.98 || box.height < height * 0.98) continue;
    if (isPositionedItself(at)) return at;
  }
  return null;
}

/** Returns true if the overlay does not contain the element, which does not come after a veil either. */
export const isBehindOverlay = (overlay: ModalOverlay | null, element: Element): boolean =>
  overlay !== null &&
  !overlay.parts.some(part => composedContains(part, element)) &&
  (overlay.coversAll || !comesAfter(overlay.cover, element));

const comesAfter = (cover: Element, element: Element): boolean =>
  (comparePosition(cover, element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

const isPositionedItself = (element: Element): boolean => {
  const { position } = styleOf(element);
  return position === 'fixed' || position === 'absolute';
};
