/** What a form's controls hold now, written into their copies as attributes. */
import { inputChecked, inputType, inputValue, localName, optionSelected, textareaValue } from './liveDom.ts';

/** Reflects the live value, checked and selected of one control. A password's value is never copied. */
export function copyFormState(original: Element, copy: Element): void {
  switch (localName(original)) {
    case 'input':
      copyInputState(original, copy);
      break;
    case 'textarea':
      copy.textContent = textareaValue(original);
      break;
    case 'option':
      copy.toggleAttribute('selected', optionSelected(original));
      break;
  }
}

function copyInputState(original: Element, copy: Element): void {
  const type = inputType(original);
  if (type === 'checkbox' || type === 'radio') copy.toggleAttribute('checked', inputChecked(original));
  else if (type === 'password' || type === 'file') copy.removeAttribute('value');
  else {
    const value = inputValue(original);
    if (value !== '' || copy.hasAttribute('value')) copy.setAttribute('value', value);
  }
}
