/** Finds cells of tables and grids by the header of their column. */
import { readableText } from './clean/readableText.ts';
import { type GridRow, headerRowCount, isHeaderRow, tableGrid } from './clean/tableGrid.ts';

const TABLES = 'table, [role=grid], [role=treegrid], [role=table]';

/**
 * Returns the cells below a column header, from top to bottom: of the row that contains `scope` if it is in a row, else of all
 * rows of the first table in `scope` that has the header. A cell that covers several rows is in each of them. Empty if there is none.
 * @param isHeader returns true for the text of the header
 */
export function cellsOfColumn(scope: Element, isHeader: (text: string) => boolean): readonly Element[] {
  const row = scope.closest('tr, [role=row]');
  const around = row?.closest(TABLES) ?? null;
  const tables = around === null ? [...scope.querySelectorAll(TABLES)] : [around];
  if (scope.matches(TABLES)) tables.unshift(scope);
  for (const table of tables) {
    const grid = tableGrid(table);
    const headers = grid.filter(one => isHeaderRow(one) || isFirstOfPlainTable(one, grid));
    const found = columnIn(headers, headerRowCount(grid), isHeader);
    if (found === null) continue;
    const body =
      row === null ? grid.slice(grid.indexOf(found.header) + 1) : grid.filter(one => one.row === row);
    return body
      .filter(one => !headers.includes(one))
      .map(({ places }) => places[found.column]?.cell)
      .filter(cell => cell !== undefined);
  }
  return [];
}

/** Returns the column with the header, and the row of it; null if there is none. The header may also be all headers above the column. */
function columnIn(
  headers: readonly GridRow[],
  leading: number,
  isHeader: (text: string) => boolean,
): { readonly header: GridRow; readonly column: number } | null {
  for (const header of headers) {
    const column = header.places.findIndex(
      place => place !== undefined && isHeader(readableText(place.cell)),
    );
    if (column >= 0) return { header, column };
  }
  const head = headers.slice(0, leading);
  const last = head.at(-1);
  if (last === undefined || head.length < 2) return null;
  const column = last.places.findIndex((_, at) => {
    const cells = new Set(head.map(({ places }) => places[at]?.cell).filter(cell => cell !== undefined));
    return isHeader(Array.from(cells, readableText).join(' '));
  });
  return column < 0 ? null : { header: last, column };
}

/** True for the first row of a table without header cells. */
const isFirstOfPlainTable = (one: GridRow, grid: readonly GridRow[]): boolean =>
  one === grid[0] &&
  one.places.length > 2 &&
  !grid.some(({ row }) => row.querySelector('th, [role=columnheader]') !== null);
