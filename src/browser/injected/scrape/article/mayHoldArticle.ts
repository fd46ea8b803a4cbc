/** Tells in one pass that a page has no article, so that Readability need not read it: tables, lists of links, forms. */

/** Elements that stay whole in the result of Readability. */
const WHOLE_BLOCKS = new Set(['p', 'li', 'pre', 'blockquote']);
/** Elements of whose own text Readability can make a paragraph, beside the parents of `br`. */
const PARAGRAPH_SOURCES = 'div,aside,td,th';
const CANDIDATES = [...WHOLE_BLOCKS, PARAGRAPH_SOURCES].join();
/** Elements whose text never becomes part of a paragraph around them. */
const SEPARATE_BLOCKS = new Set('blockquote dl div ol p pre table ul'.split(' '));

/**
 * Returns false if Readability cannot find an article in a page that is not readerable: its text cannot become two blocks of prose.
 * @param minProse minimum length of a block of prose, in characters
 */
export function mayHoldArticle(copy: Document, minProse: number): boolean {
  const counted = new Set<Element>();
  let blocks = 0;
  const add = (element: Element): boolean => {
    if (counted.has(element)) return false;
    counted.add(element);
    blocks += Math.floor(blockTextLength(element, 2 * minProse) / minProse);
    return blocks >= 2;
  };
  for (const element of copy.body.querySelectorAll(CANDIDATES)) if (add(element)) return true;
  for (const lineBreak of copy.body.querySelectorAll('br'))
    if (lineBreak.parentElement !== null && add(lineBreak.parentElement)) return true;
  return false;
}

/** Returns the length of the text of an element that can become blocks of the article; stops counting at `enough`. */
const blockTextLength = (element: Element, enough: number): number =>
  WHOLE_BLOCKS.has(element.localName) || element.firstElementChild === null
    ? (element.textContent ?? '').length
    : ownTextLength(element, enough);

/** Returns the length of the text outside of separate blocks; stops counting at `enough`. */
function ownTextLength(element: Element, enough: number): number {
  let length = 0;
  for (let child = element.firstChild; child !== null && length < enough; child = child.nextSibling)
    if (child.nodeType === 3) length += (child as Text).length;
    else if (!SEPARATE_BLOCKS.has((child as Element).localName))
      length += ownTextLength(child as Element, enough - length);
  return length;
}
