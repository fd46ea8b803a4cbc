/** A dialog with something laid over all the rest of the page: what lies behind cannot be reached. */
import { visibleBox } from './box.ts';
import { deepestAt } from './hitTest.ts';
import { boxOf, composedContains, composedParent, matches, queryAllDocument } from './native.ts';
import type { Reading } from './reading.ts';

/** What stands before the curtain; null where there is none. */
export type Curtain = readonly Element[] | null;

/** Looks for one: the same laid-over element in all four corners, and a dialog that can be seen. */
export function findCurtain(reading: Reading): Curtain {
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
  const tops = corners.map(([x, y]) => deepestAt(x, y));
  const [first] = tops;
  if (first === undefined || first === null || !tops.every(top => top === first)) return null;
  if (matches(first, 'html, body')) return null;
  const box = boxOf(first);
  const isOverAll = box.width >= width * 0.98 && box.height >= height * 0.98;
  return isOverAll && isLaidOver(first) ? [...dialogs, first] : null;
}

/** Whether an element lies behind it. */
export const isBehind = (curtain: Curtain, element: Element): boolean =>
  curtain !== null && !curtain.some(part => composedContains(part, element));

function isLaidOver(element: Element): boolean {
  for (let at: Element | null = element; at !== null; at = composedParent(at)) {
    const { position } = getComputedStyle(at);
    if (position === 'fixed' || position === 'absolute') return true;
  }
  return false;
}
