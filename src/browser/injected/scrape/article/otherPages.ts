/** Removes sections of other pages ("You may also like") from an article. */
import { BESIDE_ARTICLES, MAX_HEADING_CHARACTERS, OTHER_PAGES } from '../../signals/sectionHeadings.ts';
import { RECORD, tellsAgo } from './ownText.ts';
import { collapseWhitespace, singleLineText, type TextStats } from './textStats.ts';

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
 * @param headings their headings
 * @param minCharacters what remains has at least this many
 */
export function removeOtherPages(
  stats: TextStats,
  headings: RegExp = BESIDE_ARTICLES,
  minCharacters: number = MIN_ARTICLE_CHARACTERS,
): void {
  const { root } = stats;
  const total = stats.textLength(root);
  for (const heading of root.querySelectorAll('h2,h3,h4,h5,h6')) {
    if (!stats.contains(heading) || stats.textLength(heading) > MAX_HEADING_CHARACTERS) continue;
    if (!headings.test(singleLineText(heading))) continue;
    const box = boxOf(heading, stats);
    const section = box ?? partsBelow(heading, stats);
    const length = section.reduce((sum, part) => sum + stats.textLength(part), 0);
    if (countLinks(section) < MIN_LINKS || (box === null && length > MAX_SHARE * total)) continue;
    if (stats.textLength(root) - length < minCharacters) continue;
    if (!OTHER_PAGES.test(singleLineText(heading)))
      if (
        length > MAX_SHARE * total ||
        !haveTitles(section, heading) ||
        (box === null && hasTextAfter(section))
      )
        continue;
    for (const part of section) stats.remove(part);
  }
}

/** The titles of pages have at least this many words. */
const MIN_TITLE_WORDS = 3;
/** Beside the titles of a section stands at most this share (0 to 1) of its text: a date, a number. */
const MAX_SHARE_BESIDE_TITLES = 0.3;
const DATA = 'table,dl,pre,blockquote';

/** Returns true if the parts below a heading are titles of other pages and nothing else. */
function haveTitles(section: readonly Element[], heading: Element): boolean {
  if (section.some(part => part.matches(DATA) || part.querySelector(DATA) !== null)) return false;
  const links = section.flatMap(part => (part.matches('a') ? [part] : [...part.querySelectorAll('a')]));
  const titles = links.filter(link => !heading.contains(link)).map(singleLineText);
  const linked = titles.join('').length;
  const length = section.map(singleLineText).join('').length - singleLineText(heading).length;
  return (
    titles.every(title => title === '' || title.split(' ').length >= MIN_TITLE_WORDS) &&
    length - linked <= MAX_SHARE_BESIDE_TITLES * length
  );
}

/** Returns true if prose follows a section in its parent: it stands in the middle of a text. */
function hasTextAfter(section: readonly Element[]): boolean {
  for (let at = section.at(-1)?.nextElementSibling ?? null; at !== null; at = at.nextElementSibling)
    if (singleLineText(at).length > MAX_LINE_CHARACTERS) return true;
  return false;
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

/** The article before the records, and without them, has at least this many characters. */
const MIN_TEXT_CHARACTERS = 250;
/** Records with a larger share (0 to 1) of the text are the content. */
const MAX_RECORDS_SHARE = 0.5;
/** A teaser has no more text than this beside its headline. Characters. */
const MAX_TEASER_CHARACTERS = 400;
const MIN_HEADLINE_CHARACTERS = 12;
const MIN_RECORDS = 2;

const PARENTS = 'div,section,ul,ol,aside,main,article';
const HEADLINE = 'h1,h2,h3,h4,h5,h6';
const OTHER_PAGE = 'a[href]:not([href^="#"])';
const DATE =
  /\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}(,|\b)|\b\d{1,2}\.? (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;

/** Removes the groups of comments and teasers after the beginning of an article, each with its heading. */
export function removeRecords(stats: TextStats): void {
  const { root } = stats;
  const total = stats.textLength(root);
  for (const parent of [root, ...root.querySelectorAll(PARENTS)]) {
    if (!stats.contains(parent) || parent.childElementCount < MIN_RECORDS) continue;
    for (const group of groupsOf(parent)) {
      const length = group.reduce((sum, record) => sum + stats.textLength(record), 0);
      if (length > MAX_RECORDS_SHARE * total || stats.textLength(root) - length < MIN_TEXT_CHARACTERS)
        continue;
      if (textBefore(group[0] as Element, root, stats) < MIN_TEXT_CHARACTERS) continue;
      if (!group.every(record => isComment(record, stats)) && !group.every(record => isTeaser(record, stats)))
        continue;
      const heading = group[0]?.previousElementSibling ?? null;
      for (const record of group) stats.remove(record);
      if (heading !== null && /^h[1-6]$/.test(heading.localName) && isAlone(heading, stats))
        stats.remove(heading);
    }
  }
}

/** Returns the groups of children of the same name and class. */
export function groupsOf(parent: Element): Element[][] {
  const groups = new Map<string, Element[]>();
  for (const child of parent.children) {
    if (!/^(div|li|article|section|a)$/.test(child.localName)) continue;
    const key = `${child.localName} ${child.getAttribute('class')}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [child]);
    else group.push(child);
  }
  return [...groups.values()].filter(({ length }) => length >= MIN_RECORDS);
}

/** Returns true for a headline that leads to another page, with a picture, a date or a short teaser. */
function isTeaser(element: Element, stats: TextStats): boolean {
  const link = element.matches(OTHER_PAGE) ? element : element.querySelector(OTHER_PAGE);
  if (link === null || stats.textLength(element) > MAX_TEASER_CHARACTERS) return false;
  const headline = element.querySelector(HEADLINE);
  const title = collapseWhitespace((headline ?? link).textContent ?? '');
  if (title.length < MIN_HEADLINE_CHARACTERS) return false;
  const isLinked = headline === null || headline.contains(link) || link.contains(headline);
  if (headline !== null && isLinked) return true;
  const hasMark = element.querySelector('img,picture,time') !== null || DATE.test(singleLineText(element));
  return hasMark && isLinked && stats.linkTextLength(element) >= MIN_HEADLINE_CHARACTERS;
}

/** Returns true for what someone says at a time: with a date, an author or a reply, and no heading. */
function isComment(element: Element, stats: TextStats): boolean {
  if (stats.textLength(element) < 20 || element.querySelector('h1,h2,table,pre') !== null) return false;
  return element.querySelector(RECORD) !== null || tellsAgo(element);
}

function textBefore(element: Element, root: Element, stats: TextStats): number {
  let length = 0;
  for (let at: Element | null = element; at !== null && at !== root; at = at.parentElement)
    for (let before = at.previousElementSibling; before !== null; before = before.previousElementSibling)
      length += stats.textLength(before);
  return length;
}

const isAlone = (heading: Element, stats: TextStats): boolean => {
  const next = heading.nextElementSibling;
  return next === null || stats.textLength(next) === 0 || /^h[1-6]$/.test(next.localName);
};
