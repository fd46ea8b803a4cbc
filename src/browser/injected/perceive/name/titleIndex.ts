/** Collects the headings, legends and row headers of the document in document order. */
import {
  comparePosition,
  getRootNode,
  isShadowRoot,
  queryAllDocument,
  queryIn,
} from '../../dom/domGetters.ts';
import { whileTreeStands } from '../../dom/whileTreeStands.ts';

const TITLE_SELECTOR = 'th[scope=row], h1, h2, h3, h4, h5, h6, [role=heading], legend, [role=rowheader]';

/** Returns the first heading, legend or row header inside a box; null if there is none. */
export function firstTitleIn(box: Element): Element | null {
  if (isShadowRoot(getRootNode(box))) return queryIn(box, TITLE_SELECTOR);
  const titles = whileTreeStands('titles', () => Array.from(queryAllDocument(document, TITLE_SELECTOR)));
  let from = 0;
  let to = titles.length;
  // Binary search for the first title that is not before the box.
  while (from < to) {
    const middle = (from + to) >> 1;
    const one = titles[middle];
    if (one !== undefined && (comparePosition(box, one) & Node.DOCUMENT_POSITION_PRECEDING) !== 0)
      from = middle + 1;
    else to = middle;
  }
  const first = titles[from];
  return first !== undefined && (comparePosition(box, first) & Node.DOCUMENT_POSITION_CONTAINED_BY) !== 0
    ? first
    : null;
}
