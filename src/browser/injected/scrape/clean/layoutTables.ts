/**
 * Flattens tables that are used only for layout into blocks. Data tables stay `table`.
 */
import { ownRows } from './tableGrid.ts';

const BLOCKS = 'div,p,ul,ol,h1,h2,h3,h4';

/**
 * Returns true for a table that is used only for layout: it declares itself presentational, has no header of its own and only one column,
 * tables in it, or one row with blocks in it.
 */
export function isLayoutTable(table: Element): boolean {
  if (/^(presentation|none)$/.test(table.getAttribute('role') ?? '')) return true;
  const rows = ownRows(table);
  if (table.querySelector(':scope > caption') !== null) return false;
  if (rows.some(row => [...row.children].some(({ localName }) => localName === 'th'))) return false;
  if (table.querySelector('table') !== null) return true;
  if (rows.length === 1 && table.querySelector(BLOCKS) !== null) return true;
  return rows.every(row => row.childElementCount < 2);
}

/** Replaces a layout table by blocks, one for each row, with the content of the row's cells. */
export function flattenLayoutTable(table: Element): void {
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
