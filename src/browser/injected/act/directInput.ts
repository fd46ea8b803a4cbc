/** Input that does not go through the pointer, for elements without a box. */
import { elementByKey } from '../perceive/elementKeys.ts';

/** True while the element is in the document. */
export const isPresent = (key: number): boolean => elementByKey(key) !== null;

/** Calls the element's own `click()`: the page's handlers run, but the pointer does not move. */
export function clickElement(key: number): void {
  (elementByKey(key) as HTMLElement | null)?.click();
}

/** Focuses the element. */
export function focusElement(key: number): void {
  (elementByKey(key) as HTMLElement | null)?.focus();
}
