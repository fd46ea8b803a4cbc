/** The cells of tables and grids, as tags or roles state them. */

import {
  composedParent,
  firstElementChild,
  getAttribute,
  localName,
  nextElementSibling,
  queryAllIn,
  queryIn,
} from '../../dom/domGetters.ts';
import { EDITABLE, FIELDS } from '../../dom/vocabulary.ts';
import { normalizeText, truncate } from '../element/plainText.ts';
import { wordsBesideControls } from '../element/renderedText.ts';

/** A cell, and the number of the column that it starts at, from 1. */
export interface Cell {
  readonly cell: Element;
  readonly column: number;
}

/** Maximum length of the text of a cell, a header or a row's title. Characters. */
export const MAX_CELL_TEXT_LENGTH = 50;
/** Maximum number of cells of a row that are read. */
export const MAX_COLUMNS = 40;
const CELL_ROLES = /^(gridcell|cell|rowheader|columnheader)$/;

export const isCell = (element: Element): boolean => {
  const tag = localName(element);
  return tag === 'td' || tag === 'th' || CELL_ROLES.test(getAttribute(element, 'role') ?? '');
};

/** Returns the cells of a row with the number of the column that each starts at, from 1. */
export function cellsOf(row: Element): readonly Cell[] {
  const cells: Cell[] = [];
  let column = 1;
  for (const cell of ownCells(row)) {
    const stated = Number(getAttribute(cell, 'aria-colindex'));
    if (stated > 0) column = stated;
    cells.push({ cell, column });
    column += Math.max(1, Number(getAttribute(cell, 'colspan')) || 1);
    if (cells.length >= MAX_COLUMNS) break;
  }
  return cells;
}

export function ownCells(row: Element): readonly Element[] {
  const own: Element[] = [];
  for (let child = firstElementChild(row); child !== null; child = nextElementSibling(child))
    if (isCell(child)) own.push(child);
  if (own.length > 0) return own;
  return Array.from(queryAllIn(row, '[role=gridcell], [role=cell], [role=rowheader], [role=columnheader]'));
}

/** Returns the text of a cell without the controls in it, but a button at its start; with them if it has no other words. */
export const cellText = (cell: Element): string => wordsBesideControls(cell, MAX_CELL_TEXT_LENGTH * 2);

export type ColumnHeaders = ReadonlyMap<number, string>;

/** A link in a header sorts its column. */
const VALUE_CONTROLS = `${FIELDS}, button, [role=button], [role=checkbox], ${EDITABLE}`;
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

export function headerRowOf(rows: readonly Element[]): Element | null {
  const marked = rows.filter(isHeaderRow);
  // Of several rows of headers the last with a text in most columns names the columns; later ones have filters.
  const named = marked.filter(row => queryIn(row, FIELDS) === null);
  const last = (named.length > 0 ? named : marked).at(-1);
  if (last !== undefined) return last;
  const [first, ...others] = rows;
  if (first === undefined || others.length === 0 || queryIn(first, VALUE_CONTROLS) !== null) return null;
  const cells = ownCells(first);
  const isTable = cells.length > 2 && others.every(row => Math.abs(ownCells(row).length - cells.length) < 2);
  const hasControls = others.every(row => queryIn(row, `${VALUE_CONTROLS}, a[href]`) !== null);
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
