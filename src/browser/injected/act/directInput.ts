/** Clicks and focuses an element by script, without the pointer, and checks whether it is still there. For elements without a box. */
import { elementByKey } from '../perceive/elementKeys.ts';

/** Returns true if the element with this key is in the document. */
export const isPresent = (key: number): boolean => elementByKey(key) !== null;

/**
 * Calls `click()` of the element with this key: the page's handlers run, but the pointer does not move. Does nothing when
 * the element has left the document.
 */
export function clickElement(key: number): void {
  (elementByKey(key) as HTMLElement | null)?.click();
}

/** Focuses the element with this key. Does nothing when it has left the document. */
export function focusElement(key: number): void {
  const element = elementByKey(key);
  // A form field named `focus` hides the method of its form.
  const { focus } = element instanceof SVGElement ? SVGElement.prototype : HTMLElement.prototype;
  if (element !== null) focus.call(element);
}
