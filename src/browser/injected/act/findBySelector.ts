import { labelsOf } from '../dom/domGetters.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import { frameElement } from '../perceive/lastObservation.ts';

/**
 * Finds the element for a selector of the engine `pagespace`: `17` is the element with key 17, `l17` its label, `f2`
 * the frame with index 2 of the last observation. Null when the element has left the document.
 */
export function findBySelector(selector: string): Element | null {
  const number = Number(selector.replace(/^[a-z]+/, ''));
  if (selector.startsWith('f')) return frameElement(number);
  const element = elementByKey(number);
  return element !== null && selector.startsWith('l') ? (labelsOf(element)[0] ?? null) : element;
}
