/** Finds the native control that a widget replaces: the page hides it beside or inside the widget, and its label stays. */
import {
  boxOf,
  composedParent,
  getAttribute,
  labelsOf,
  localName,
  previousElementSibling,
  queryIn,
} from '../../dom/domGetters.ts';
import { contentText } from './renderedText.ts';

/** Number of elements, the widget included, beside which the control is searched. */
const MAX_LEVELS = 4;

/** Returns the label of the native control that a list of choices replaces; empty if there is none. */
export function replacedLabel(widget: Element): string {
  const control = replacedControl(widget);
  const label = control === null ? undefined : labelsOf(control)[0];
  return label === undefined ? '' : contentText(label, false, control, true);
}

function replacedControl(widget: Element): Element | null {
  const inside = queryIn(widget, 'select');
  if (inside !== null && isHidden(inside)) return inside;
  let at: Element | null = widget;
  for (let level = 0; at !== null && level < MAX_LEVELS; level++, at = composedParent(at)) {
    const before = previousElementSibling(at);
    if (before === null) continue;
    return /^(select|input)$/.test(localName(before)) && isHidden(before) ? before : null;
  }
  return null;
}

/** Returns true for a control that people do not see: not rendered, or as small as a point. */
function isHidden(control: Element): boolean {
  const { width, height } = boxOf(control);
  if (getAttribute(control, 'aria-hidden') === 'true' || getAttribute(control, 'tabindex') === '-1')
    return true;
  return width < 2 || height < 2;
}
