/** Whether an element is acted on, and how: native controls, roles, handlers, focus, cursor. */

import { getAttribute, hasAttribute, inputType, queryIn } from '../dom/domGetters.ts';
import { CONTAINER_ROLES } from './ariaRole.ts';
import type { Classification } from './candidate.ts';
import type { Control } from './wireFormat.ts';

const CLICK_INPUTS = new Set(['submit', 'button', 'reset', 'image']);

const INPUT_CONTROLS: Readonly<Record<string, Control>> = {
  checkbox: 'checkbox',
  radio: 'radio',
  file: 'file',
  number: 'number',
  range: 'range',
  date: 'date',
  time: 'time',
  'datetime-local': 'datetime',
  month: 'month',
  week: 'week',
  color: 'color',
};

const LINK: Classification = { basis: 'control', letter: 'L', control: 'click' };
const buttonBy = (basis: Classification['basis']): Classification => ({
  basis,
  letter: 'B',
  control: 'click',
});
const inputBy = (control: Control, basis: Classification['basis'] = 'control'): Classification => ({
  basis,
  letter: 'I',
  control,
});

/** Elements that the browser itself makes interactive; null for all others. */
export function classifyNative(element: Element, tag: string): Classification | null {
  switch (tag) {
    case 'a':
    case 'area':
      return hasAttribute(element, 'href') ? LINK : null;
    case 'button':
      return buttonBy('control');
    case 'summary':
      return buttonBy('control');
    case 'select':
      return inputBy('select');
    case 'textarea':
      return inputBy('text');
    case 'input':
      return element instanceof HTMLInputElement ? classifyInput(inputType(element)) : null;
    case 'video':
    case 'audio':
      return hasAttribute(element, 'controls') ? { basis: 'control', letter: 'B', control: 'media' } : null;
    default:
      return null;
  }
}

function classifyInput(type: string): Classification | null {
  if (type === 'hidden') return null;
  if (CLICK_INPUTS.has(type)) return buttonBy('control');
  return inputBy(INPUT_CONTROLS[type] ?? 'text');
}

/** What a written role makes of an element that the browser does not make interactive. */
export function classifyRole(role: string): Classification | null {
  switch (role) {
    case 'link':
      return { basis: 'role', letter: 'L', control: 'click' };
    case 'checkbox':
    case 'switch':
      return inputBy('checkbox', 'role');
    case 'radio':
      return inputBy('radio', 'role');
    case 'slider':
    case 'spinbutton':
      return inputBy('slider', 'role');
    case 'button':
    case 'tab':
    case 'menuitem':
    case 'menuitemcheckbox':
    case 'menuitemradio':
    case 'option':
    case 'treeitem':
    case 'combobox':
      return buttonBy('role');
    default:
      return null;
  }
}

/** Whether the element begins an editable region. */
export function isEditingHost(element: Element): boolean {
  const value = getAttribute(element, 'contenteditable');
  return value === '' || value === 'true' || value === 'plaintext-only';
}

/** Classes by which the widespread drag-and-drop widgets mark what they move and where it may be dropped. */
const DRAG_CLASSES =
  /(^|\s)(ui-draggable-handle|ui-sortable-handle|ui-resizable-handle|draggable|sortable-item)(\s|$)/;
const DROP_CLASSES = /(^|\s)(ui-droppable|dropzone|drop-zone|drop-target)(\s|$)/;
const SLIDER_CLASSES = /(^|\s)(ui-slider-handle|noUi-handle|slider-handle)(\s|$)/;
const DRAG_CURSORS = /^(grab|move|all-scroll|[a-z]+-resize)$/;

export function isDraggable(element: Element, className: string | null): boolean {
  if (getAttribute(element, 'draggable') === 'true') return true;
  if (className === null) return false;
  // A box that is dragged by a handle in it is not dragged by itself.
  if (/(^|\s)ui-draggable(\s|$)/.test(className) && queryIn(element, '.ui-draggable-handle') === null)
    return true;
  return DRAG_CLASSES.test(className);
}

/** Whether something is dropped on it rather than dragged. */
export const isDropTarget = (className: string | null): boolean =>
  className !== null && DROP_CLASSES.test(className);

export const isSliderHandle = (className: string | null): boolean =>
  className !== null && SLIDER_CLASSES.test(className);

export const isDragCursor = (cursor: string): boolean => DRAG_CURSORS.test(cursor);

/** Whether a tabindex makes the element something to act on rather than a box that can be scrolled by keys. */
export function isFocusTarget(element: Element, role: string | null): boolean {
  const tabindex = getAttribute(element, 'tabindex');
  return tabindex !== null && Number(tabindex) >= 0 && (role === null || !CONTAINER_ROLES.has(role));
}
