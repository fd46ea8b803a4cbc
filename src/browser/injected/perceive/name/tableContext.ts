/** Finds the row and the column of an element in a table or a grid: the words that identify the row, and the header of the column. */
import {
  closest,
  composedParent,
  firstElementChild,
  getAttribute,
  getRootNode,
  isShadowRoot,
  localName,
  nextElementSibling,
  queryAllIn,
  queryDocument,
  queryIn,
} from '../../dom/domGetters.ts';
import { whileTreeStands } from '../../dom/whileTreeStands.ts';
import { dateAround } from '../element/calendarDay.ts';
import { normalizeText, truncate } from '../element/plainText.ts';
import { visibleText } from '../element/renderedText.ts';

/** A cell, its row and its table. */
interface CellPlace {
  readonly cell: Element;
  readonly row: Element;
  readonly table: Element;
}

/** The header texts of a table's rows and columns. */
interface TableTexts {
  /** The text of each column's header, by the number of the column. */
  readonly headers: ReadonlyMap<number, string>;
  /** The columns whose texts identify a row; empty if the rows have no text that differs. */
  readonly keys: readonly number[];
}

const CELL_ROLES = /^(gridcell|cell|rowheader|columnheader)$/;
const TABLES = 'table, [role=grid], [role=treegrid], [role=table]';
const FIELDS = 'input, select, textarea';
const CONTROLS = 'input, select, textarea, button, [role=button], [role=checkbox], [contenteditable=true]';
/** Number of levels from an element up to its cell. */
const MAX_LEVELS = 12;
/** Header texts of at most this many characters may be abbreviations. */
const MAX_ABBREVIATION_LENGTH = 3;
/** Number of rows that are compared to find what identifies a row. */
const MAX_SAMPLE = 24;
const MAX_COLUMNS = 40;
const MAX_TEXT_LENGTH = 50;

/** Returns true if the document has cells. Shadow trees can have cells of their own. */
const hasCells = (): boolean =>
  whileTreeStands('cells', () => queryDocument(document, 'td, th, [role=gridcell], [role=cell]') !== null);
let texts = new WeakMap<Element, TableTexts>();
let titles = new WeakMap<Element, string>();
let places = new WeakMap<Element, CellPlace | null>();

/** Empties the caches. Call it at the start of an observation. */
export function clearTableContext(): void {
  texts = new WeakMap();
  titles = new WeakMap();
  places = new WeakMap();
}

/**
 * Returns the text that identifies the row of an element in its table, in a calendar the date of the day; empty outside of a table and for
 * rows without a text.
 */
export function rowTitle(element: Element): string {
  const place = placeOf(element);
  if (place === null) return '';
  const date = dateAround(place.cell);
  if (date !== '') return date;
  const known = titles.get(place.row);
  if (known !== undefined) return known;
  if (isHeaderRow(place.row)) {
    titles.set(place.row, '');
    return '';
  }
  const { keys } = textsOf(place.table);
  const cells = cellsOf(place.row);
  const parts = keys
    .map(key => cells.find(({ column }) => column === key)?.cell)
    .filter(cell => cell !== undefined);
  const title = truncate(normalizeText(parts.map(cellText).join(', ')), MAX_TEXT_LENGTH);
  titles.set(place.row, title);
  return title;
}

/** Returns the header of the column of an element in its table; empty outside of a table and without a header. */
export function columnHeader(element: Element): string {
  const place = placeOf(element);
  if (place === null || isHeaderRow(place.row)) return '';
  const column = cellsOf(place.row).find(({ cell }) => cell === place.cell)?.column;
  return column === undefined ? '' : (textsOf(place.table).headers.get(column) ?? '');
}

/** Returns true for a cell of a table whose columns have headers: its neighbours are other values of the row, not its labels. */
export function isCellBelowHeaders(element: Element): boolean {
  if (!isCell(element)) return false;
  const place = placeOf(element);
  return place !== null && textsOf(place.table).headers.size > 1;
}

/** Returns true for an element in a cell of a table or grid. */
export const isInCell = (element: Element): boolean => placeOf(element) !== null;

/** Returns true for an element in a table whose columns have headers. */
export function isBelowHeaders(element: Element): boolean {
  const place = placeOf(element);
  return place !== null && textsOf(place.table).headers.size > 1;
}

export const isCell = (element: Element): boolean => {
  const tag = localName(element);
  return tag === 'td' || tag === 'th' || CELL_ROLES.test(getAttribute(element, 'role') ?? '');
};

function placeOf(element: Element): CellPlace | null {
  const known = places.get(element);
  if (known !== undefined) return known;
  const place = findPlace(element);
  places.set(element, place);
  return place;
}

function findPlace(element: Element): CellPlace | null {
  if (!hasCells() && !isShadowRoot(getRootNode(element))) return null;
  let at: Element | null = element;
  for (let level = 0; at !== null && level < MAX_LEVELS && !isCell(at); level++) at = composedParent(at);
  if (at === null || !isCell(at)) return null;
  const row = closest(at, 'tr, [role=row]');
  const table = row === null ? null : closest(row, TABLES);
  return row === null || table === null ? null : { cell: at, row, table };
}

/** Returns the cells of a row with the number of the column that each starts at, from 1. */
function cellsOf(row: Element): { cell: Element; column: number }[] {
  const cells: { cell: Element; column: number }[] = [];
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

function ownCells(row: Element): readonly Element[] {
  const own: Element[] = [];
  for (let child = firstElementChild(row); child !== null; child = nextElementSibling(child))
    if (isCell(child)) own.push(child);
  if (own.length > 0) return own;
  return Array.from(queryAllIn(row, '[role=gridcell], [role=cell], [role=rowheader], [role=columnheader]'));
}

/** Returns the text of a cell without the values and labels of the first field in it. */
const cellText = (cell: Element): string => visibleText(cell, queryIn(cell, FIELDS), MAX_TEXT_LENGTH * 2);

function textsOf(table: Element): TableTexts {
  const known = texts.get(table);
  if (known !== undefined) return known;
  const rows: Element[] = [];
  for (const row of Array.from(queryAllIn(table, 'tr, [role=row]'))) {
    if (closest(row, TABLES) === table) rows.push(row);
    if (rows.length > MAX_SAMPLE) break;
  }
  const header = headerRowOf(rows);
  const body = rows.filter(row => row !== header && !isHeaderRow(row));
  const found: TableTexts = {
    headers: header === null ? ariaHeaders(table) : headerTexts(header),
    keys: keyColumns(body),
  };
  texts.set(table, found);
  return found;
}

/** True for a row of column headers: in `thead`, or with header cells only. */
const isHeaderRow = (row: Element): boolean => {
  const parent = composedParent(row);
  if (parent !== null && localName(parent) === 'thead') return true;
  const cells = ownCells(row);
  return (
    cells.length > 1 &&
    cells.every(cell => localName(cell) === 'th' || getAttribute(cell, 'role') === 'columnheader')
  );
};

/** Returns the row whose cells are the headers of the columns; null if there is none. */
function headerRowOf(rows: readonly Element[]): Element | null {
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

const headerTexts = (row: Element): ReadonlyMap<number, string> =>
  new Map(
    cellsOf(row)
      .filter(({ cell }) => Number(getAttribute(cell, 'colspan') ?? 1) < 2)
      .map(({ cell, column }) => [column, truncate(headerText(cell), MAX_TEXT_LENGTH)] as const)
      .filter(([, text]) => text !== ''),
  );

/** Returns the text of a header; for an abbreviation, such as that of a day, and beside buttons its whole name if the cell states one. */
function headerText(cell: Element): string {
  const text = cellText(cell);
  const stated =
    getAttribute(cell, 'aria-label') ?? getAttribute(cell, 'abbr') ?? getAttribute(cell, 'title') ?? '';
  const isAlone = text.length > MAX_ABBREVIATION_LENGTH && queryIn(cell, 'button, [role=button]') === null;
  return isAlone ? text : normalizeText(stated) || text;
}

/** Returns the headers of a grid whose header row is not one of its first rows. */
function ariaHeaders(table: Element): ReadonlyMap<number, string> {
  const headers = Array.from(queryAllIn(table, '[role=columnheader]')).slice(0, MAX_COLUMNS);
  return new Map(
    headers
      .map(
        (cell, index) =>
          [
            Number(getAttribute(cell, 'aria-colindex')) || index + 1,
            truncate(headerText(cell), MAX_TEXT_LENGTH),
          ] as const,
      )
      .filter(([, text]) => text !== ''),
  );
}

/** The texts of the sampled rows in one column. */
interface ColumnSample {
  readonly column: number;
  readonly values: readonly string[];
  readonly isRowHeader: boolean;
}

/** Returns the columns that identify a row: the row header, else the first column of words that differ; a second one if needed. */
function keyColumns(body: readonly Element[]): readonly number[] {
  const samples = columnSamples(body);
  if (isMonth(columnSamples(body.filter(row => cellsOf(row).length > 1)))) return [];
  const best = samples.toSorted((a, b) => keyScore(b) - keyScore(a))[0];
  if (best === undefined || keyScore(best) <= 0) return [];
  if (new Set(best.values).size === best.values.length) return [best.column];
  const second = samples
    .filter(({ column }) => column !== best.column)
    .find(
      ({ values }) =>
        new Set(values.map((value, index) => `${best.values[index]} ${value}`)).size === values.length,
    );
  return second === undefined ? [best.column] : [best.column, second.column];
}

/** Returns true for the weeks of a month: a day does not identify the others of its week. */
const isMonth = (samples: readonly ColumnSample[]): boolean =>
  samples.length >= 7 &&
  samples.length <= 8 &&
  samples
    .slice(-7)
    .every(({ values, isRowHeader }) => !isRowHeader && values.every(value => DAY.test(value)));

/** Matches the text of a day in a calendar: its number, or its whole date. */
const DAY = /^\d{0,2}$|^[\p{L}\s.,\d]*\b\d{1,2}\b[\p{L}\s.,\d]*$/u;

function columnSamples(body: readonly Element[]): ColumnSample[] {
  const byColumn = new Map<number, { values: string[]; headers: number }>();
  body.forEach((row, index) => {
    for (const { cell, column } of cellsOf(row)) {
      const known = byColumn.get(column) ?? { values: [], headers: 0 };
      byColumn.set(column, known);
      while (known.values.length < index) known.values.push('');
      known.values.push(cellText(cell));
      if (localName(cell) === 'th' || getAttribute(cell, 'role') === 'rowheader') known.headers++;
    }
  });
  return [...byColumn].map(([column, { values, headers }]) => ({
    column,
    values,
    isRowHeader: headers * 2 > body.length,
  }));
}

/** Rates how well a column identifies rows; at most 0 if it does not. Columns further left win among equals. */
function keyScore({ column, values, isRowHeader }: ColumnSample): number {
  const texts = values.filter(value => value !== '');
  const distinct = new Set(texts).size;
  if (distinct < 2 && !(isRowHeader && distinct > 0)) return 0;
  const words = texts.filter(value => /\p{L}{2}/u.test(value)).length / texts.length;
  return (isRowHeader ? 2 : 0) + distinct / values.length + words - column / 1_000;
}
