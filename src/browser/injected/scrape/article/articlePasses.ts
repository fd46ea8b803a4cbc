/**
 * Removes blocks that do not belong to the article from the result of Readability, in passes. Each pass is a value;
 * `ARTICLE_PASSES` gives the order. A pass removes a block only if it is a small part of the whole text, so that a
 * wrapper with a misleading name does not remove the article.
 */

import { elementNames, isBoilerplateName, isCaptionName } from '../../signals/nameGroups.ts';
import { OTHER_PAGES, SOURCES } from '../../signals/sectionHeadings.ts';
import { FRAME } from '../snapshot/openFrame.ts';
import {
  endsPage,
  isBoilerplateLine,
  isBylineOrDate,
  isReferralLine,
  isTrailingLine,
} from './boilerplate.ts';
import { AUTHOR } from './ownText.ts';
import { singleLineText, type TextStats } from './textStats.ts';

/** Keeps the URL of the link of a player or a post until the article is found: it stands in a `span`, which no pass takes for a link. */
export const HIDDEN_HREF = 'data-pagespace-href';

/** The input of an article pass: the article that Readability found, which the pass changes in place. */
interface ArticlePassInput {
  readonly root: Element;
  /** Text statistics of `root`; a pass removes elements with `stats.remove`. */
  readonly stats: TextStats;
  /** Length of the text before the first pass, in characters. */
  readonly initialTextLength: number;
  /** The page's title in one line; may be empty. */
  readonly title: string;
  /** The name in the byline; may be empty. */
  readonly author: string;
}

/** One step that cleans the article which Readability found: removes boilerplate, or marks captions. */
interface ArticlePass {
  readonly name: string;
  /** Why the pass has its position in `ARTICLE_PASSES`. */
  readonly orderReason: string;
  run(input: ArticlePassInput): void;
}

/** Maximum length of the text in an element with a caption's class or id; longer text is content. */
const MAX_NAMED_CAPTION_CHARACTERS = 600;
const MEDIA = 'img,picture,video,iframe,canvas';
/** Selects elements whose class or id may name a caption; `isCaptionName` then checks the whole name. */
const CAPTION_CANDIDATES =
  ':is(div,span,p,small,cite,em):is([class*=caption i],[class*=credit i],[class*=copyright i],[id*=caption i],[id*=credit i],[id*=copyright i])';

/**
 * Turns elements whose class or id names a caption into `figcaption`. Call it before Readability, which unwraps small
 * blocks, so that their names are lost.
 */
export function convertNamedCaptions(body: Element): void {
  for (const element of body.querySelectorAll(CAPTION_CANDIDATES)) {
    if (!isCaptionName(elementNames(element))) continue;
    const length = (element.textContent ?? '').length;
    if (length > 0 && length <= MAX_NAMED_CAPTION_CHARACTERS) makeCaption(element);
  }
}

/**
 * Replaces an element without images or videos by a `figcaption`, in a `figure` with the image before it. The article
 * passes do not count the text of captions: it is neither prose nor boilerplate.
 */
function makeCaption(element: Element): void {
  if (element.closest('figcaption') !== null || element.querySelector(MEDIA) !== null) return;
  const caption = element.ownerDocument.createElement('figcaption');
  caption.append(...element.childNodes);
  if (element.closest('figure') !== null) {
    element.replaceWith(caption);
    return;
  }
  const figure = element.ownerDocument.createElement('figure');
  const before = element.previousElementSibling;
  element.replaceWith(figure);
  if (before !== null && isPicture(before)) figure.append(before);
  figure.append(caption);
}

const isPicture = (element: Element): boolean =>
  (element.matches(MEDIA) || element.querySelector(MEDIA) !== null) && !/\S/.test(element.textContent ?? '');

const NAMED_ELEMENTS =
  'div,section,aside,ul,ol,p,span,table,header,footer,h2,h3,h4,h5,h6,figure,dl,nav,a,time,li';

/** The number of a note, which is called a label. */
const NOTE_NUMBER = /^\s*\[?\d{1,3}\]?\s*$/;

const boilerplateBlocks: ArticlePass = {
  name: 'boilerplate blocks',
  orderReason:
    'Before the link blocks: a name identifies a box of related stories even if the box contains prose.',
  run: ({ root, stats, initialTextLength }) => {
    const spoken = linesOfConversations(root);
    for (const element of root.querySelectorAll(NAMED_ELEMENTS))
      if (
        !spoken.has(element.parentElement) &&
        stats.textLength(element) <= 0.2 * initialTextLength &&
        isBoilerplateName(ownNames(element)) &&
        !NOTE_NUMBER.test(element.textContent ?? '')
      )
        stats.remove(element);
  },
};

/**
 * Returns the names of an element. From a heading's names it removes words such as `offset-navbar`: they describe the
 * navigation bar below which the heading stops, not the heading.
 */
const ownNames = (element: Element): string =>
  /^h[1-6]$/.test(element.localName)
    ? elementNames(element).replace(/(sticky|fixed|offset|below|under|with)[-_\s]*nav(bar|igation)?/gi, '')
    : elementNames(element);

const MIN_RECORDS = 3;

/** Returns the lines of conversations: siblings of the same named parts each, at least half of them with prose. The parts say who speaks, and when. */
export function linesOfConversations(root: Element): ReadonlySet<Element | null> {
  const groups = new Map<Element | null, Map<string, Element[]>>();
  for (const line of root.querySelectorAll('p,div,li')) {
    const parts = [...line.children];
    if (parts.length < 2 || !parts.every(part => part.matches('[class]:is(span,b,strong,em,i,a)'))) continue;
    const key = parts.map(part => part.getAttribute('class')).join();
    const alike = groups.get(line.parentElement) ?? new Map<string, Element[]>();
    groups.set(line.parentElement, alike);
    const lines = alike.get(key) ?? [];
    lines.push(line);
    alike.set(key, lines);
  }
  const found = [...groups.values()].flatMap(alike => [...alike.values()]);
  const isSpoken = (line: Element): boolean =>
    [...line.children].some(
      part => part.querySelector('a') === null && singleLineText(part).length >= MIN_PROSE_CHARACTERS,
    );
  return new Set(
    found
      .filter(lines => lines.length >= MIN_RECORDS && 2 * lines.filter(isSpoken).length >= lines.length)
      .flat(),
  );
}

const QUOTING = 'blockquote,li,td,figure';
/** The reference of a text to its source. */
const REFERENCE = /^[[(](sources?|see( also)?|cf\.?)(?!\p{L}).*[\])]\.?$/iu;

const linkBlocks: ArticlePass = {
  name: 'link blocks',
  orderReason:
    'After the boilerplate blocks: blocks of links without a typical name are found by their link density.',
  run: ({ root, stats, initialTextLength }) => {
    const spoken = linesOfConversations(root);
    for (const element of root.querySelectorAll('ul,ol,div,section,table,p,dl')) {
      if (!stats.contains(element) || element === root) continue;
      const text = stats.textLength(element);
      if (text === 0 || text > 0.4 * initialTextLength) continue;
      if (stats.linkDensity(element) < 0.7) continue;
      if (
        element.localName === 'p' &&
        (element.closest(QUOTING) !== null || REFERENCE.test(singleLineText(element)))
      )
        continue;
      if (
        element.closest(`[${FRAME}]`) !== null ||
        isIntroduced(element, hasProseAfter(element, stats)) ||
        spoken.has(element) ||
        standsInText(element, stats) ||
        (text <= MAX_VERSION_CHARACTERS &&
          IS_VERSION.test(singleLineText(element)) &&
          hasProseAfter(element, stats))
      )
        continue;
      const heading = element.previousElementSibling;
      stats.remove(element);
      if (heading !== null && /^h[2-6]$/.test(heading.localName) && headsNothing(heading, stats))
        stats.remove(heading);
    }
  },
};

/** Minimum length of a block of prose beside links. Characters. */
const MIN_PROSE_CHARACTERS = 40;
/** An introduction is a sentence: a shorter line before a list of links ("Related:") is a label of the page. Characters. */
const MIN_INTRODUCTION_CHARACTERS = 15;

/** More words are a headline of another page. */
const MAX_NAME_WORDS = 4;

/**
 * Returns true for a list that the text refers to: after a heading of its sources, or after a paragraph that ends with a colon. If prose
 * follows, the list may be a paragraph of names, and the paragraph before names may be short.
 */
function isIntroduced(block: Element, hasProse = false): boolean {
  const isNames =
    hasProse &&
    [...block.querySelectorAll('a')].every(link => singleLineText(link).split(' ').length <= MAX_NAME_WORDS);
  let first: Element | null =
    block.closest('ul,ol,dl') ?? (/^(div|section)$/.test(block.localName) || isNames ? block : null);
  while (first !== null && first.previousElementSibling === null) first = first.parentElement;
  const before = first?.previousElementSibling ?? null;
  if (before === null) return false;
  const line = singleLineText(before);
  if (/^h[1-6]$/.test(before.localName)) return SOURCES.test(line);
  return (
    before.localName === 'p' &&
    /[:：]$/.test(line) &&
    (line.length >= MIN_INTRODUCTION_CHARACTERS || (isNames && !isBoilerplateLine(line))) &&
    !isReferralLine(line) &&
    !isTrailingLine(line) &&
    !OTHER_PAGES.test(line)
  );
}

const LINK_BLOCKS = /^(p|ul|ol|dl|table)$/;
const isHeading = (element: Element): boolean => /^h[2-6]$/.test(element.localName);

/** The words of a link to a page are more than those of a menu. */
const MIN_TITLE_WORDS = 3;
/** A longer link at the end of a text is an advertisement. Characters. */
const MAX_TITLE_CHARACTERS = 100;

/** Returns true for links between parts of the text, or at its end: below a heading or after a paragraph. */
function standsInText(block: Element, stats: TextStats): boolean {
  const line = singleLineText(block);
  if (!LINK_BLOCKS.test(block.localName) || isReferralLine(line)) return false;
  const anchors = [...block.querySelectorAll('a')];
  const links = anchors.length;
  const words = anchors.filter(link => isBoilerplateLine(singleLineText(link))).length;
  if (words > links / 2 || (block.localName === 'p' && words > 0 && words === links / 2)) return false;
  const beside = stats.textLength(block) - stats.linkTextLength(block);
  const isShort = beside < links && line.split(' ').length < MIN_TITLE_WORDS * links;
  const isMenu = block.localName === 'p' && links > 1 && isShort && block.querySelector('br') === null;
  const isText = (side: Element): boolean =>
    isHeading(side) ? isFactHeading(side, stats) : isProse(side, stats);
  let before = block.previousElementSibling;
  while (before !== null && LINK_BLOCKS.test(before.localName) && stats.linkDensity(before) >= 0.7)
    before = before.previousElementSibling;
  if (before === null) return false;
  const isAnnounced =
    before.localName === 'p' &&
    (ANNOUNCES.test(singleLineText(before)) || (!anchors.every(isTag) && isUnfinished(before)));
  if (!isAnnounced && !isText(before)) return false;
  // Short links with nothing but spaces between them are a menu, unless the text says what they are.
  if (isMenu && !isHeading(before) && !isAnnounced && ENDS_SENTENCE.test(singleLineText(before)))
    return false;
  for (let next = block.nextElementSibling; next !== null; next = next.nextElementSibling)
    if (isText(next)) return true;
  const isNamed = before.localName === 'p' ? !anchors.every(isTag) : isHeading(before);
  const isEnd = (!isMenu || isAnnounced) && block.nextElementSibling === null && isNamed;
  return isEnd && stats.textLength(block) <= MAX_TITLE_CHARACTERS * links;
}

const ENDS_SENTENCE = /[.!?。]["”»]?$/;
/** Matches a last sentence that says what follows. */
const ANNOUNCES = /\b(these|following|below|here)\b[^.!?]{0,200}[.!?]["”»]?$/i;

/** A sentence that the links go on: "The ferries call at". A label ends with a noun: "Get the app for your phone". */
const BEGINS_SENTENCE =
  /^\p{Lu}\S*( \S+)+ (at|to|in|into|of|for|from|with|by|on|and|or|the|an?|are|is|was|were|see|read|include[ds]?)$/u;

const isUnfinished = (before: Element): boolean => {
  const line = singleLineText(before);
  return (
    BEGINS_SENTENCE.test(line) &&
    !isTrailingLine(line) &&
    !isReferralLine(`${line}:`) &&
    !OTHER_PAGES.test(line)
  );
};

/** Returns true for a link to all pages about a topic, by its relation or its address. */
const isTag = (link: Element): boolean =>
  link.matches('[rel~=tag]') ||
  /\/(tags?|topics?|categor(y|ies)|keywords?|labels?)\//i.test(link.getAttribute('href') ?? '');

function hasProseAfter(element: Element, stats: TextStats): boolean {
  for (let next = element.nextElementSibling; next !== null; next = next.nextElementSibling)
    if (isProse(next, stats)) return true;
  return false;
}

const isProse = (element: Element, stats: TextStats): boolean =>
  stats.textLength(element) >= MIN_PROSE_CHARACTERS && stats.linkDensity(element) < 0.3;

function headsNothing(heading: Element, stats: TextStats): boolean {
  const next = heading.nextElementSibling;
  return next === null || stats.textLength(next) === 0;
}

const MAX_BOILERPLATE_LINE_CHARACTERS = 320;

const boilerplateLines: ArticlePass = {
  name: 'boilerplate lines',
  orderReason:
    'After the blocks: a line such as "Advertisement" or "Read more: …" is alone only when its box is gone.',
  run: ({ root, stats }) => {
    for (const element of root.querySelectorAll('p,div,li,h1,h2,h3,h4,h5,h6,span,strong,a')) {
      const length = stats.textLength(element);
      if (length === 0 || length > MAX_BOILERPLATE_LINE_CHARACTERS || !stats.contains(element)) continue;
      const line = singleLineText(element);
      if (isBoilerplateLine(line) && !isInSentence(element) && !isNamedPart(element, stats))
        stats.remove(element);
      else if (/^(p|div|li|h\d)$/.test(element.localName) && isReferralLine(line))
        if (stats.linkTextLength(element) > 0.4 * length) stats.remove(element);
    }
  },
};

/**
 * Returns true for an item of a list without links, such as the menu that a manual describes, or of one with other items, and for a heading above sentences: there the
 * words name a part of the text.
 */
function isNamedPart(element: Element, stats: TextStats): boolean {
  const item = element.closest('li');
  if (item !== null) {
    const list = item.parentElement;
    if (list === null || list.childElementCount < 2) return false;
    const others = [...list.children].filter(other => !isBoilerplateLine(singleLineText(other))).length;
    return (
      stats.linkTextLength(list) === 0 ||
      isIntroduced(list) ||
      others >= Math.max(2, list.childElementCount / 2)
    );
  }
  const heading = element.closest('h2,h3,h4,h5,h6') ?? boldHeading(element);
  const next = heading?.nextElementSibling ?? null;
  if (next === null || heading === null) return false;
  return (
    /^(p|ul|ol|dl|table|pre)$/.test(next.localName) &&
    (stats.textLength(next) >= MIN_INTRODUCTION_CHARACTERS || SHORT_SENTENCE.test(singleLineText(next))) &&
    stats.linkDensity(next) < 0.3
  );
}

const isBold = (line: Element): boolean =>
  line.localName === 'p' &&
  line.childElementCount === 1 &&
  line.querySelector(':scope > :is(b,strong)') !== null &&
  singleLineText(line.firstElementChild ?? line) === singleLineText(line);

/** Interrupts a text, and heads nothing in it. */
const INTERRUPTION =
  /^(skip ad|ad(vert|$)|sponsored|(story|article) continues|(image|media) (copyright|caption))/i;

/** Returns the paragraph around an element if it is bold, and another one beside it is, which is no line of the page: they are headings. */
function boldHeading(element: Element): Element | null {
  const line = element.closest('p');
  if (line === null || !isBold(line) || INTERRUPTION.test(singleLineText(line))) return null;
  const others = [...(line.parentElement?.children ?? [])].filter(
    other => other !== line && isBold(other) && !isBoilerplateLine(singleLineText(other)),
  );
  return others.length > 0 ? line : null;
}

/** A sentence that says what a heading names, and not that nothing is there: "No comments yet." */
const SHORT_SENTENCE = /^(?!no\b|be the first|\d).{6,}[.!?。]$/i;

/** Returns true if text stands directly before or after an element: it is a word of a sentence. */
const isInSentence = ({ previousSibling, nextSibling }: Element): boolean =>
  [previousSibling, nextSibling].some(
    node => node?.nodeType === 3 && /[^\s|·•,/>–-]/.test(node.textContent ?? ''),
  );

/** Minimum length of a block that counts as the first paragraph of the article. */
const MIN_FIRST_PARAGRAPH_CHARACTERS = 100;
/** Maximum number of blocks before the first paragraph. If there are more, the pass `lead` removes none. */
const MAX_LEAD_BLOCKS = 14;
/** Number of blocks in which a byline stands. */
const MAX_SUMMARY_BLOCKS = 6;

const lead: ArticlePass = {
  name: 'lead',
  orderReason: 'Near the end: the first paragraph can be found only when the boilerplate is gone.',
  run: ({ root, stats, title }) => {
    const blocks = leafBlocks(root, stats);
    const first = blocks.findIndex(
      block => stats.textLength(block) >= MIN_FIRST_PARAGRAPH_CHARACTERS && stats.linkDensity(block) < 0.5,
    );
    const last = blocks.findLastIndex(block => isProse(block, stats));
    // The byline may stand below a summary, never below the text.
    for (const block of blocks.slice(0, Math.min(last, MAX_SUMMARY_BLOCKS)))
      if (
        block.closest('li,table,dl,figure,blockquote,h2,h3,h4,h5,h6') === null &&
        isBylineOrDate(singleLineText(block)) &&
        !IS_VERSION.test(singleLineText(block)) &&
        !isRow(block)
      )
        stats.remove(block);
    if (first <= 0 || first > MAX_LEAD_BLOCKS) return;
    for (const block of blocks.slice(0, first)) {
      const line = singleLineText(block);
      if (line.length >= 80 || (block.localName === 'li' && stats.linkDensity(block) < 0.5)) continue;
      if (block.closest('table,dl') !== null || IS_VERSION.test(line) || isLabelled(line)) continue;
      if (isBylineOrDate(line) || stats.linkDensity(block) >= 0.5 || repeatsTitle(line, title))
        stats.remove(block);
    }
  },
};

const ROW = /^[^|]{1,40}\|[^|]{1,60}$/;

/** Returns true for a line of two parts beside another one like it, which names no person or date: `Photo | JPEG`. */
const isRow = (block: Element): boolean =>
  ROW.test(singleLineText(block)) &&
  [block.previousElementSibling, block.nextElementSibling].some(
    side => side !== null && ROW.test(singleLineText(side)) && !isBylineOrDate(singleLineText(side)),
  );

/** The version or the state of what the text describes, with or without a link to what it means; not a menu with such a word. */
export const IS_VERSION =
  /^(?:v\d|(?:version|release|edition|revision|status|stability|applies to|since|added in|deprecated|requires|compatib(?:le|ility))\b[^:：\d©|·•]{0,30}[:：\d])/i;
/** A longer line says more than a version. Characters. */
export const MAX_VERSION_CHARACTERS = 80;

const repeatsTitle = (line: string, title: string): boolean =>
  title !== '' && title.toLowerCase().includes(line.toLowerCase());

const tail: ArticlePass = {
  name: 'tail',
  orderReason:
    'Last: it goes backwards from the end to the first line that says anything, so no later pass may remove anything there.',
  run: ({ root, stats, author }) => {
    for (const block of leafBlocks(root, stats).slice(1).reverse()) {
      const line = singleLineText(block);
      if (line === '' || block.closest('figure') !== null) continue;
      if (
        block.closest('td,th,dl') !== null ||
        !(CONTRIBUTORS.test(line) || endsPage(block) || isAboutAuthor(block, author))
      )
        return;
      stats.remove(block);
    }
  },
};

const isFactHeading = (heading: Element, stats: TextStats): boolean => {
  const line = singleLineText(heading);
  return (
    stats.linkDensity(heading) < 0.5 &&
    !isBoilerplateLine(line) &&
    !isTrailingLine(line) &&
    !OTHER_PAGES.test(line)
  );
};

/** Returns true for a value with the name of what it is: "Entry: 8 €, children 4 €". */
const isLabelled = (line: string): boolean =>
  /^\p{L}[^:：.]{1,30}[:：]\s*\S/u.test(line) &&
  !isBylineOrDate(line) &&
  (/\d/.test(line) || !isTrailingLine(line)) &&
  !isReferralLine(line) &&
  !OTHER_PAGES.test(line.replace(/[:：].*/, ''));

/** Returns true for a line with an e-mail address of the author, whom the byline names, or a paragraph in italics that says who that is. */
function isAboutAuthor(block: Element, author: string): boolean {
  const line = singleLineText(block);
  if (author === '' || !line.includes(author)) return false;
  if (/\S@\S/.test(line) && !/\d/.test(line)) return true;
  return (
    line.startsWith(author) &&
    AUTHOR.test(line) &&
    [...block.querySelectorAll('em,i')].some(part => singleLineText(part) === line)
  );
}

/** Matches the line that names who else has written. */
const CONTRIBUTORS =
  /^\(?(?:[Aa]dditional |[Cc]ontributing )?(?:[Rr]eporting|[Ww]riting|[Ee]diting) by \p{Lu}.{0,250}$|\bcontributed to this (?:report|story|article)\.?\)?$/u;

const LEAF_CANDIDATES =
  'p,h1,h2,h3,h4,h5,h6,li,blockquote,pre,td,div,section,time,span,address,ul,ol,dd,figcaption';
const BLOCK_ELEMENTS = 'p,h1,h2,h3,h4,h5,h6,li,div,section,ul,ol,table,pre,blockquote';
const MAY_HOLD_BLOCKS = new Set('div section ul ol blockquote li td dd figcaption'.split(' '));
const BOX_ELEMENTS = new Set('div section article header'.split(' '));

/** Returns the elements that contain text and no smaller blocks, in document order. */
function leafBlocks(root: Element, stats: TextStats): Element[] {
  const found: Element[] = [];
  for (const element of root.querySelectorAll(LEAF_CANDIDATES)) {
    if (stats.textLength(element) === 0) continue;
    const name = element.localName;
    if ((name === 'span' || name === 'time') && !BOX_ELEMENTS.has(element.parentElement?.localName ?? ''))
      continue;
    if (MAY_HOLD_BLOCKS.has(name) && element.querySelector(BLOCK_ELEMENTS) !== null) continue;
    if (name !== 'figcaption' && element.closest('figcaption') !== null) continue;
    found.push(element);
  }
  return found;
}

/** The passes that remove boilerplate from an article, in the order in which they run. `orderReason` explains each position. */
export const ARTICLE_PASSES: readonly ArticlePass[] = [
  boilerplateBlocks,
  linkBlocks,
  boilerplateLines,
  lead,
  tail,
];
