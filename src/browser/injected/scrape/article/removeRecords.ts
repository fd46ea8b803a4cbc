/** Removes comments and teasers of other pages ("more stories") from an article: parts that repeat and that each tell of something else. */
import { RECORD, tellsAgo } from './ownText.ts';
import { collapseWhitespace, singleLineText, type TextStats } from './textStats.ts';

/** The article before the records, and without them, has at least this many characters. */
const MIN_ARTICLE_CHARACTERS = 250;
/** Records with a larger share (0 to 1) of the text are the content. */
const MAX_SHARE = 0.5;
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
      if (length > MAX_SHARE * total || stats.textLength(root) - length < MIN_ARTICLE_CHARACTERS) continue;
      if (textBefore(group[0] as Element, root, stats) < MIN_ARTICLE_CHARACTERS) continue;
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
function groupsOf(parent: Element): Element[][] {
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

/** Returns the length of the text before an element. */
function textBefore(element: Element, root: Element, stats: TextStats): number {
  let length = 0;
  for (let at: Element | null = element; at !== null && at !== root; at = at.parentElement)
    for (let before = at.previousElementSibling; before !== null; before = before.previousElementSibling)
      length += stats.textLength(before);
  return length;
}

/** Returns true for a heading with nothing below it. */
const isAlone = (heading: Element, stats: TextStats): boolean => {
  const next = heading.nextElementSibling;
  return next === null || stats.textLength(next) === 0 || /^h[1-6]$/.test(next.localName);
};
