/** Lays tables out as grids: each cell at every place that it covers, as browsers draw `rowspan` and `colspan`. */
import { readableText } from './readableText.ts';

const TABLES = 'table,[role=grid],[role=treegrid],[role=table]';
const ROWS = 'tr,[role=row]';
const CELLS = 'td,th,[role=gridcell],[role=cell],[role=rowheader],[role=columnheader]';
/** Maximum number of columns; HTML allows a `colspan` of 1,000. */
const MAX_COLUMNS = 1_000;
/** Maximum number of places of one grid; those of further cells are their own only. */
const MAX_PLACES = 200_000;

interface GridPlace {
  readonly cell: Element;
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

/** Returns true for a row of column headers: in `thead`, or with header cells only, beside an empty cell in the corner. */
export function isHeaderRow({ row, places }: GridRow): boolean {
  if (row.closest('thead') !== null) return true;
  const cells = new Set(places.map(place => place?.cell).filter(cell => cell !== undefined));
  const [corner, ...others] = cells;
  if (corner === undefined || others.length === 0 || !others.every(isColumnHeader)) return false;
  return isColumnHeader(corner) || (corner.textContent ?? '').trim() === '';
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

const BLOCKS = 'div,p,ul,ol,h1,h2,h3,h4';

/**
 * Returns true for a table that is used only for layout: it declares itself presentational, has no header of its own and only one column,
 * tables in it, or one row with blocks in it.
 */
function isLayoutTable(table: Element): boolean {
  if (/^(presentation|none)$/.test(table.getAttribute('role') ?? '')) return true;
  const rows = ownRows(table);
  if (table.querySelector(':scope > caption') !== null) return false;
  if (rows.some(row => [...row.children].some(({ localName }) => localName === 'th'))) return false;
  if (table.querySelector('table') !== null) return true;
  if (rows.length === 1 && table.querySelector(BLOCKS) !== null) return true;
  return rows.every(row => row.childElementCount < 2);
}

/** Replaces a layout table by blocks, one for each row, with the content of the row's cells. */
function flattenLayoutTable(table: Element): void {
  const box = table.ownerDocument.createElement('div');
  for (const row of table.querySelectorAll('tr,caption')) {
    if (row.closest('table') !== table) continue;
    const block = table.ownerDocument.createElement('div');
    for (const cell of row.localName === 'tr' ? [...row.children] : [row])
      block.append(...cell.childNodes, ' ');
    box.append(block);
  }
  table.replaceWith(box);
}

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

/** The level of a heading by ARIA that names none. */
const DEFAULT_LEVEL = 2;

/** Turns elements that only ARIA makes headings and lists into those. */
export function convertRoles(root: Element): void {
  for (const heading of root.querySelectorAll(':is(div,span,p)[role=heading]')) {
    const level = Number.parseInt(heading.getAttribute('aria-level') ?? '', 10) || DEFAULT_LEVEL;
    rename(heading, `h${Math.min(Math.max(level, 1), 6)}`);
  }
  for (const list of root.querySelectorAll(':is(div,section)[role=list]')) {
    const items = [...list.children].filter(child => child.matches(':is(div,span,section)[role=listitem]'));
    if (items.length === 0 || items.length < list.childElementCount) continue;
    for (const item of items) rename(item, 'li');
    rename(list, 'ul');
  }
}

/** The names of the parents of a row, of the children of a row, and of the other children of a table. */
const ROW_PARENTS = new Set('table thead tbody tfoot'.split(' '));
const ROW_PARTS = new Set('td th'.split(' '));
const TABLE_PARTS = new Set('caption colgroup col thead tbody tfoot tr'.split(' '));

/** Puts what stands in a table outside of its cells into cells, as browsers show it: parsing the HTML would move it before the table. */
export function completeTables(root: Element): void {
  for (const part of root.querySelectorAll('tr,td,th')) unwrapIn(part);
  for (const part of root.querySelectorAll('table,thead,tbody,tfoot,tr')) {
    const isRow = part.localName === 'tr';
    const names = isRow ? ROW_PARTS : TABLE_PARTS;
    let next: Node | null = part.firstChild;
    for (let node = next; node !== null; node = next) {
      next = node.nextSibling;
      if (node.nodeType === 3 ? !/\S/.test((node as Text).data) : node.nodeType !== 1) continue;
      if (node.nodeType === 1 && names.has((node as Element).localName)) continue;
      const cell = root.ownerDocument.createElement('td');
      const outer = isRow ? cell : root.ownerDocument.createElement('tr');
      part.replaceChild(outer, node);
      if (outer !== cell) outer.append(cell);
      cell.append(node);
    }
  }
}

/** Removes the boxes between a row and its table, or between a cell and its row, which grids by ARIA have. */
function unwrapIn(part: Element): void {
  const isOuter = ({ localName }: Element): boolean =>
    part.localName === 'tr' ? ROW_PARENTS.has(localName) : localName === 'tr';
  const parent = part.parentElement;
  if (parent === null || isOuter(parent)) return;
  const outer = parent.closest('table,thead,tbody,tfoot,tr,td,th');
  if (outer === null || !isOuter(outer)) return;
  for (let box = part.parentElement; box !== null && box !== outer; box = part.parentElement)
    box.replaceWith(...box.childNodes);
}

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
