/** Classifies elements that the browser or a role makes interactive. */
import { getAttribute, hasAttribute, isContentEditable } from '../../dom/domGetters.ts';
import type { Classification, ClassificationBasis } from '../candidate.ts';
import type { Control } from '../wireFormat.ts';

const CHECKED_ROLES = new Set(['checkbox', 'switch', 'menuitemcheckbox', 'radio']);
const CLICK_INPUTS = new Set(['submit', 'button', 'reset', 'image']);

/** The control for each `input` type. Types that are neither here nor in `CLICK_INPUTS` are text fields, except `hidden`. */
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

const link = (basis: ClassificationBasis): Classification => ({ basis, letter: 'L', control: 'click' });
export const button = (basis: ClassificationBasis): Classification => ({
  basis,
  letter: 'B',
  control: 'click',
});
const input = (basis: ClassificationBasis, control: Control): Classification => ({
  basis,
  letter: 'I',
  control,
});

export const BUTTON: Classification = button('control');

/** Classifies a `body` that is edited as a whole, as in the frame of a text editor; null for any other root. */
export function editableBody(element: Element, tag: string): Classification | null {
  if (tag !== 'body' || !isContentEditable(element as HTMLElement)) return null;
  return input('control', 'contenteditable');
}

const roleIn = (element: Element): string => (getAttribute(element, 'role') ?? '').trim().toLowerCase();

/** Classifies a checkbox, a switch or a radio button: its value sets it, whatever its tag is. Null for other elements. */
function checkedControl(element: Element): Classification | null {
  const role = roleIn(element);
  return CHECKED_ROLES.has(role) ? input('control', role === 'radio' ? 'radio' : 'checkbox') : null;
}

export function classifyNative(element: Element, tag: string): Classification | null {
  switch (tag) {
    case 'a':
    case 'area':
      return hasAttribute(element, 'href') ? (checkedControl(element) ?? link('control')) : null;
    case 'button': {
      const checked = checkedControl(element);
      if (checked !== null) return checked;
      const role = roleIn(element);
      // The border between two panes, which arrow keys move (WAI-ARIA 1.2, focusable separator).
      const isBorder = role === 'separator' && hasAttribute(element, 'aria-valuenow');
      return role === 'slider' || role === 'spinbutton' || isBorder
        ? input('control', 'slider')
        : button('control');
    }
    case 'summary':
      return button('control');
    case 'select':
      return input('control', 'select');
    case 'textarea':
      return input('control', 'text');
    case 'input':
      return element instanceof HTMLInputElement ? classifyInput(element.type) : null;
    case 'video':
    case 'audio':
      return hasAttribute(element, 'controls') ? { basis: 'control', letter: 'B', control: 'media' } : null;
    default:
      return null;
  }
}

function classifyInput(type: string): Classification | null {
  if (type === 'hidden') return null;
  if (CLICK_INPUTS.has(type)) return button('control');
  return input('control', INPUT_CONTROLS[type] ?? 'text');
}

export function classifyRole(role: string): Classification | null {
  switch (role) {
    case 'link':
      return link('role');
    case 'checkbox':
    case 'switch':
    case 'menuitemcheckbox':
      return input('role', 'checkbox');
    case 'radio':
      return input('role', 'radio');
    case 'slider':
    case 'spinbutton':
      return input('role', 'slider');
    case 'button':
    case 'tab':
    case 'menuitem':
    case 'menuitemradio':
    case 'option':
    case 'treeitem':
    case 'combobox':
      return button('role');
    default:
      return null;
  }
}
