/** What a form's controls hold now, written into their copies as attributes. */
import { inputChecked, inputType, inputValue, localName, optionSelected, textareaValue } from './live.ts';

/** Reflects the live value, checked and selected of one control. A password's value is never copied. */
export function reflectFormState(live: Element, copy: Element): void {
  switch (localName(live)) {
    case 'input':
      reflectInput(live, copy);
      break;
    case 'textarea':
      copy.textContent = textareaValue(live);
      break;
    case 'option':
      copy.toggleAttribute('selected', optionSelected(live));
      break;
  }
}

function reflectInput(live: Element, copy: Element): void {
  const type = inputType(live);
  if (type === 'checkbox' || type === 'radio') copy.toggleAttribute('checked', inputChecked(live));
  else if (type === 'password' || type === 'file') copy.removeAttribute('value');
  else {
    const value = inputValue(live);
    if (value !== '' || copy.hasAttribute('value')) copy.setAttribute('value', value);
  }
}
