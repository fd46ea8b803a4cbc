/** Recognizes elements that are only drawn: something else receives a press on them and decides by its position. */
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
import { styleOf } from '../../dom/styleOf.ts';
import type { Candidate } from '../candidate.ts';
import { intersection, toBox } from '../element/box.ts';
import { isScrollable } from '../element/isScrollable.ts';
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
  let at: Element | null = cover;
  for (let level = 0; at !== null && level < MAX_LEVELS; level++, at = composedParent(at)) {
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
