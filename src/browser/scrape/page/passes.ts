/**
 * What Readability leaves that is not the article, taken out pass by pass. Each pass is a value; the order is the list's.
 * Every pass caps how much one block may hold of the whole, so that a misnamed wrapper does not take the article along.
 */
import { captions } from './captions.ts';
import { CAPTION_LIKE_META, isBoilerplateLine, isMetaLine, isReferralLine, isTrailingLine } from './lines.ts';
import { isFurnitureName, nameWords } from './names.ts';
import type { Pass } from './pass.ts';
import { lineOf, type Weights } from './weights.ts';

const CONTROLS =
  'nav,aside,form,button,select,textarea,input,[role=navigation],[role=complementary],[role=search]';

const controls: Pass = {
  name: 'controls',
  order: 'First: judged by element alone, so it needs nothing from the others, and shortens their way.',
  run: ({ root, weights, before }) => {
    for (const element of root.querySelectorAll(CONTROLS))
      if (weights.text(element) < 0.3 * before) weights.drop(element);
  },
};

const NAMED = 'div,section,aside,ul,ol,p,span,table,header,footer,h2,h3,h4,h5,h6,figure,dl,nav,a,time,li';

const furniture: Pass = {
  name: 'furniture',
  order: 'Before the links are weighed: a related-stories box is told by its name even where it has prose.',
  run: ({ root, weights, before }) => {
    for (const element of root.querySelectorAll(NAMED))
      if (weights.text(element) <= 0.2 * before && isFurnitureName(ownWords(element))) weights.drop(element);
  },
};

/** A heading says by name where it stops below a navigation bar, and is no part of that. */
const ownWords = (element: Element): string =>
  /^h[1-6]$/.test(element.localName)
    ? nameWords(element).replace(/(sticky|fixed|offset|below|under|with)[-_\s]*nav(bar|igation)?/gi, '')
    : nameWords(element);

const QUOTING = 'blockquote,li,td,figure';

const linkBlocks: Pass = {
  name: 'link blocks',
  order: 'After the names: what is left of links without a telling name is told by weight.',
  run: ({ root, weights, before }) => {
    for (const element of root.querySelectorAll('ul,ol,div,section,table,p,dl')) {
      if (!weights.has(element) || element === root) continue;
      const text = weights.text(element);
      if (text === 0 || text > 0.4 * before) continue;
      if (weights.linkShare(element) < 0.7) continue;
      if (element.localName === 'p' && element.closest(QUOTING) !== null) continue;
      const heading = element.previousElementSibling;
      weights.drop(element);
      if (heading !== null && /^h[2-6]$/.test(heading.localName) && headsNothing(heading, weights))
        weights.drop(heading);
    }
  },
};

function headsNothing(heading: Element, weights: Weights): boolean {
  const next = heading.nextElementSibling;
  return next === null || weights.text(next) === 0;
}

/** A boilerplate line is at most this long. Characters. */
const LONGEST_LINE = 320;

const boilerplate: Pass = {
  name: 'boilerplate lines',
  order:
    'After the blocks: a line such as "Advertisement" or "Read more: …" stands alone once its box is gone.',
  run: ({ root, weights }) => {
    for (const element of root.querySelectorAll('p,div,li,h1,h2,h3,h4,h5,h6,span,strong,a')) {
      const length = weights.text(element);
      if (length === 0 || length > LONGEST_LINE || !weights.has(element)) continue;
      const line = lineOf(element);
      if (isBoilerplateLine(line)) weights.drop(element);
      else if (/^(p|div|li|h\d)$/.test(element.localName) && isReferralLine(line))
        if (weights.link(element) > 0.4 * length) weights.drop(element);
    }
  },
};

/** The first paragraph of the article proper has this many characters. */
const FIRST_PARAGRAPH = 100;
/** A lead of more blocks than this is not a lead. */
const LONGEST_LEAD = 14;

const lead: Pass = {
  name: 'lead',
  order: 'Near the end: what comes before the first paragraph is only known once the furniture is gone.',
  run: ({ root, weights, title }) => {
    const blocks = leafBlocks(root, weights);
    const first = blocks.findIndex(
      block => weights.text(block) >= FIRST_PARAGRAPH && weights.linkShare(block) < 0.5,
    );
    if (first <= 0 || first > LONGEST_LEAD) return;
    for (const block of blocks.slice(0, first)) {
      const line = lineOf(block);
      if (line.length >= 80 || (block.localName === 'li' && weights.linkShare(block) < 0.5)) continue;
      if (isMetaLine(line) || weights.linkShare(block) >= 0.5 || repeatsTitle(line, title))
        weights.drop(block);
    }
  },
};

const repeatsTitle = (line: string, title: string): boolean =>
  title !== '' && title.toLowerCase().includes(line.toLowerCase());

/** At most this many blocks are looked at from the end. */
const LONGEST_TAIL = 25;

const tail: Pass = {
  name: 'tail',
  order:
    'Last: it walks back from the end and stops at the first sentence, so nothing may come off after it.',
  run: ({ root, weights }) => {
    const blocks = leafBlocks(root, weights);
    let budget = Math.max(120, 0.15 * weights.text(root));
    for (const block of blocks.slice(1).slice(-LONGEST_TAIL).reverse()) {
      // Short words in a table's cells are its content.
      if (block.parentElement?.closest('td,th,dd') != null) return;
      const line = lineOf(block);
      if (line === '') continue;
      if (!isTail(block, line, weights)) return;
      budget -= line.length;
      if (budget < 0) return;
      weights.drop(block);
    }
  },
};

function isTail(block: Element, line: string, weights: Weights): boolean {
  if (/^h\d$/.test(block.localName) || weights.linkShare(block) > 0.6) return true;
  if (isMetaLine(line) || CAPTION_LIKE_META.test(line) || isTrailingLine(line)) return true;
  const endsSentence = /[.!?。！？…"”»)\]]$/.test(line);
  return !endsSentence && line.length < 50 && !/^(li|td|pre|figcaption)$/.test(block.localName);
}

const LEAVES = 'p,h1,h2,h3,h4,h5,h6,li,blockquote,pre,td,div,section,time,span,address,ul,ol,dd,figcaption';
const HOLDS_BLOCKS = 'p,h1,h2,h3,h4,h5,h6,li,div,section,ul,ol,table,pre,blockquote';
const MAY_HOLD_BLOCKS = new Set('div section ul ol blockquote li td dd figcaption'.split(' '));
const BOXES = new Set('div section article header'.split(' '));

/** The blocks that hold text themselves, in document order. */
function leafBlocks(root: Element, weights: Weights): Element[] {
  const found: Element[] = [];
  for (const element of root.querySelectorAll(LEAVES)) {
    if (weights.text(element) === 0) continue;
    const name = element.localName;
    if ((name === 'span' || name === 'time') && !BOXES.has(element.parentElement?.localName ?? '')) continue;
    if (MAY_HOLD_BLOCKS.has(name) && element.querySelector(HOLDS_BLOCKS) !== null) continue;
    if (name !== 'figcaption' && element.closest('figcaption') !== null) continue;
    found.push(element);
  }
  return found;
}

/** The passes, in their order. */
export const PASSES: readonly Pass[] = [controls, captions, furniture, linkBlocks, boilerplate, lead, tail];
