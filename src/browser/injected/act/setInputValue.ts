/** Sets an input without focusing it: one of type range, after a press on its thumb, or one of which the page opens only the picker. */
import { composedContains, composedParent } from '../dom/domGetters.ts';
import { elementByKey } from '../perceive/elementKeys.ts';

/** Sets the value and reports it to the page, as the end of a drag and a picker do. Does nothing if the input has left the document. */
export function setInputValue(key: number, value: string): void {
  const input = elementByKey(key);
  if (!(input instanceof HTMLInputElement)) return;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
  for (const type of ['input', 'change'])
    EventTarget.prototype.dispatchEvent.call(input, new Event(type, { bubbles: true, composed: true }));
}

/** Returns true if the element is in a positioned box, such as a popup, and a field outside of the box has the focus. */
export function isInPopupOfFocus(key: number): boolean {
  const element = elementByKey(key);
  const focused = document.activeElement;
  if (element === null || !(focused instanceof HTMLInputElement) || focused === element) return false;
  for (
    let at = composedParent(element);
    at !== null && !composedContains(at, focused);
    at = composedParent(at)
  )
    if (/^(absolute|fixed)$/.test(getComputedStyle(at).position)) return true;
  return false;
}
