/** Chooses where an element is pressed: on its own area, not on a link or a button inside it. */
import { boxOf, composedContains, composedParent, matches } from '../../dom/domGetters.ts';
import { listedCandidate } from '../lastObservation.ts';
import { deepestElementAt } from './hitTest.ts';

const NESTED_CONTROLS =
  'a[href], button, input, select, textarea, summary, [role=button], [role=link], [role=checkbox], [role=switch]';
/** Points to try in the box of an element, as fractions of its width and height. */
const FRACTIONS = [0.5, 0.15, 0.85, 0.3, 0.7, 0.04, 0.96];

/**
 * Returns a point of the viewport at which a press reaches the element itself.
 * @param point where a press should reach the element
 * @param field the field in the element that the press is for; default: the element itself
 * @returns `point` if nothing inside the element takes the press there, else another point where the element itself takes
 * it; if there is none, `point` again, or null when a press there does not reach the element at all
 */
export function pressPoint(
  element: Element,
  point: readonly [number, number],
  field: Element = element,
): readonly [number, number] | null {
  if (isOwnArea(element, point, field)) return point;
  const { left, top, width, height } = boxOf(element);
  for (const down of FRACTIONS)
    for (const across of FRACTIONS) {
      const x = left + width * across;
      const y = top + height * down;
      const isInViewport = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
      if (isInViewport && isOwnArea(element, [x, y], field)) return [x, y];
    }
  const reached = deepestElementAt(...point);
  return reached !== null && composedContains(element, reached) ? point : null;
}

function isOwnArea(element: Element, [x, y]: readonly [number, number], field: Element): boolean {
  const top = deepestElementAt(x, y);
  if (top === null || !composedContains(element, top)) return false;
  for (let at: Element | null = top; at !== null && at !== element && at !== field; at = composedParent(at))
    if (listedCandidate(at) !== null || matches(at, NESTED_CONTROLS)) return false;
  return true;
}
