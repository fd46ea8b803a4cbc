/** The headers of the columns of a table or a grid. */
import { composedParent, getAttribute, localName, queryAllIn, queryIn } from '../../dom/domGetters.ts';
import { normalizeText, truncate } from '../element/plainText.ts';
import { cellsOf, cellText, FIELDS, MAX_CELL_TEXT_LENGTH, MAX_COLUMNS, ownCells } from './tableCells.ts';

/** The text of each column's header, by the number of the column. */
export type ColumnHeaders = ReadonlyMap<number, string>;

const CONTROLS = 'input, select, textarea, button, [role=button], [role=checkbox], [contenteditable=true]';
/** Header texts of at most this many characters may be abbreviations. */
const MAX_ABBREVIATION_LENGTH = 3;

/** True for a row of column headers: in `thead`, or with header cells only. */
export const isHeaderRow = (row: Element): boolean => {
  const parent = composedParent(row);
  if (parent !== null && localName(parent) === 'thead') return true;
  const cells = ownCells(row);
  return (
    cells.length > 1 &&
    cells.every(cell => localName(cell) === 'th' || getAttribute(cell, 'role') === 'columnheader')
  );
};

/** Returns the row whose cells are the headers of the columns; null if there is none. */
export function headerRowOf(rows: readonly Element[]): Element | null {
  const marked = rows.filter(isHeaderRow);
  // Of several rows of headers the last with a text in most columns names the columns; later ones have filters.
  const named = marked.filter(row => queryIn(row, FIELDS) === null);
  const last = (named.length > 0 ? named : marked).at(-1);
  if (last !== undefined) return last;
  const [first, ...others] = rows;
  if (first === undefined || others.length === 0 || queryIn(first, CONTROLS) !== null) return null;
  const cells = ownCells(first);
  const isTable = cells.length > 2 && others.every(row => Math.abs(ownCells(row).length - cells.length) < 2);
  const hasControls = others.every(row => queryIn(row, `${CONTROLS}, a[href]`) !== null);
  return isTable && hasControls && queryIn(first, 'a[href]') === null ? first : null;
}

export const headerTexts = (row: Element): ColumnHeaders =>
  new Map(
    cellsOf(row)
      .filter(({ cell }) => Number(getAttribute(cell, 'colspan') ?? 1) < 2)
      .map(({ cell, column }) => [column, truncate(headerText(cell), MAX_CELL_TEXT_LENGTH)] as const)
      .filter(([, text]) => text !== ''),
  );

/** Returns the text of a header; for an abbreviation, such as that of a day, and beside buttons its whole name if the cell states one. */
export function headerText(cell: Element): string {
  const text = cellText(cell);
  const stated =
    getAttribute(cell, 'aria-label') ?? getAttribute(cell, 'abbr') ?? getAttribute(cell, 'title') ?? '';
  const isAlone = text.length > MAX_ABBREVIATION_LENGTH && queryIn(cell, 'button, [role=button]') === null;
  return isAlone ? text : normalizeText(stated) || text;
}

/** Returns the headers of a grid whose header row is not one of its first rows. */
export function ariaHeaders(table: Element): ColumnHeaders {
  const headers = Array.from(queryAllIn(table, '[role=columnheader]')).slice(0, MAX_COLUMNS);
  return new Map(
    headers
      .map(
        (cell, index) =>
          [
            Number(getAttribute(cell, 'aria-colindex')) || index + 1,
            truncate(headerText(cell), MAX_CELL_TEXT_LENGTH),
          ] as const,
      )
      .filter(([, text]) => text !== ''),
  );
}
