import { labelsOf } from '../dom/domGetters.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import { frameElement } from '../perceive/lastObservation.ts';

/**
 * Returns the element for a selector of Playwright's custom engine `pagespace`: `17` is the element with key 17, `l17` its label, `f2`
 * the frame with index 2 of the last observation. Null when there is no such element.
 */
export function findBySelector(selector: string): Element | null {
  const number = Number(selector.replace(/^[a-z]+/, ''));
  if (selector.startsWith('f')) return frameElement(number);
  const element = elementByKey(number);
  return element !== null && selector.startsWith('l') ? (labelsOf(element)[0] ?? null) : element;
}
