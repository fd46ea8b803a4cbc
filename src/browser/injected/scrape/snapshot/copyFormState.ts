/** Copies the current state of form controls into the flat copy, as attributes. */
import {
  inputChecked,
  inputType,
  inputValue,
  localName,
  optionSelected,
  textareaValue,
} from '../../dom/domGetters.ts';
import { isSecretField } from '../../dom/secretFields.ts';

/**
 * Copies the current value, checked or selected state of a form control to its copy. Removes the value of a password or
 * one-time-code field and of a file input. Does nothing for other elements.
 */
export function copyFormState(original: Element, copy: Element): void {
  if (isSecretField(original)) {
    copy.removeAttribute('value');
    copy.textContent = '';
    return;
  }
  switch (localName(original)) {
    case 'input':
      copyInputState(original as HTMLInputElement, copy);
      break;
    case 'textarea':
      copy.textContent = textareaValue(original as HTMLTextAreaElement);
      break;
    case 'option':
      copy.toggleAttribute('selected', optionSelected(original as HTMLOptionElement));
      break;
  }
}

function copyInputState(original: HTMLInputElement, copy: Element): void {
  const type = inputType(original);
  if (type === 'checkbox' || type === 'radio') copy.toggleAttribute('checked', inputChecked(original));
  else if (type === 'file') copy.removeAttribute('value');
  else {
    const value = inputValue(original);
    if (value !== '' || copy.hasAttribute('value')) copy.setAttribute('value', value);
  }
}
