/** Removes sections of other pages ("You may also like") from an article. */
import { MAX_HEADING_CHARACTERS, OTHER_PAGES } from '../../signals/sectionHeadings.ts';
import { singleLineText, type TextStats } from './textStats.ts';

/** Minimum length of the article beside the section: a page that begins with such a heading is a list. */
const MIN_ARTICLE_CHARACTERS = 250;
/** A larger share (0 to 1) of the text, without a box of its own, is the article, whatever its heading is. */
const MAX_SHARE = 0.5;
/** A section that links to fewer other pages is a part of the article with an unlucky heading. */
const MIN_LINKS = 2;
/** An element around the section belongs to it if its text is at most this many times as long. */
const MAX_GROWTH = 1.1;
/** A longer paragraph beside the section's heading is one of the article. Characters. */
const MAX_LINE_CHARACTERS = 100;

/**
 * Removes the sections of other pages from a content, however much prose their teasers have.
 * @param minCharacters what remains has at least this many
 */
export function removeOtherPages(stats: TextStats, minCharacters: number = MIN_ARTICLE_CHARACTERS): void {
  const { root } = stats;
  const total = stats.textLength(root);
  for (const heading of root.querySelectorAll('h2,h3,h4,h5,h6')) {
    if (!stats.contains(heading) || stats.textLength(heading) > MAX_HEADING_CHARACTERS) continue;
    if (!OTHER_PAGES.test(singleLineText(heading))) continue;
    const box = boxOf(heading, stats);
    const section = box ?? partsBelow(heading, stats);
    const length = section.reduce((sum, part) => sum + stats.textLength(part), 0);
    if (countLinks(section) < MIN_LINKS || (box === null && length > MAX_SHARE * total)) continue;
    if (stats.textLength(root) - length < minCharacters) continue;
    for (const part of section) stats.remove(part);
  }
}

const LINKS = 'a[href]:not([href^="#"])';
const countLinks = (parts: readonly Element[]): number =>
  parts.reduce((sum, part) => sum + part.querySelectorAll(LINKS).length + (part.matches(LINKS) ? 1 : 0), 0);

/** Returns the element that begins with the heading and holds the links; null if there is none within the root. */
function boxOf(heading: Element, stats: TextStats): [Element] | null {
  let box = heading;
  while (countLinks([box]) < MIN_LINKS) {
    const parent = box.parentElement;
    if (parent === null || parent === stats.root || !isFirst(box)) return null;
    box = parent;
  }
  for (;;) {
    const parent: Element | null = box.parentElement;
    if (parent === null || parent === stats.root || !isFirst(box)) break;
    if (stats.textLength(parent) > MAX_GROWTH * stats.textLength(box)) break;
    box = parent;
  }
  // Paragraphs of the article in it say that it is no box of the section alone.
  return [...box.children].some(child => isProse(child, stats)) ? null : [box];
}

/** Returns the heading and what follows it: up to the next heading of its level, or to a paragraph of the article. */
function partsBelow(heading: Element, stats: TextStats): Element[] {
  const section = [heading];
  for (let at = heading.nextElementSibling; at !== null; at = at.nextElementSibling) {
    if ((/^h[1-6]$/.test(at.localName) && at.localName <= heading.localName) || isProse(at, stats)) break;
    section.push(at);
  }
  return section;
}

/** Returns true for a paragraph that is not a teaser: teasers stand in boxes or lists, or are links. */
const isProse = (element: Element, stats: TextStats): boolean =>
  /^(p|blockquote|pre|table)$/.test(element.localName) &&
  stats.textLength(element) > MAX_LINE_CHARACTERS &&
  stats.linkDensity(element) < 0.5;

/** Returns true if the parent of an element has no text before it. */
function isFirst(element: Element): boolean {
  for (let at = element.previousSibling; at !== null; at = at.previousSibling)
    if ((at.textContent ?? '').trim() !== '') return false;
  return true;
}
