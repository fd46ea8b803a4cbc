/** Recognizes elements that are only drawn: something else receives a press on them and decides by its position. */
import {
  boxOf,
  closest,
  composedParent,
  firstElementChild,
  matches,
  nextElementSibling,
} from '../../dom/domGetters.ts';
import type { Candidate } from '../candidate.ts';
import { intersection, toBox } from '../element/box.ts';
import type { ObservationContext } from '../observationContext.ts';

/** Number of ancestors beside which the surface of a drawn element is searched, and of the elements beside each. */
const MAX_LEVELS = 3;
const MAX_SIBLINGS = 12;
const GRID = '[role=grid], [role=treegrid]';
const CONTROLS = 'a[href], button, input, select, textarea, [role=button]';

/** Returns true if an element that receives presses lies at the place of this one, beside it or beside one of its ancestors. */
export function hasSurface(element: Element, { handlers }: ObservationContext): boolean {
  const box = toBox(boxOf(element));
  for (let at = element, level = 0; level < MAX_LEVELS; level++) {
    const parent = composedParent(at);
    if (parent === null || matches(parent, 'body')) return false;
    let seen = 0;
    for (let beside = firstElementChild(parent); beside !== null; beside = nextElementSibling(beside)) {
      if (seen++ > MAX_SIBLINGS) break;
      if (beside === at || matches(beside, CONTROLS)) continue;
      const kinds = handlers.get(beside);
      const isPressed = kinds?.press === true || getComputedStyle(beside).cursor === 'pointer';
      if (isPressed && intersection(box, toBox(boxOf(beside))) !== null) return true;
    }
    at = parent;
  }
  return false;
}

/** Returns true if a cell is covered by another part of its grid that is no control, so that the grid receives the press. */
export const isCellOfSameGrid = ({ element, role, basis }: Candidate, cover: Element): boolean => {
  if (basis !== 'child' || role !== 'gridcell' || closest(cover, CONTROLS) !== null) return false;
  const grid = closest(element, GRID);
  return grid !== null && closest(cover, GRID) === grid;
};
