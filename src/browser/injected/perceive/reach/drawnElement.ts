/** Recognizes elements that are only drawn: something else receives a press on them and decides by its position. */

import { around, NEAR_LEVELS } from '../../dom/around.ts';
import {
  boxOf,
  closest,
  composedParent,
  firstElementChild,
  localName,
  matches,
  nextElementSibling,
  queryIn,
  textContent,
} from '../../dom/domGetters.ts';
import { generatedStyleOf, styleOf } from '../../dom/styleOf.ts';
import { CONTROLS } from '../../dom/vocabulary.ts';
import type { Candidate } from '../candidate.ts';
import { type Box, intersection, isScrollable, toBox } from '../element/box.ts';
import type { ObservationContext } from '../observationContext.ts';
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

const MAX_SIBLINGS = 12;
const GRID = '[role=grid], [role=treegrid]';
/** Returns true if an element that receives presses lies at the place of this one, beside it or beside one of its ancestors. */
export function hasSurface(element: Element, { handlers }: ObservationContext): boolean {
  const box = toBox(boxOf(element));
  for (let at = element, level = 0; level < NEAR_LEVELS; level++) {
    const parent = composedParent(at);
    if (parent === null || matches(parent, 'body')) return false;
    let seen = 0;
    for (let beside = firstElementChild(parent); beside !== null; beside = nextElementSibling(beside)) {
      if (seen++ > MAX_SIBLINGS) break;
      if (beside === at || matches(beside, CONTROLS)) continue;
      const kinds = handlers.get(beside);
      const isPressed = kinds?.press === true || styleOf(beside).cursor === 'pointer';
      if (isPressed && intersection(box, toBox(boxOf(beside))) !== null) return true;
    }
    at = parent;
  }
  return false;
}

/** Returns true if a cell is covered by another part of its grid that is no control, so that the grid receives the press. */
const isCellOfSameGrid = ({ element, role, basis }: Candidate, cover: Element): boolean => {
  if (basis !== 'child' || role !== 'gridcell' || closest(cover, CONTROLS) !== null) return false;
  const grid = closest(element, GRID);
  return grid !== null && closest(cover, GRID) === grid;
};

/** Returns true if a canvas lies below the box that scrolls it, which has nothing to see and lets the page hear the presses for the canvas. */
function isBelowScroller({ element, control }: Candidate, cover: Element): boolean {
  if (control !== 'canvas') return false;
  const own = toBox(boxOf(element));
  for (const at of around(cover, NEAR_LEVELS)) {
    if (!isScrollable(at, localName(at), styleOf(at))) continue;
    const shared = intersection(own, toBox(boxOf(at)));
    return shared !== null && textContent(at)?.trim() === '' && queryIn(at, SEEN) === null;
  }
  return false;
}

const SEEN = `${CONTROLS}, img, svg, canvas, video, iframe`;

/** Returns true if what covers an element takes presses for it: the page decides by their position. */
export const letsPressThrough = (candidate: Candidate, cover: Element): boolean =>
  isCellOfSameGrid(candidate, cover) || isBelowScroller(candidate, cover);
