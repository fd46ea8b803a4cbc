/** The controls inside an element whose text is read: what each contributes to the text, and which of them name themselves. */
import {
  getAttribute,
  inputType,
  inputValue,
  labelControl,
  optionSelected,
  selectOptions,
  textareaValue,
} from '../../dom/domGetters.ts';
import { isSecretField } from '../../dom/secretFields.ts';
import { optionText } from './optionText.ts';

const CONTROL_ROLES = /^(?:button|checkbox|switch|radio|menuitemcheckbox|menuitemradio)$/;

/** Returns true for a button or a box to tick, and for the label of a field. */
export function isInnerControl(element: Element, tag: string): boolean {
  if (tag === 'button') return true;
  if (tag === 'label') return element instanceof HTMLLabelElement && labelControl(element) !== null;
  const role = getAttribute(element, 'role');
  return role !== null && CONTROL_ROLES.test(role);
}

/** Returns the value that a control inside a label contributes to a name (step 2C of the name computation). */
export function embeddedValue(element: Element): string {
  if (isSecretField(element)) return '';
  if (element instanceof HTMLTextAreaElement) return textareaValue(element);
  if (element instanceof HTMLSelectElement)
    return Array.from(selectOptions(element))
      .filter(option => optionSelected(option))
      .map(option => optionText(option).name)
      .join(' ');
  if (!(element instanceof HTMLInputElement)) return '';
  return /^(checkbox|radio|file|hidden|image|color)$/.test(inputType(element)) ? '' : inputValue(element);
}
