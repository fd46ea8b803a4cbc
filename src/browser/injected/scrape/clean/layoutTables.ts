/**
 * Flattens tables that are used only for layout into blocks. Data tables stay `table`, and the host converts them to
 * Markdown tables (src/browser/scrape/htmlToMarkdown.ts).
 */

/** Returns true for a table that is used only for layout: it declares itself presentational, contains other tables, or has only one column. */
export function isLayoutTable(table: Element): boolean {
  if (/^(presentation|none)$/.test(table.getAttribute('role') ?? '')) return true;
  if (table.querySelector('table') !== null) return true;
  if (table.querySelector('th,caption') !== null) return false;
  for (const row of table.querySelectorAll('tr')) if (row.childElementCount >= 2) return false;
  return true;
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
