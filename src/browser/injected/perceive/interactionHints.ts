/** Recognizes attributes, classes and cursors that show how an element is used. */
import { getAttribute, queryIn } from '../dom/domGetters.ts';
import { CONTAINER_ROLES } from './ariaRole.ts';

/** Returns true if the element is the root of an editable region. */
export function isEditingHost(element: Element): boolean {
  const value = getAttribute(element, 'contenteditable');
  return value === '' || value === 'true' || value === 'plaintext-only';
}

/** Classes by which the common drag-and-drop libraries mark handles and drop targets. */
const DRAG_CLASSES =
  /(^|\s)(ui-draggable-handle|ui-sortable-handle|ui-resizable-handle|draggable|sortable-item)(\s|$)/;
const DROP_CLASSES = /(^|\s)(ui-droppable|dropzone|drop-zone|drop-target)(\s|$)/;
const SLIDER_CLASSES = /(^|\s)(ui-slider-handle|noUi-handle|slider-handle)(\s|$)/;
const DRAG_CURSORS = /^(grab|move|all-scroll|[a-z]+-resize)$/;

/** Returns true if the element is marked as draggable. */
export function isDraggable(element: Element, className: string | null): boolean {
  if (getAttribute(element, 'draggable') === 'true') return true;
  if (className === null) return false;
  // A box with a handle is dragged by the handle, not by the box.
  if (/(^|\s)ui-draggable(\s|$)/.test(className) && queryIn(element, '.ui-draggable-handle') === null)
    return true;
  return DRAG_CLASSES.test(className);
}

/** Returns true if the classes contain that of a drop target. */
export const isDropTarget = (className: string | null): boolean =>
  className !== null && DROP_CLASSES.test(className);

/** Returns true if the classes contain that of a slider handle. */
export const isSliderHandle = (className: string | null): boolean =>
  className !== null && SLIDER_CLASSES.test(className);

/** Returns true for a cursor that shows that an element can be dragged. */
export const isDragCursor = (cursor: string): boolean => DRAG_CURSORS.test(cursor);

/** Returns true if a tabindex makes the element interactive; false for a container, whose tabindex only lets keys scroll it. */
export function isFocusTarget(element: Element, role: string | null): boolean {
  const tabindex = getAttribute(element, 'tabindex');
  return tabindex !== null && Number(tabindex) >= 0 && (role === null || !CONTAINER_ROLES.has(role));
}
