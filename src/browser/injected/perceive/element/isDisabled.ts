import { composedParent, getAttribute, localName, matches } from '../../dom/domGetters.ts';

/**
 * Returns true if an element is disabled: by its `disabled` attribute or that of its
 * fieldset, by `aria-disabled`, or by a class of a common widget library.
 */
export function isDisabled(element: Element, tag: string): boolean {
  if (/^(button|input|select|textarea|option|fieldset)$/.test(tag) && matches(element, ':disabled'))
    return true;
  if (isMarkedDisabled(element)) return true;
  const parent = composedParent(element);
  return parent !== null && localName(parent) === 'li' && isMarkedDisabled(parent);
}

function isMarkedDisabled(element: Element): boolean {
  if (getAttribute(element, 'aria-disabled') === 'true') return true;
  const classes = getAttribute(element, 'class');
  return classes !== null && /(^|\s)(ui-state-disabled|ui-datepicker-unselectable)(\s|$)/.test(classes);
}
