/** Recognizes attributes, classes and cursors that show how an element is used. */

import { ofClassName } from '../../dom/classNames.ts';
import { getAttribute, hasAttribute, localName, queryIn } from '../../dom/domGetters.ts';
import { CONTAINER_ROLES } from '../element/ariaRole.ts';
import { hasSliderSource } from '../element/fields.ts';

export function isEditingHost(element: Element): boolean {
  const value = getAttribute(element, 'contenteditable');
  return value === '' || value === 'true' || value === 'plaintext-only';
}

/** Matches classes by which the common drag-and-drop libraries mark elements that can be dragged. */
const DRAG_CLASSES =
  /(^|\s)(ui-draggable-handle|ui-sortable-handle|ui-resizable-handle|draggable|sortable-item)(\s|$)/;
/** Matches classes by which the common drag-and-drop libraries mark drop targets. */
const DROP_CLASSES = /(^|[\s_-])(ui-droppable|drop-?(zone|target|area))([\s_-]|$)/i;
const SLIDER_CLASSES =
  /(^|\s)(ui-slider-handle|noUi-handle|slider-handle|irs-handle|range-?slider-?(handle|thumb))(\s|$)/;
const marksDragged = ofClassName(className => /(^|\s)ui-draggable(\s|$)/.test(className));
const marksDraggable = ofClassName(className => DRAG_CLASSES.test(className));
const marksDropTarget = ofClassName(className => DROP_CLASSES.test(className));
const marksSlider = ofClassName(className => SLIDER_CLASSES.test(className));
const DRAG_CURSORS = /^(grab|move|all-scroll|[a-z]+-resize)$/;

export function isDraggable(element: Element, className: string | null): boolean {
  if (getAttribute(element, 'draggable') === 'true') return true;
  if (className === null) return false;
  // A box with a handle is dragged by the handle, not by the box.
  if (marksDragged(className) && queryIn(element, '.ui-draggable-handle') === null) return true;
  return marksDraggable(className) && !/^(table|tbody|ul|ol)$/.test(localName(element));
}

/** Returns true if a class or an attribute marks the element as a drop target, as the common drag-and-drop libraries do. */
export const isDropTarget = (element: Element, className: string | null): boolean =>
  (className !== null && marksDropTarget(className)) || hasAttribute(element, 'data-drop-target-for-element');

/** Matches a class that a library may give the handle of a slider that it draws: `t-slider__button-wrapper`, `vSliderThumb`. */
const DRAWN_HANDLE = /(?:^|\s)\S*slider[-_]*(?:handle|thumb|button|knob|dot|pointer)/i;
const marksDrawnHandle = ofClassName(className => DRAWN_HANDLE.test(className));
/** Matches a style that places an element at a part of its track. */
const PLACED_BY_PERCENT = /(?:^|[;\s])(?:left|right|top|bottom|inset-inline-start)\s*:\s*[\d.]+%/;

export function isSliderHandle(element: Element, className: string | null): boolean {
  if (className === null) return false;
  if (marksSlider(className)) return true;
  return (
    marksDrawnHandle(className) &&
    PLACED_BY_PERCENT.test(getAttribute(element, 'style') ?? '') &&
    (queryIn(element, 'input, [role=slider]') === null || hasSliderSource(element))
  );
}

/** Returns true for a computed `cursor` which shows that an element can be dragged (`grab`, `move`, `ns-resize`). */
export const isDragCursor = (cursor: string): boolean => DRAG_CURSORS.test(cursor);

/** Returns true for a computed `cursor` which shows that an element can be dragged along a line (`col-resize`). */
export const isResizeCursor = (cursor: string): boolean => cursor.endsWith('-resize');

/** Returns true if `tabindex` makes an element interactive: that of a container only lets the keyboard scroll it. */
export function isFocusTarget(element: Element, role: string | null): boolean {
  const tabindex = getAttribute(element, 'tabindex');
  return tabindex !== null && Number(tabindex) >= 0 && (role === null || !CONTAINER_ROLES.has(role));
}
