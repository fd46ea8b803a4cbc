/** Finds inputs that can be used although they are not rendered. */
import { firstElementChild, inputType, labelsOf, queryAllIn, textContent } from '../../dom/domGetters.ts';
import { isOpenPicker } from '../element/openPicker.ts';

/**
 * Returns the usable input that an unrendered element is or contains: a check box or a radio button with a label, an input whose
 * picker is open, or a file input, which accepts files without a click. Null if there is none.
 */
export function unrenderedInput(element: Element, tag: string): HTMLInputElement | null {
  if (tag === 'input') return asUsableInput(element);
  if (firstElementChild(element) === null || (textContent(element) ?? '').trim() !== '') return null;
  // Pages hide the file input together with an empty box around it.
  const fileInputs = Array.from(queryAllIn(element, 'input[type=file]'));
  const [only] = fileInputs;
  return fileInputs.length === 1 && only !== undefined ? asUsableInput(only) : null;
}

function asUsableInput(element: Element): HTMLInputElement | null {
  if (!(element instanceof HTMLInputElement)) return null;
  const type = inputType(element);
  if (type === 'file' || isOpenPicker(element)) return element;
  return (type === 'checkbox' || type === 'radio') && labelsOf(element).length > 0 ? element : null;
}
