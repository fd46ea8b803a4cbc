/** The cells of tables and grids, as tags or roles state them. */
import {
  firstElementChild,
  getAttribute,
  localName,
  nextElementSibling,
  queryAllIn,
  queryIn,
} from '../../dom/domGetters.ts';
import { visibleText } from '../element/renderedText.ts';

/** A cell, and the number of the column that it starts at, from 1. */
export interface Cell {
  readonly cell: Element;
  readonly column: number;
}

/** Maximum length of the text of a cell, a header or a row's title. Characters. */
export const MAX_CELL_TEXT_LENGTH = 50;
/** Maximum number of cells of a row that are read. */
export const MAX_COLUMNS = 40;
/** The elements that enter a value. */
export const FIELDS = 'input, select, textarea';
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

/** Returns the text of a cell without the values and labels of the first field in it. */
export const cellText = (cell: Element): string =>
  visibleText(cell, queryIn(cell, FIELDS), MAX_CELL_TEXT_LENGTH * 2);
