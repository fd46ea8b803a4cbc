import { checkVisibility, composedContains, composedParent, matches } from '../dom/domGetters.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import { deepestElementAt } from '../perceive/reach/hitTest.ts';

/** Number of ancestors of the element in which what it has opened is searched. */
const MAX_ANCESTORS = 2;

/**
 * Returns true if the element with this key is hidden now, and a part of a box around it is at the point instead: a button that the
 * arriving pointer has replaced by what it opens.
 */
export function gaveWay(key: number, x: number, y: number): boolean {
  const element = elementByKey(key);
  if (element === null || checkVisibility(element, { opacityProperty: true, visibilityProperty: true }))
    return false;
  const top = deepestElementAt(x, y);
  if (top === null) return false;
  let box = composedParent(element);
  for (
    let up = 0;
    box !== null && up < MAX_ANCESTORS && !matches(box, 'body');
    up++, box = composedParent(box)
  )
    if (box !== top && composedContains(box, top)) return true;
  return false;
}
