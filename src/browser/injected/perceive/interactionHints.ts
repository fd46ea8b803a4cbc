/** Attributes, classes and cursors that show how an element is used. */
import { getAttribute, queryIn } from '../dom/domGetters.ts';
import { CONTAINER_ROLES } from './ariaRole.ts';

/** Returns true if an editable region begins at the element. */
export function isEditingHost(element: Element): boolean {
  const value = getAttribute(element, 'contenteditable');
  return value === '' || value === 'true' || value === 'plaintext-only';
}

/** Classes with which the common drag-and-drop libraries mark handles and drop targets. */
const DRAG_CLASSES =
  /(^|\s)(ui-draggable-handle|ui-sortable-handle|ui-resizable-handle|draggable|sortable-item)(\s|$)/;
const DROP_CLASSES = /(^|\s)(ui-droppable|dropzone|drop-zone|drop-target)(\s|$)/;
const SLIDER_CLASSES = /(^|\s)(ui-slider-handle|noUi-handle|slider-handle)(\s|$)/;
const DRAG_CURSORS = /^(grab|move|all-scroll|[a-z]+-resize)$/;

/** Returns true if the element is marked as draggable. */
export function isDraggable(element: Element, className: string | null): boolean {
  if (getAttribute(element, 'draggable') === 'true') return true;
  if (className === null) return false;
  // A box with a handle is dragged by the handle, not by itself.
  if (/(^|\s)ui-draggable(\s|$)/.test(className) && queryIn(element, '.ui-draggable-handle') === null)
    return true;
  return DRAG_CLASSES.test(className);
}

/** Returns true for the classes of a drop target. */
export const isDropTarget = (className: string | null): boolean =>
  className !== null && DROP_CLASSES.test(className);

/** Returns true for the classes of a slider handle. */
export const isSliderHandle = (className: string | null): boolean =>
  className !== null && SLIDER_CLASSES.test(className);

/** True for the cursors of elements that are dragged. */
export const isDragCursor = (cursor: string): boolean => DRAG_CURSORS.test(cursor);

/** Returns true if a tabindex makes the element interactive, not only a box that keys can scroll. */
export function isFocusTarget(element: Element, role: string | null): boolean {
  const tabindex = getAttribute(element, 'tabindex');
  return tabindex !== null && Number(tabindex) >= 0 && (role === null || !CONTAINER_ROLES.has(role));
}
