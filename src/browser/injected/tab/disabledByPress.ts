/** Recognizes a control that its own press has disabled. */
import { closest, getAttribute } from '../dom/domGetters.ts';
import { stepInput } from './stepInput.ts';

/** Returns the control of the present step if its press has disabled it; null otherwise. */
export function disabledByPress(): Element | null {
  const input = stepInput();
  if (input === null || input.kind !== 'press' || input.wasDisabled) return null;
  const used = input.control ?? input.element;
  return used.isConnected && isDisabled(used) ? used : null;
}

/** Returns true if a change of the document disables an element. */
export const isDisabling = ({ target, attributeName }: MutationRecord): boolean =>
  (attributeName === 'disabled' || attributeName === 'aria-disabled') &&
  target instanceof Element &&
  isDisabled(target);

/** Returns true for an element that is disabled, or is in a part of a form that is, or says so to assistive technology. */
const isDisabled = (element: Element): boolean =>
  closest(element, ':disabled') !== null || getAttribute(element, 'aria-disabled') === 'true';
