/** Joins the short lines of one row into one line: the days of a month, the cells of a row. */
import { boxOf, composedParent, isConnected } from '../dom/domGetters.ts';
import type { TextLine } from './textChanges.ts';

/** A longer text is a line of its own. Characters. */
const MAX_PART_LENGTH = 24;
/** Texts up to this length are joined from several rows. Characters. */
const MAX_DAY_LENGTH = 4;
const MAX_LINE_LENGTH = 200;
const SEPARATOR = ' | ';

/** Returns the lines, with short ones that follow each other in the same box joined: `Mon | Tue | Wed`. */
export function joinNeighbours(lines: readonly TextLine[]): readonly TextLine[] {
  const joined: TextLine[] = [];
  let box: Element | null = null;
  for (const line of lines) {
    const last = joined.at(-1);
    const parent = line.text.length > MAX_PART_LENGTH ? null : composedParent(line.element);
    const text = `${last?.text}${SEPARATOR}${line.text}`;
    const isNext = last !== undefined && parent !== null && parent === box && text.length <= MAX_LINE_LENGTH;
    if (isNext && (isDay(line) || isBeside(last, line)))
      joined[joined.length - 1] = { element: last.element, text };
    else joined.push(line);
    box = parent;
  }
  return joined;
}

const isDay = ({ text }: TextLine): boolean => text.length <= MAX_DAY_LENGTH;

/** Returns true if two lines stand beside each other. */
function isBeside({ element: one }: TextLine, { element: other }: TextLine): boolean {
  if (!isConnected(one) || !isConnected(other)) return false;
  const [before, after] = [boxOf(one), boxOf(other)];
  return after.top < before.bottom && before.top < after.bottom;
}
