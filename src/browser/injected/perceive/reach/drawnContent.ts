/** Finds what style rules draw (`::before`, `::after`) for an element with `display: contents`, which has no box. */
import { boxOf, composedParent } from '../../dom/domGetters.ts';
import { generatedStyleOf, styleOf } from '../../dom/styleOf.ts';
import { type Box, toBox } from '../element/box.ts';
import { deepestElementAt } from './hitTest.ts';

/** Distance between two points that are tested, and the maximum number of points in a row and in a column. */
const STEP_PX = 4;
const MAX_POINTS = 60;

/** Returns the box of the content that is drawn for the element, as hit tests in the box around it find it; null if there is none in the window. */
export function drawnContentBox(element: Element): Box | null {
  if (styleOf(element).display !== 'contents' || !isDrawn(element)) return null;
  let around = composedParent(element);
  while (around !== null && styleOf(around).display === 'contents') around = composedParent(around);
  if (around === null) return null;
  const { left, top, right, bottom } = toBox(boxOf(around));
  const end = {
    x: Math.min(right, left + STEP_PX * MAX_POINTS),
    y: Math.min(bottom, top + STEP_PX * MAX_POINTS),
  };
  let found: Box | null = null;
  for (let y = top + STEP_PX / 2; y < end.y; y += STEP_PX)
    for (let x = left + STEP_PX / 2; x < end.x; x += STEP_PX) {
      if (deepestElementAt(x, y) !== element) continue;
      const part = {
        left: x - STEP_PX / 2,
        top: y - STEP_PX / 2,
        right: x + STEP_PX / 2,
        bottom: y + STEP_PX / 2,
      };
      found =
        found === null
          ? part
          : {
              left: Math.min(found.left, part.left),
              top: Math.min(found.top, part.top),
              right: Math.max(found.right, part.right),
              bottom: Math.max(found.bottom, part.bottom),
            };
    }
  if (found !== null) return found;
  // Outside of the window nothing is at a point: a step tests again when it has scrolled there.
  const isInWindow = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
  return isInWindow || right - left < 1 || bottom - top < 1 ? null : { left, top, right, bottom };
}

const isDrawn = (element: Element): boolean =>
  (['::before', '::after'] as const).some(
    pseudo => !/^(?:none|normal|)$/.test(generatedStyleOf(element, pseudo).content),
  );
