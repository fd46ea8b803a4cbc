/** Recognizes tables that are made of boxes only: rows of aligned cells below a row of headers, without tags or roles of a table. */

import {
  boxOf,
  childElementCount,
  composedParent,
  firstElementChild,
  getAttribute,
  localName,
  matches,
  nextElementSibling,
  parentElement,
  previousElementSibling,
  queryIn,
} from '../../dom/domGetters.ts';
import { remembered } from '../../dom/lifetimes.ts';
import { CONTROLS } from '../../dom/vocabulary.ts';
import { truncate } from '../element/plainText.ts';
import { visibleText } from '../element/renderedText.ts';
import { displayOf } from '../element/visibility.ts';
import {
  type Cell,
  type ColumnHeaders,
  headerText,
  MAX_CELL_TEXT_LENGTH,
  MAX_COLUMNS,
} from './tableCells.ts';

const MAX_HEADER_LENGTH = 40;
/** Number of columns from which headers are recognized that no class name marks. */
const MIN_UNMARKED_COLUMNS = 3;
const HEADER_CLASS = /head|(^|[\s_-])th([\s_-]|$)|titles|columns/i;
/** A header can have a box that chooses all rows; a field of another kind is a value. */
const VALUE_FIELDS = 'input:not([type=checkbox]), select, textarea';

/** Returns the headers that a row states for the rows below it; null if it states none. @param isApart true for a row outside of their box */
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

export interface BoxTable {
  /** The box around the rows; in a grid without rows the box around the cells. */
  readonly container: Element;
  readonly headers: ColumnHeaders;
  /** The cells of the first rows below the headers. */
  readonly sample: readonly (readonly Cell[])[];
  /** The row of each cell in a grid without rows; absent for a table of rows. */
  readonly rowOf?: ReadonlyMap<Element, readonly Cell[]>;
}

export interface BoxCellPlace {
  readonly cell: Element;
  readonly cells: readonly Cell[];
  readonly table: BoxTable;
}

type BoxRow = Omit<BoxCellPlace, 'cell'>;

const MAX_LEVELS = 8;
/** Number of boxes, each the only child of the one around it, between a row and its cells. */
const MAX_WRAPPERS = 2;
const MAX_SAMPLE = 24;
const NO_CONTAINER = /^(table|tbody|thead|tr|select|svg)$/;
const MIN_GRID_CELLS = 4;
const MAX_GRID_CELLS = 4_000;
/** Finds the tables of boxes of one observation; each is examined once. */
export class BoxTables {
  readonly #places = new Map<Element, BoxCellPlace | null>();
  readonly #tables = new Map<Element, BoxTable | null>();
  readonly #rows = new Map<Element, BoxRow | null>();
  readonly #grids = new Map<Element, BoxTable | null>();

  /** Returns the cell that is or contains an element, below the headers of a table of boxes; null elsewhere. */
  placeOf(element: Element): BoxCellPlace | null {
    const climbed: Element[] = [];
    let found: BoxCellPlace | null | undefined;
    for (
      let at: Element | null = element;
      at !== null && climbed.length < MAX_LEVELS;
      at = composedParent(at)
    ) {
      found = this.#places.get(at);
      if (found !== undefined) break;
      climbed.push(at);
      found = this.#placeOfCell(at);
      if (found !== null) break;
    }
    for (const at of climbed) this.#places.set(at, found ?? null);
    return found ?? null;
  }

  #placeOfCell(cell: Element): BoxCellPlace | null {
    const around = parentElement(cell);
    if (around === null) return null;
    const grid = remembered(this.#grids, around, examineGrid);
    const inGrid = grid?.rowOf?.get(cell);
    if (grid !== null && inGrid !== undefined) return { cell, cells: inGrid, table: grid };
    const row = remembered(this.#rows, around, box => this.#findRow(box));
    return row === null ? null : { cell, ...row };
  }

  #findRow(box: Element): BoxRow | null {
    const cells = childrenOf(box);
    if (cells.length < 2 || cells.length > MAX_COLUMNS) return null;
    let row = box;
    for (let up = 0; up <= MAX_WRAPPERS; up++) {
      const container = parentElement(row);
      if (container === null) return null;
      const isWrapper = isOnlyChild(row);
      const table = isWrapper ? null : remembered(this.#tables, container, examine);
      if (table !== null) {
        const found = { cells: numbered(cells), table };
        return table.sample[0]?.length === cells.length && !isHeaderOf(table, found.cells) ? found : null;
      }
      if (!isWrapper) return null;
      row = container;
    }
    return null;
  }
}

const isHeaderOf = ({ headers }: BoxTable, cells: readonly Cell[]): boolean =>
  cells.every(({ cell, column }) => headerOf(cell) === (headers.get(column) ?? ''));

/** Returns the table whose rows are the children of a box, below its first child or the box before it; null if there is none. */
function examine(container: Element): BoxTable | null {
  const first = boxFrom(firstElementChild(container));
  const second = first === null ? null : boxFrom(nextElementSibling(first));
  if (first === null || second === null || NO_CONTAINER.test(localName(container))) return null;
  const size = cellsIn(second).length;
  if (size < 2) return null;
  const before = headerBefore(container);
  return (
    (before === null ? null : tableBelow(container, before, size, true)) ??
    tableBelow(container, first, size, false)
  );
}

/** Returns the table below a row of headers; null if the row does not state the headers of the rows. */
function tableBelow(container: Element, header: Element, size: number, isApart: boolean): BoxTable | null {
  const cells = cellsIn(header);
  if (cells.length !== size) return null;
  let rows: readonly (readonly Element[])[] | null = null;
  const rowsBelow = () => {
    const all = childrenOf(container)
      .slice(0, MAX_SAMPLE + 1)
      .filter(row => row !== header)
      .map(cellsIn);
    const full = all.filter(row => row.length === size);
    rows = full.length * 2 < all.length ? [] : full;
    return rows;
  };
  const next = boxFrom(isApart ? firstElementChild(container) : nextElementSibling(header));
  const sample = next === null ? [] : cellsIn(next);
  if (sample.length !== size) return null;
  const headers = headersOf(header, cells, sample, rowsBelow, isApart);
  return headers === null ? null : { container, headers, sample: (rows ?? rowsBelow()).map(numbered) };
}

/** Returns the table whose cells are the children of a CSS grid, the first line of them its headers; null if there is none. */
function examineGrid(container: Element): BoxTable | null {
  if (!displayOf(container).display.endsWith('grid')) return null;
  const count = childElementCount(container);
  if (count < MIN_GRID_CELLS || count > MAX_GRID_CELLS) return null;
  const tracks = getComputedStyle(container).gridTemplateColumns.split(' ');
  const size = tracks.filter(track => /px$/.test(track)).length;
  if (size < 2 || size > MAX_COLUMNS || count < size * 2) return null;
  const lines: Element[][] = [];
  for (const [index, cell] of childrenOf(container, MAX_GRID_CELLS).entries())
    if (index % size === 0) lines.push([cell]);
    else lines.at(-1)?.push(cell);
  const [header, ...rows] = lines;
  if (header === undefined) return null;
  const headers = headersOf(null, header, rows[0] ?? [], () => rows.slice(0, MAX_SAMPLE), false);
  if (headers === null) return null;
  const cells = rows.map(numbered);
  const rowOf = new Map(cells.flatMap(row => row.map(({ cell }) => [cell, row] as const)));
  return { container, headers, sample: cells.slice(0, MAX_SAMPLE), rowOf };
}

/** Returns the box before the box of the rows, or before the box around it. */
function headerBefore(container: Element): Element | null {
  const beside = previousElementSibling(container);
  if (beside !== null) return beside;
  const parent = parentElement(container);
  return parent === null || !isOnlyChild(container) ? null : previousElementSibling(parent);
}

const numbered = (cells: readonly Element[]): readonly Cell[] =>
  cells.map((cell, index) => ({ cell, column: index + 1 }));

/** Returns the cells of a row: its children, or those of its only child. */
function cellsIn(row: Element): readonly Element[] {
  let at: Element = row;
  for (let down = 0; down < MAX_WRAPPERS; down++) {
    const only = firstElementChild(at);
    if (only === null || !isOnlyChild(only)) break;
    at = only;
  }
  const cells = childrenOf(at);
  return cells.length > MAX_COLUMNS ? [] : cells;
}

function boxFrom(element: Element | null): Element | null {
  let at = element;
  while (at !== null && UNSEEN.test(localName(at))) at = nextElementSibling(at);
  return at;
}

const UNSEEN = /^(script|style|template)$/;

const isOnlyChild = (element: Element): boolean =>
  nextElementSibling(element) === null && previousElementSibling(element) === null;

function childrenOf(element: Element, max = MAX_COLUMNS): Element[] {
  const children: Element[] = [];
  for (let child = firstElementChild(element); child !== null; child = nextElementSibling(child)) {
    if (!UNSEEN.test(localName(child))) children.push(child);
    if (children.length > max) break;
  }
  return children;
}
