import { composedParent, getAttribute, localName, matches } from '../../dom/domGetters.ts';
import { ofClassName } from '../../dom/ofClassName.ts';
import { styleOf } from '../../dom/styleOf.ts';
import { statedTraits } from './statedTraits.ts';

/**
 * Returns true if an element is disabled: by its `disabled` attribute or that of its
 * fieldset, by `aria-disabled`, by a class of a common widget library, or by such a
 * class and the cursor.
 */
export function isDisabled(element: Element, tag: string): boolean {
  if (/^(button|input|select|textarea|option|fieldset)$/.test(tag) && matches(element, ':disabled'))
    return true;
  if (isMarkedDisabled(element) || (tag.includes('-') && statedTraits(element)?.disabled === true))
    return true;
  const parent = composedParent(element);
  return parent !== null && localName(parent) === 'li' && isMarkedDisabled(parent);
}

const marksDisabled = ofClassName(className => /(?:^|[\s_-])disabled(?:\s|$)/i.test(className));

function isMarkedDisabled(element: Element): boolean {
  if (getAttribute(element, 'aria-disabled') === 'true') return true;
  const classes = getAttribute(element, 'class');
  if (classes === null) return false;
  if (/(^|\s)(ui-state-disabled|ui-datepicker-unselectable)(\s|$)/.test(classes)) return true;
  // Libraries without ARIA say it by a class of their own (`t-is-disabled`); the cursor tells that it is meant for presses.
  return marksDisabled(classes) && /^(?:not-allowed|no-drop)$/.test(styleOf(element).cursor);
}
