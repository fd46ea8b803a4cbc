/** Detects a dialog with an overlay over the whole viewport: elements behind the overlay cannot be reached. */
import { boxOf, composedContains, composedParent, matches, queryAllDocument } from '../dom/domGetters.ts';
import { visibleBox } from './box.ts';
import { deepestElementAt } from './hitTest.ts';
import type { ObservationContext } from './observationContext.ts';

/**
 * The visible dialogs and the overlay that covers the viewport: only elements inside of them can be reached. Null if the
 * page has no such overlay.
 */
export type ModalOverlay = readonly Element[] | null;

/**
 * Finds the overlay that a visible dialog has put over the page: the positioned element that is on top in all four corners
 * of the viewport.
 */
export function findModalOverlay({ width, height }: ObservationContext): ModalOverlay {
  const dialogs = Array.from(
    queryAllDocument(document, '[aria-modal=true], [role=dialog], [role=alertdialog], .modal.show'),
  ).filter(dialog => visibleBox(dialog) !== null);
  if (dialogs.length === 0) return null;
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
  const coversViewport = box.width >= width * 0.98 && box.height >= height * 0.98;
  return coversViewport && isPositioned(first) ? [...dialogs, first] : null;
}

/** Returns true if there is an overlay and the element is behind it: neither in the overlay nor in a dialog. */
export const isBehindOverlay = (overlay: ModalOverlay, element: Element): boolean =>
  overlay !== null && !overlay.some(part => composedContains(part, element));

/** True when the element or an ancestor has the position `fixed` or `absolute`. */
function isPositioned(element: Element): boolean {
  for (let at: Element | null = element; at !== null; at = composedParent(at)) {
    const { position } = getComputedStyle(at);
    if (position === 'fixed' || position === 'absolute') return true;
  }
  return false;
}
