/** Lays tables out as grids: each cell at every place that it covers, as browsers draw `rowspan` and `colspan`. */

const TABLES = 'table,[role=grid],[role=treegrid],[role=table]';
const ROWS = 'tr,[role=row]';
const CELLS = 'td,th,[role=gridcell],[role=cell],[role=rowheader],[role=columnheader]';
/** Maximum number of columns; HTML allows a `colspan` of 1,000. */
const MAX_COLUMNS = 1_000;
/** Maximum number of places of one grid; those of further cells are their own only. */
const MAX_PLACES = 200_000;

/** A cell at one place of a grid. */
export interface GridPlace {
  readonly cell: Element;
  /** True at the first row, and at the first column, that the cell covers. */
  readonly isFirstRow: boolean;
  readonly isFirstColumn: boolean;
}

/** A row of a grid; places that no cell covers are undefined. */
export interface GridRow {
  readonly row: Element;
  readonly places: readonly (GridPlace | undefined)[];
}

/** Returns the rows of a table, without those of tables in it. */
export const ownRows = (table: Element): Element[] =>
  [...table.querySelectorAll(ROWS)].filter(row => row.closest(TABLES) === table);

const ownCells = (row: Element): Element[] =>
  [...row.querySelectorAll(CELLS)].filter(cell => cell.parentElement?.closest(ROWS) === row);

/** Lays a table out. Takes time linear in the number of its places, of which there are at most `MAX_PLACES`. */
export function tableGrid(table: Element): GridRow[] {
  const rows = ownRows(table);
  const grid: (GridPlace | undefined)[][] = rows.map(() => []);
  let left = MAX_PLACES;
  for (const [at, row] of rows.entries()) {
    const places = grid[at] ?? [];
    let column = 0;
    for (const cell of ownCells(row)) {
      const stated = Number(cell.getAttribute('aria-colindex')) - 1;
      if (stated >= column && stated < MAX_COLUMNS) column = stated;
      while (places[column] !== undefined) column++;
      if (column >= MAX_COLUMNS) break;
      const width = Math.min(spanOf(cell, 'colspan'), MAX_COLUMNS - column);
      const height = rowsCovered(cell, rows, at);
      const isWithin = left >= width * height;
      left -= width * height;
      for (let down = 0; down < (isWithin ? height : 1); down++)
        for (let right = 0; right < (isWithin ? width : 1); right++) {
          const covered = grid[at + down];
          if (covered !== undefined)
            covered[column + right] ??= { cell, isFirstRow: down === 0, isFirstColumn: right === 0 };
        }
      column += width;
    }
  }
  return rows.map((row, at) => ({ row, places: grid[at] ?? [] }));
}

function spanOf(cell: Element, name: 'colspan' | 'rowspan'): number {
  const span = Number.parseInt(cell.getAttribute(name) ?? cell.getAttribute(`aria-${name}`) ?? '', 10);
  return span > 0 ? span : 1;
}

/** Returns the number of rows that a cell covers: none outside of its row group; `rowspan=0` covers the rest of the group. */
function rowsCovered(cell: Element, rows: readonly Element[], at: number): number {
  const isRest = cell.getAttribute('rowspan')?.trim() === '0';
  const wanted = isRest ? rows.length : spanOf(cell, 'rowspan');
  let count = 1;
  while (
    count < wanted &&
    rows[at + count]?.parentElement === rows[at]?.parentElement &&
    at + count < rows.length
  )
    count++;
  return count;
}

/** Returns true for a row of column headers: in `thead`, or with header cells only. */
export function isHeaderRow({ row, places }: GridRow): boolean {
  if (row.closest('thead') !== null) return true;
  const cells = new Set(places.map(place => place?.cell).filter(cell => cell !== undefined));
  return cells.size > 1 && [...cells].every(isColumnHeader);
}

const isColumnHeader = (cell: Element): boolean =>
  cell.getAttribute('role') === 'columnheader' ||
  (cell.localName === 'th' && !/^row/.test(cell.getAttribute('scope') ?? ''));

/** Returns the number of rows of column headers with which a grid begins. */
export function headerRowCount(grid: readonly GridRow[]): number {
  let count = 0;
  for (const row of grid) {
    const isGroup = count > 0 && row.row.parentElement !== grid[count - 1]?.row.parentElement;
    // Rows of header cells below the first head subtables, unless they continue cells of the first.
    if (isGroup || !isHeaderRow(row)) break;
    if (count > 0 && row.row.closest('thead') === null && !continuesHeader(grid[count - 1], row)) break;
    count++;
  }
  return count;
}

/** Returns true if a row of headers belongs to the one before it: a cell of that row covers several columns, or rows. */
const continuesHeader = (before: GridRow | undefined, { places }: GridRow): boolean =>
  places.some(place => place?.isFirstRow === false) ||
  before?.places.some(place => place?.isFirstColumn === false) === true;
