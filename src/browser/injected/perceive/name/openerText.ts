/** Finds the button by which people open a field that the page hides: a file chooser, a picker of dates or colors. */
import {
  getAttribute,
  inputType,
  inputValue,
  localName,
  nextElementSibling,
  parentElement,
  previousElementSibling,
  queryAllIn,
} from '../../dom/domGetters.ts';
import { visibleText } from '../element/renderedText.ts';

const BUTTONS = 'button, [role=button], input[type=button]';

/**
 * Returns the text of the button that opens a hidden field: of the one whose handler names the field, else of the one beside it. Empty if
 * there is none.
 */
export function openerText(field: Element): string {
  const opener = namedOpener(field) ?? openerBeside(field);
  return opener === null ? '' : textOf(opener);
}

function namedOpener(field: Element): Element | null {
  const [parent, id] = [parentElement(field), getAttribute(field, 'id')];
  if (parent === null || !id || !/^[\w-]+$/.test(id)) return null;
  const names = new RegExp(`(?<![\\w-])${id}(?![\\w-])`);
  const buttons = Array.from(queryAllIn(parent, BUTTONS));
  return buttons.find(button => names.test(getAttribute(button, 'onclick') ?? '')) ?? null;
}

/** Returns the button before the field, unless it belongs to the field before it; else the button after the field. */
function openerBeside(field: Element): Element | null {
  const before = previousElementSibling(field);
  if (before !== null && isButton(before)) {
    const earlier = previousElementSibling(before);
    if (earlier === null || localName(earlier) !== 'input' || openerBeside(earlier) !== before) return before;
  }
  const after = nextElementSibling(field);
  return after !== null && isButton(after) ? after : null;
}

const isButton = (element: Element): boolean =>
  localName(element) === 'button' ||
  getAttribute(element, 'role') === 'button' ||
  (element instanceof HTMLInputElement && inputType(element) === 'button');

const textOf = (button: Element): string =>
  button instanceof HTMLInputElement
    ? inputValue(button)
    : visibleText(button) || (getAttribute(button, 'aria-label') ?? getAttribute(button, 'title') ?? '');
