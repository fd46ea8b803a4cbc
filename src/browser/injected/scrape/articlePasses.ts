/**
 * What Readability leaves that is not the article, taken out pass by pass. Each pass is a value; the order is the list's.
 * Every pass caps how much one block may hold of the whole, so that a misnamed wrapper does not take the article along.
 */

import type { ArticlePass } from './articlePass.ts';
import {
  CREDIT_LINE,
  isBoilerplateLine,
  isBylineOrDate,
  isReferralLine,
  isTrailingLine,
} from './boilerplateLines.ts';
import { captions } from './captions.ts';
import { elementNames, isBoilerplateName } from './elementNames.ts';
import { singleLineText, type TextStats } from './textStats.ts';

const CONTROL_ELEMENTS =
  'nav,aside,form,button,select,textarea,input,[role=navigation],[role=complementary],[role=search]';

const controls: ArticlePass = {
  name: 'controls',
  orderReason: 'First: judged by element alone, so it needs nothing from the others, and shortens their way.',
  run: ({ root, stats, initialTextLength }) => {
    for (const element of root.querySelectorAll(CONTROL_ELEMENTS))
      if (stats.textLength(element) < 0.3 * initialTextLength) stats.remove(element);
  },
};

const NAMED_ELEMENTS =
  'div,section,aside,ul,ol,p,span,table,header,footer,h2,h3,h4,h5,h6,figure,dl,nav,a,time,li';

const boilerplateBlocks: ArticlePass = {
  name: 'furniture',
  orderReason:
    'Before the links are weighed: a related-stories box is told by its name even where it has prose.',
  run: ({ root, stats, initialTextLength }) => {
    for (const element of root.querySelectorAll(NAMED_ELEMENTS))
      if (stats.textLength(element) <= 0.2 * initialTextLength && isBoilerplateName(ownNames(element)))
        stats.remove(element);
  },
};

/** A heading says by name where it stops below a navigation bar, and is no part of that. */
const ownNames = (element: Element): string =>
  /^h[1-6]$/.test(element.localName)
    ? elementNames(element).replace(/(sticky|fixed|offset|below|under|with)[-_\s]*nav(bar|igation)?/gi, '')
    : elementNames(element);

const QUOTING = 'blockquote,li,td,figure';

const linkBlocks: ArticlePass = {
  name: 'link blocks',
  orderReason: 'After the names: what is left of links without a telling name is told by weight.',
  run: ({ root, stats, initialTextLength }) => {
    for (const element of root.querySelectorAll('ul,ol,div,section,table,p,dl')) {
      if (!stats.contains(element) || element === root) continue;
      const text = stats.textLength(element);
      if (text === 0 || text > 0.4 * initialTextLength) continue;
      if (stats.linkDensity(element) < 0.7) continue;
      if (element.localName === 'p' && element.closest(QUOTING) !== null) continue;
      const heading = element.previousElementSibling;
      stats.remove(element);
      if (heading !== null && /^h[2-6]$/.test(heading.localName) && headsNothing(heading, stats))
        stats.remove(heading);
    }
  },
};

function headsNothing(heading: Element, weights: TextStats): boolean {
  const next = heading.nextElementSibling;
  return next === null || weights.textLength(next) === 0;
}

/** A boilerplate line is at most this long. Characters. */
const MAX_BOILERPLATE_LINE_CHARACTERS = 320;

const boilerplateLines: ArticlePass = {
  name: 'boilerplate lines',
  orderReason:
    'After the blocks: a line such as "Advertisement" or "Read more: …" stands alone once its box is gone.',
  run: ({ root, stats }) => {
    for (const element of root.querySelectorAll('p,div,li,h1,h2,h3,h4,h5,h6,span,strong,a')) {
      const length = stats.textLength(element);
      if (length === 0 || length > MAX_BOILERPLATE_LINE_CHARACTERS || !stats.contains(element)) continue;
      const line = singleLineText(element);
      if (isBoilerplateLine(line)) stats.remove(element);
      else if (/^(p|div|li|h\d)$/.test(element.localName) && isReferralLine(line))
        if (stats.linkTextLength(element) > 0.4 * length) stats.remove(element);
    }
  },
};

/** The first paragraph of the article proper has this many characters. */
const MIN_FIRST_PARAGRAPH_CHARACTERS = 100;
/** A lead of more blocks than this is not a lead. */
const MAX_LEAD_BLOCKS = 14;

const lead: ArticlePass = {
  name: 'lead',
  orderReason:
    'Near the end: what comes before the first paragraph is only known once the furniture is gone.',
  run: ({ root, stats, title }) => {
    const blocks = leafBlocks(root, stats);
    const first = blocks.findIndex(
      block => stats.textLength(block) >= MIN_FIRST_PARAGRAPH_CHARACTERS && stats.linkDensity(block) < 0.5,
    );
    if (first <= 0 || first > MAX_LEAD_BLOCKS) return;
    for (const block of blocks.slice(0, first)) {
      const line = singleLineText(block);
      if (line.length >= 80 || (block.localName === 'li' && stats.linkDensity(block) < 0.5)) continue;
      if (isBylineOrDate(line) || stats.linkDensity(block) >= 0.5 || repeatsTitle(line, title))
        stats.remove(block);
    }
  },
};

const repeatsTitle = (line: string, title: string): boolean =>
  title !== '' && title.toLowerCase().includes(line.toLowerCase());

/** At most this many blocks are looked at from the end. */
const MAX_TAIL_BLOCKS = 25;

const tail: ArticlePass = {
  name: 'tail',
  orderReason:
    'Last: it walks back from the end and stops at the first sentence, so nothing may come off after it.',
  run: ({ root, stats }) => {
    const blocks = leafBlocks(root, stats);
    let budget = Math.max(120, 0.15 * stats.textLength(root));
    for (const block of blocks.slice(1).slice(-MAX_TAIL_BLOCKS).reverse()) {
      // Short words in a table's cells are its content.
      if (block.parentElement?.closest('td,th,dd') != null) return;
      const line = singleLineText(block);
      if (line === '') continue;
      if (!isTail(block, line, stats)) return;
      budget -= line.length;
      if (budget < 0) return;
      stats.remove(block);
    }
  },
};

function isTail(block: Element, line: string, weights: TextStats): boolean {
  if (/^h\d$/.test(block.localName) || weights.linkDensity(block) > 0.6) return true;
  if (isBylineOrDate(line) || CREDIT_LINE.test(line) || isTrailingLine(line)) return true;
  const endsSentence = /[.!?。！？…"”»)\]]$/.test(line);
  return !endsSentence && line.length < 50 && !/^(li|td|pre|figcaption)$/.test(block.localName);
}

const LEAF_CANDIDATES =
  'p,h1,h2,h3,h4,h5,h6,li,blockquote,pre,td,div,section,time,span,address,ul,ol,dd,figcaption';
const BLOCK_ELEMENTS = 'p,h1,h2,h3,h4,h5,h6,li,div,section,ul,ol,table,pre,blockquote';
const MAY_HOLD_BLOCKS = new Set('div section ul ol blockquote li td dd figcaption'.split(' '));
const BOX_ELEMENTS = new Set('div section article header'.split(' '));

/** The blocks that hold text themselves, in document order. */
function leafBlocks(root: Element, weights: TextStats): Element[] {
  const found: Element[] = [];
  for (const element of root.querySelectorAll(LEAF_CANDIDATES)) {
    if (weights.textLength(element) === 0) continue;
    const name = element.localName;
    if ((name === 'span' || name === 'time') && !BOX_ELEMENTS.has(element.parentElement?.localName ?? ''))
      continue;
    if (MAY_HOLD_BLOCKS.has(name) && element.querySelector(BLOCK_ELEMENTS) !== null) continue;
    if (name !== 'figcaption' && element.closest('figcaption') !== null) continue;
    found.push(element);
  }
  return found;
}

/** The passes, in their order. */
export const ARTICLE_PASSES: readonly ArticlePass[] = [
  controls,
  captions,
  boilerplateBlocks,
  linkBlocks,
  boilerplateLines,
  lead,
  tail,
];
