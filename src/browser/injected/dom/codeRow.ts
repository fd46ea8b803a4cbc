import { boxOf, composedParent, queryAllIn } from './domGetters.ts';

/** Minimum number of fields of a code, and maximum width of each. CSS pixels. */
const MIN_FIELDS = 4;
const MAX_WIDTH_PX = 80;
/** Number of ancestors among which the other fields are searched. */
const MAX_ANCESTORS = 3;

/** Returns the fields of the row of an element that is one of several narrow fields which take one character each of a code; null for any other. */
export function codeRow(element: Element): readonly Element[] | null {
  if (!(element instanceof HTMLInputElement)) return null;
  const { width, top } = boxOf(element);
  if (width === 0 || width > MAX_WIDTH_PX) return null;
  let at = composedParent(element);
  for (let up = 0; at !== null && up < MAX_ANCESTORS; up++, at = composedParent(at)) {
    const fields = Array.from(queryAllIn(at, 'input'));
    if (fields.length < MIN_FIELDS) continue;
    const isRow = fields
      .slice(0, MIN_FIELDS)
      .every(field => Math.abs(boxOf(field).top - top) < 2 && boxOf(field).width === width);
    return isRow ? fields : null;
  }
  return null;
}
