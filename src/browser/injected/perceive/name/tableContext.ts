/** Finds the row and the column of an element in a table or a grid: the words that identify the row, and the header of the column. */

import { around, ENTRY_LEVELS } from '../../dom/around.ts';
import {
  closest,
  getAttribute,
  getRootNode,
  isShadowRoot,
  localName,
  queryAllIn,
  queryDocument,
} from '../../dom/domGetters.ts';
import { observation, remembered } from '../../dom/lifetimes.ts';
import { whileTreeStands } from '../../dom/whileTreeStands.ts';
import { normalizeText, truncate } from '../element/plainText.ts';
import { BoxTables } from './boxTable.ts';
import {
  ariaHeaders,
  type Cell,
  type ColumnHeaders,
  cellsOf,
  cellText,
  headerRowOf,
  headerTexts,
  isHeaderRow,
  isCell as isMarkedCell,
  MAX_CELL_TEXT_LENGTH,
} from './tableCells.ts';
import { dateAround } from './weekColumns.ts';

interface ColumnSample {
  readonly column: number;
  readonly values: readonly string[];
  readonly isRowHeader: boolean;
}

/** Returns the columns that identify a row: the row header, else the first column of words that differ; a second one if needed. */
export function keyColumns(body: readonly (readonly Cell[])[]): readonly number[] {
  const samples = columnSamples(body);
  if (isMonth(columnSamples(body.filter(cells => cells.length > 1)))) return [];
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

function columnSamples(body: readonly (readonly Cell[])[]): ColumnSample[] {
  const byColumn = new Map<number, { values: string[]; headers: number }>();
  body.forEach((cells, index) => {
    for (const { cell, column } of cells) {
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

interface CellPlace {
  readonly cell: Element;
  /** The row; in a table of boxes without rows its first cell. */
  readonly row: Element;
  readonly isHeader: boolean;
  readonly cells: readonly Cell[];
  readonly texts: TableTexts;
}

interface TableTexts {
  readonly headers: ColumnHeaders;
  /** The columns whose texts identify a row; empty if the rows have no text that differs. */
  readonly keys: readonly number[];
}

const TABLES = 'table, [role=grid], [role=treegrid], [role=table]';
/** Number of rows that are compared to find what identifies a row. */
const MAX_SAMPLE = 24;

const hasCells = (): boolean =>
  whileTreeStands('cells', () => queryDocument(document, 'td, th, [role=gridcell], [role=cell]') !== null);

const caches = observation.value(() => ({
  texts: new WeakMap<Element, TableTexts>(),
  titles: new WeakMap<Element, string>(),
  places: new WeakMap<Element, CellPlace | null>(),
  rowCells: new WeakMap<Element, { isHeader: boolean; cells: readonly Cell[] }>(),
  boxTables: new BoxTables(),
}));

/** Returns the text that identifies the row of an element, in a calendar the date of its day. */
export function rowTitle(element: Element): string {
  const place = placeOf(element);
  if (place === null) return '';
  return (
    dateAround(place.cell) ||
    remembered(caches().titles, place.row, () => (place.isHeader ? '' : titleOfRow(place)))
  );
}

function titleOfRow({ cells, texts: { keys } }: CellPlace): string {
  const parts = keys
    .map(key => cells.find(({ column }) => column === key)?.cell)
    .filter(cell => cell !== undefined);
  return truncate(normalizeText(parts.map(cellText).join(', ')), MAX_CELL_TEXT_LENGTH);
}

export function columnHeader(element: Element): string {
  const place = placeOf(element);
  if (place === null || place.isHeader) return '';
  const column = place.cells.find(({ cell }) => cell === place.cell)?.column;
  return column === undefined ? '' : (place.texts.headers.get(column) ?? '');
}

/** Returns true for a cell of a table whose columns have headers: its neighbours are other values of the row, not its labels. */
export const isCellBelowHeaders = (element: Element): boolean => isCell(element) && isBelowHeaders(element);

export const isInCell = (element: Element): boolean => placeOf(element) !== null;

export function isBelowHeaders(element: Element): boolean {
  const place = placeOf(element);
  return place !== null && place.texts.headers.size > 1;
}

export const isCell = (element: Element): boolean =>
  isMarkedCell(element) || placeOf(element)?.cell === element;

const placeOf = (element: Element): CellPlace | null =>
  remembered(caches().places, element, () => findPlace(element) ?? boxPlace(element));

function findPlace(element: Element): CellPlace | null {
  if (!hasCells() && !isShadowRoot(getRootNode(element))) return null;
  const cell = [...around(element, ENTRY_LEVELS)].find(isMarkedCell);
  const row = cell === undefined ? null : closest(cell, 'tr, [role=row]');
  const table = row === null ? null : closest(row, TABLES);
  if (cell === undefined || row === null || table === null) return null;
  return { cell, row, ...cellsOfRow(row), texts: textsOf(table) };
}

function boxPlace(element: Element): CellPlace | null {
  // Most elements are links, which are named by their texts: searching a table around each takes time.
  if (localName(element) === 'a') return null;
  const { boxTables, texts } = caches();
  const found = boxTables.placeOf(element);
  if (found === null) return null;
  const { cell, cells, table } = found;
  const known = remembered(texts, table.container, () => ({
    headers: table.headers,
    keys: keyColumns(table.sample),
  }));
  const [first] = cells;
  return { cell, row: first?.cell ?? cell, isHeader: false, cells, texts: known };
}

const cellsOfRow = (row: Element): { isHeader: boolean; cells: readonly Cell[] } =>
  remembered(caches().rowCells, row, () => ({ isHeader: isHeaderRow(row), cells: cellsOf(row) }));

const textsOf = (table: Element): TableTexts => remembered(caches().texts, table, readTexts);

function readTexts(table: Element): TableTexts {
  const rows: Element[] = [];
  for (const row of Array.from(queryAllIn(table, 'tr, [role=row]'))) {
    if (closest(row, TABLES) === table) rows.push(row);
    if (rows.length > MAX_SAMPLE) break;
  }
  const header = headerRowOf(rows);
  const body = rows.filter(row => row !== header && !cellsOfRow(row).isHeader);
  return {
    headers: header === null ? ariaHeaders(table) : headerTexts(header),
    keys: keyColumns(body.map(row => cellsOfRow(row).cells)),
  };
}
