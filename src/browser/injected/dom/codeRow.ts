import { boxOf, composedParent, getAttribute, queryAllDocument, queryAllIn } from './domGetters.ts';

/** Minimum number of fields of a code, and maximum width of each. CSS pixels. */
const MIN_FIELDS = 4;
const MAX_WIDTH_PX = 80;
/** Maximum number of fields of one character that are a code without saying so: one-time codes have 4 to 8 characters. */
const MAX_UNMARKED_FIELDS = 8;
/** Matches patterns of one character. */
const ONE_CHARACTER = /^(?:\[[^\]]+\]|\\d)(?:\{1\})?$/;
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

/**
 * Returns true for a field of a row of boxes that take one character each: a one-time code, also if nothing says so. Not for the rows of a
 * puzzle, of which the document has more.
 */
export function isInCodeRow(element: Element): boolean {
  if (!takesOneCharacter(element)) return false;
  const boxes = codeRow(element)?.filter(takesOneCharacter) ?? [];
  if (boxes.length < MIN_FIELDS || boxes.length > MAX_UNMARKED_FIELDS) return false;
  const all = Array.from(queryAllDocument(document, 'input')).filter(takesOneCharacter);
  // A second row is for a second code.
  return all.length <= 2 * boxes.length;
}

const takesOneCharacter = (field: Element): boolean =>
  getAttribute(field, 'maxlength')?.trim() === '1' ||
  ONE_CHARACTER.test(getAttribute(field, 'pattern') ?? '');
