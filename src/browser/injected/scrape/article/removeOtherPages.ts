import { OTHER_PAGES } from '../../signals/sectionHeadings.ts';
import { singleLineText, type TextStats } from './textStats.ts';

/** A longer heading tells more than what kind of section it begins. */
const MAX_HEADING_CHARACTERS = 120;
/** Minimum length of the article beside the section: a page that begins with such a heading is a list. */
const MIN_ARTICLE_CHARACTERS = 250;
/** A section that points to fewer other pages is a part of the article with an unlucky heading. */
const MIN_LINKS = 2;

/** Removes the sections of other pages ("You may also like") from an article, however much prose they have. */
export function removeOtherPages(stats: TextStats): void {
  const { root } = stats;
  for (const heading of root.querySelectorAll('h2,h3,h4,h5,h6')) {
    if (!stats.contains(heading) || stats.textLength(heading) > MAX_HEADING_CHARACTERS) continue;
    if (!OTHER_PAGES.test(singleLineText(heading))) continue;
    const section = sectionOf(heading, root);
    const links = section.reduce((count, part) => count + linksIn(part), 0);
    const length = section.reduce((sum, part) => sum + stats.textLength(part), 0);
    if (links < MIN_LINKS || stats.textLength(root) - length < MIN_ARTICLE_CHARACTERS) continue;
    for (const part of section) stats.remove(part);
  }
}

const linksIn = (part: Element): number =>
  part.localName === 'a' ? 1 : part.querySelectorAll('a[href]').length;

/** Returns the largest element that begins with the heading; or the heading and what follows it up to the next heading of its level. */
function sectionOf(heading: Element, root: Element): Element[] {
  let box = heading;
  while (box.parentElement !== null && box.parentElement !== root && isFirst(box)) box = box.parentElement;
  if (box !== heading) return [box];
  const section = [heading];
  for (let at = heading.nextElementSibling; at !== null; at = at.nextElementSibling) {
    if (/^h[1-6]$/.test(at.localName) && at.localName <= heading.localName) break;
    section.push(at);
  }
  return section;
}

/** Returns true if the parent of an element has no text before it. */
function isFirst(element: Element): boolean {
  for (let at = element.previousSibling; at !== null; at = at.previousSibling)
    if ((at.textContent ?? '').trim() !== '') return false;
  return true;
}
