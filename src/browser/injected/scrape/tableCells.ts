/** Finds cells of tables and grids by the header of their column. */
const TABLES = 'table, [role=grid], [role=treegrid], [role=table]';
const CELLS = 'td, th, [role=gridcell], [role=cell], [role=rowheader], [role=columnheader]';

/**
 * Returns the cells below a column header, from top to bottom: of the row that contains `scope` if it is in a row, else of all
 * rows of the first table in `scope` that has the header. Empty if there is none.
 * @param isHeader returns true for the text of the header
 */
export function cellsOfColumn(scope: Element, isHeader: (text: string) => boolean): readonly Element[] {
  const row = scope.closest('tr, [role=row]');
  const around = row?.closest(TABLES) ?? null;
  const tables = around === null ? [...scope.querySelectorAll(TABLES)] : [around];
  if (scope.matches(TABLES)) tables.unshift(scope);
  for (const table of tables) {
    const rows = [...table.querySelectorAll('tr, [role=row]')].filter(one => one.closest(TABLES) === table);
    const header = rows.find(one => columnOf(one, isHeader) !== null && isHeaderRow(one, rows));
    if (header === undefined) continue;
    const column = columnOf(header, isHeader);
    const body = row === null ? rows.slice(rows.indexOf(header) + 1) : [row];
    return body
      .filter(one => one !== header && !isHeaderRow(one, rows))
      .map(one => cellsOf(one).find(({ from, to }) => column !== null && from <= column && column < to)?.cell)
      .filter(cell => cell !== undefined);
  }
  return [];
}

/** Returns the number of the column whose header has the text; null if the row has no such cell. */
const columnOf = (row: Element, isHeader: (text: string) => boolean): number | null =>
  cellsOf(row).find(({ cell }) => isHeader(cell.textContent ?? ''))?.from ?? null;

/** Returns the cells of a row, with the number of the column where each starts and the one after its last. */
function cellsOf(row: Element): { cell: Element; from: number; to: number }[] {
  let from = 1;
  const own = [...row.querySelectorAll(CELLS)].filter(cell => cell.closest('tr, [role=row]') === row);
  return own.map(cell => {
    from = Number(cell.getAttribute('aria-colindex')) || from;
    const to = from + Math.max(1, Number(cell.getAttribute('colspan')) || 1);
    const place = { cell, from, to };
    from = to;
    return place;
  });
}

/** True for a row of column headers: in `thead`, with header cells only, or the first of a table without header cells. */
function isHeaderRow(row: Element, rows: readonly Element[]): boolean {
  if (row.closest('thead') !== null) return true;
  const cells = cellsOf(row);
  const isHead = ({ cell }: { cell: Element }) =>
    cell.getAttribute('role') === 'columnheader' ||
    (cell.localName === 'th' && cell.getAttribute('scope') !== 'row');
  if (cells.length > 1 && cells.every(isHead)) return true;
  const hasHeaders = rows.some(one => one.querySelector('th, [role=columnheader]') !== null);
  return !hasHeaders && row === rows[0] && cells.length > 2;
}
