/** A dialog with something laid over all the rest of the page: what lies behind cannot be reached. */

import { boxOf, composedContains, composedParent, matches, queryAllDocument } from '../dom/domGetters.ts';
import { visibleBox } from './box.ts';
import { deepestElementAt } from './hitTest.ts';
import type { ObservationContext } from './observationContext.ts';

/** What stands before the curtain; null where there is none. */
export type ModalOverlay = readonly Element[] | null;

/** Looks for one: the same laid-over element in all four corners, and a dialog that can be seen. */
export function findModalOverlay(reading: ObservationContext): ModalOverlay {
  const dialogs = Array.from(
    queryAllDocument(document, '[aria-modal=true], [role=dialog], [role=alertdialog], .modal.show'),
  ).filter(dialog => visibleBox(dialog) !== null);
  if (dialogs.length === 0) return null;
  const { width, height } = reading;
  const corners = [
    [3, 3],
    [width - 4, 3],
    [3, height - 4],
    [width - 4, height - 4],
  ] as const;
  const tops = corners.map(([x, y]) => deepestElementAt(x, y));
  const [first] = tops;
  if (first === undefined || first === null || !tops.every(top => top === first)) return null;
  if (matches(first, 'html, body')) return null;
  const box = boxOf(first);
  const isOverAll = box.width >= width * 0.98 && box.height >= height * 0.98;
  return isOverAll && isPositionedOnTop(first) ? [...dialogs, first] : null;
}

/** Whether an element lies behind it. */
export const isBehindOverlay = (overlay: ModalOverlay, element: Element): boolean =>
  overlay !== null && !overlay.some(part => composedContains(part, element));

function isPositionedOnTop(element: Element): boolean {
  for (let at: Element | null = element; at !== null; at = composedParent(at)) {
    const { position } = getComputedStyle(at);
    if (position === 'fixed' || position === 'absolute') return true;
  }
  return false;
}
