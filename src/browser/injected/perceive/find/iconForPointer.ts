import { boxOf, getAttribute, parentElement, queryIn, textContent } from '../../dom/domGetters.ts';
import type { ObservationContext } from '../observationContext.ts';

/** Sizes of an icon that a pointer presses. CSS pixels. */
const [MIN_PX, MAX_PX] = [8, 48];
const FIELDS = 'input, select, textarea, [role=combobox], [contenteditable]';

/**
 * Returns true for an icon with handlers of its own that is hidden only from screen readers, which have keys for it: the button of a filter
 * in the header of a grid.
 * @param traits the element, and whether the cursor over it is a hand
 */
export function isIconForPointer(
  { element, pointer }: { readonly element: Element; readonly pointer: boolean },
  { handlers }: ObservationContext,
): boolean {
  if (!pointer || handlers.get(element)?.click !== true) return false;
  if (getAttribute(element, 'aria-hidden') !== 'true' || /\S/.test(textContent(element) ?? '')) return false;
  const { width, height } = boxOf(element);
  if (Math.min(width, height) < MIN_PX || Math.max(width, height) > MAX_PX) return false;
  // The arrow beside a field opens what a press on the field opens.
  const parent = parentElement(element);
  return parent !== null && queryIn(parent, FIELDS) === null;
}
