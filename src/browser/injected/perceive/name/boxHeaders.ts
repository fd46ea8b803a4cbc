/** Recognizes the row of headers of a table that is made of boxes only. */
import {
  boxOf,
  firstElementChild,
  getAttribute,
  matches,
  parentElement,
  queryIn,
} from '../../dom/domGetters.ts';
import { truncate } from '../element/plainText.ts';
import { visibleText } from '../element/renderedText.ts';
import { type ColumnHeaders, headerText } from './columnHeaders.ts';
import { MAX_CELL_TEXT_LENGTH } from './tableCells.ts';

const MAX_HEADER_LENGTH = 40;
/** Number of columns from which headers are recognized that no class name marks. */
const MIN_UNMARKED_COLUMNS = 3;
const HEADER_CLASS = /head|(^|[\s_-])th([\s_-]|$)|titles|columns/i;
/** A header can have a box that chooses all rows; a field of another kind is a value. */
const VALUE_FIELDS = 'input:not([type=checkbox]), select, textarea';
const CONTROLS = 'a[href], button, input, select, textarea, [role=button], [role=checkbox], [role=switch]';

/**
 * Returns the headers that a row states for the rows below it; null if it is no row of headers.
 * @param row the first row below it
 * @param rows returns all rows below it that are compared
 * @param isApart true for a row outside of the box of the rows
 */
export function headersOf(
  header: Element | null,
  cells: readonly Element[],
  row: readonly Element[],
  rows: () => readonly (readonly Element[])[],
  isApart: boolean,
): ColumnHeaders | null {
  if (cells.length !== row.length || !standsAbove(cells, row)) return null;
  const marked = (header !== null && isMarkedHeader(header)) || cells.some(isMarkedHeader);
  const isMarked = marked && !row.some(isMarkedHeader);
  if (!isMarked && cells.length < MIN_UNMARKED_COLUMNS) return null;
  if (cells.some(cell => holds(cell, isMarked ? VALUE_FIELDS : CONTROLS))) return null;
  const texts = cells.map(headerOf);
  const stated = texts.filter(text => text !== '');
  if (stated.length < 2 || new Set(stated).size < stated.length) return null;
  if (stated.some(text => text.length > MAX_HEADER_LENGTH || !/\p{L}/u.test(text))) return null;
  const below = rows();
  if (below.length === 0) return null;
  if (!isMarked && !(namesValues(texts, below) && (isApart || looksApart(cells, below)))) return null;
  return new Map(texts.map((text, index) => [index + 1, text] as const).filter(([, text]) => text !== ''));
}

const isMarkedHeader = (element: Element): boolean => HEADER_CLASS.test(getAttribute(element, 'class') ?? '');

export const headerOf = (cell: Element): string => truncate(headerText(cell), MAX_CELL_TEXT_LENGTH);

/** Returns true if the cells stand in one line, each above the cell of its column. */
function standsAbove(headers: readonly Element[], row: readonly Element[]): boolean {
  let last: DOMRect | null = null;
  for (const [index, header] of headers.entries()) {
    const cell = row[index];
    const box = boxOf(header);
    if (cell === undefined || (last !== null && (box.left < last.right - 1 || box.top >= last.bottom)))
      return false;
    const under = boxOf(cell);
    if (box.bottom > under.top + under.height / 2) return false;
    const isEmpty = box.width < 1 || under.width < 1;
    if (!isEmpty && (box.left >= under.right || under.left >= box.right)) return false;
    last = box;
  }
  return true;
}

/** Returns true if the headers are words, and all cells of a column below them hold a number or a control. */
function namesValues(texts: readonly string[], rows: readonly (readonly Element[])[]): boolean {
  if (texts.some(text => /\d/.test(text))) return false;
  return texts.some((_, column) =>
    rows.every(row => {
      const cell = row[column];
      return cell !== undefined && (holds(cell, CONTROLS) || /\d/.test(visibleText(cell)));
    }),
  );
}

/** Returns true if the cells of the headers look different from those of every row. */
function looksApart(headers: readonly Element[], rows: readonly (readonly Element[])[]): boolean {
  const look = lookOf(headers);
  return rows.length > 1 && rows.every(row => lookOf(row) !== look);
}

function lookOf([cell]: readonly Element[]): string {
  if (cell === undefined) return '';
  const inner = firstElementChild(cell);
  const around = parentElement(cell);
  return [around, cell, inner]
    .map(one => {
      if (one === null) return '';
      const { fontWeight, fontSize, textTransform, backgroundColor } = getComputedStyle(one);
      return `${fontWeight} ${fontSize} ${textTransform} ${backgroundColor}`;
    })
    .join('|');
}

const holds = (cell: Element, selector: string): boolean =>
  matches(cell, selector) || queryIn(cell, selector) !== null;
