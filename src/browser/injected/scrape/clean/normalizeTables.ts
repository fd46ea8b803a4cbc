/** Rewrites the tables of sanitized HTML as Markdown and plain text have them: one header row, a cell at each place, no table in a cell. */
import { flattenLayoutTable, isLayoutTable } from './layoutTables.ts';
import { readableText } from './readableText.ts';
import { type GridRow, headerRowCount, ownRows, tableGrid } from './tableGrid.ts';

/** A longer text of a cell that covers several rows is not repeated. Characters. */
const MAX_REPEATED_CHARACTERS = 200;
/** Matches the elements whose content a table cannot show in one place per cell. */
const SPANNING = '[rowspan],[colspan],table,tfoot';

/** Rewrites all tables of a root in place, the innermost first. Returns false if none needs it. */
export function normalizeTables(root: Element): boolean {
  let isChanged = false;
  for (const table of [...root.querySelectorAll('table')].reverse()) {
    if (isLayoutTable(table)) flattenLayoutTable(table);
    else if (needsGrid(table)) layOut(table);
    else continue;
    isChanged = true;
  }
  return isChanged;
}

/** Returns true if a table has cells that cover several places, tables in cells, or several rows of headers. */
const needsGrid = (table: Element): boolean =>
  table.querySelector(SPANNING) !== null ||
  ownRows(table).filter(row => row.closest('thead') !== null).length > 1;

function layOut(table: Element): void {
  const grid = footLast(tableGrid(table));
  const headers = headerRowCount(grid);
  const width = Math.max(0, ...grid.map(({ places }) => places.length));
  if (width === 0) return;
  const document = table.ownerDocument;
  const plain = document.createElement('table');
  const caption = table.querySelector(':scope > caption');
  if (caption !== null) plain.append(caption);
  const after = takeInnerTables(grid, headers);
  if (headers > 0) {
    const head = plain.appendChild(document.createElement('thead')).appendChild(document.createElement('tr'));
    for (let column = 0; column < width; column++)
      head.append(headerCell(grid.slice(0, headers), column, document));
  }
  const body = plain.appendChild(document.createElement('tbody'));
  for (const row of grid.slice(headers)) body.append(bodyRow(row, width, document));
  table.replaceWith(plain, ...after);
}

/** A browser shows the foot of a table below its rows, wherever it stands. */
const footLast = (grid: readonly GridRow[]): GridRow[] => [
  ...grid.filter(({ row }) => row.closest('tfoot') === null),
  ...grid.filter(({ row }) => row.closest('tfoot') !== null),
];

/** Returns the header of a column: the texts of the header rows, from top to bottom. */
function headerCell(rows: readonly GridRow[], column: number, document: Document): Element {
  const header = document.createElement('th');
  const cells = new Set(rows.map(({ places }) => places[column]?.cell).filter(cell => cell !== undefined));
  for (const cell of cells) {
    if (header.hasChildNodes()) header.append(' ');
    header.append(...Array.from(cell.childNodes, node => node.cloneNode(true)));
    const align = cell.getAttribute('align');
    if (align !== null) header.setAttribute('align', align);
  }
  return header;
}

function bodyRow({ row, places }: GridRow, width: number, document: Document): Element {
  const plain = document.createElement('tr');
  for (let column = 0; column < width; column++) {
    const place = places[column];
    const isHeader = place?.cell.localName === 'th' && row.closest('thead') === null;
    const cell = plain.appendChild(document.createElement(isHeader ? 'th' : 'td'));
    if (place === undefined || !place.isFirstColumn) continue;
    if (place.isFirstRow) {
      cell.append(...Array.from(place.cell.childNodes, node => node.cloneNode(true)));
      continue;
    }
    const text = readableText(place.cell);
    if (text.length <= MAX_REPEATED_CHARACTERS) cell.append(text);
  }
  return plain;
}

/** Takes the tables out of the cells. Returns what stands below the table: each table after the headers of its cell. */
function takeInnerTables(grid: readonly GridRow[], headers: number): Node[] {
  const taken: Node[] = [];
  for (const { places } of grid.slice(headers))
    for (const [column, place] of places.entries()) {
      if (place === undefined || !place.isFirstRow || !place.isFirstColumn) continue;
      const inner = [...place.cell.querySelectorAll('table')];
      if (inner.length === 0) continue;
      const names = [column > 0 ? places[0]?.cell : undefined, grid[headers - 1]?.places[column]?.cell]
        .map(cell => (cell === undefined ? '' : readableText(cell)))
        .filter(name => name !== '' && name.length <= MAX_REPEATED_CHARACTERS);
      const document = place.cell.ownerDocument;
      const label = document.createElement('p');
      label.appendChild(document.createElement('strong')).append(names.join(', '));
      if (names.length > 0) taken.push(label);
      taken.push(...inner);
      for (const table of inner) table.remove();
    }
  return taken;
}

const ROLES: readonly (readonly [selector: string, name: string])[] = [
  ['[role=table],[role=grid],[role=treegrid]', 'table'],
  ['[role=rowgroup]', 'tbody'],
  ['[role=row]', 'tr'],
  ['[role=columnheader],[role=rowheader]', 'th'],
  ['[role=cell],[role=gridcell]', 'td'],
];

/** Turns elements that only ARIA makes tables into tables. */
export function convertRoleTables(root: Element): void {
  const tables = [...root.querySelectorAll('[role=table],[role=grid],[role=treegrid]')];
  for (const table of tables) {
    if (table.localName === 'table' || table.querySelector('[role=row]') === null) continue;
    for (const [selector, name] of ROLES)
      for (const element of [...table.querySelectorAll(selector)])
        if (element.localName !== name) rename(element, name);
    rename(table, 'table');
  }
}

function rename(element: Element, name: string): void {
  const renamed = element.ownerDocument.createElement(name);
  for (const attribute of ['rowspan', 'colspan', 'scope', 'id', 'class', 'aria-label']) {
    const value = element.getAttribute(attribute) ?? element.getAttribute(`aria-${attribute}`);
    if (value !== null) renamed.setAttribute(attribute, value);
  }
  if (element.getAttribute('role') === 'rowheader') renamed.setAttribute('scope', 'row');
  renamed.append(...element.childNodes);
  element.replaceWith(renamed);
}
