/** Features of a whole page, from which its type is judged. */

import { DECLARATIONS } from '../../signals/declaredType.ts';
import type { PageSignals } from '../../signals/pageSignals.ts';
import type { BlockHints } from '../blocks/blockHints.ts';
import type { ContentBlock } from '../blocks/contentBlocks.ts';
import type { ElementStats, ElementTree } from '../blocks/elementTree.ts';
import { NAME_GROUPS } from '../blocks/nameGroups.ts';

/** Words of the path, each a feature. */
const PATH: Readonly<Record<string, RegExp>> = {
  pathRoot: /^\/(\w\w([-_]\w\w)?\/)?(index\.\w+)?$/i,
  pathProduct: /\/(products?|p|item|itm|dp|pd|sku|shop\/[^/]+\/[^/]+)\/[^/]+/i,
  pathList:
    /\/(collections?|categor(y|ies)|product-category|c|cat|browse|department|l|b|shop|store|s|list|directory|tags?|topics?)(\/|$)/i,
  pathThread: /(thread|topic|\/t\/|forum|viewtopic|questions?\/|discussion|comments|board|community|post)/i,
  pathDocs:
    /(\/docs?\/|documentation|\/guides?\/|reference|\/api\/|manual|tutorial|\/learn\/|\/wiki\/|\.html$)/i,
  pathBlog:
    /(\/blogs?\/|\/news\/|\/articles?\/|\/stor(y|ies)\/|\/(19|20)\d\d\/|[a-z]+-[a-z]+-[a-z]+-[a-z]+)/i,
  pathService: /(services?|solutions?|about|pricing|industries|expertise|consult|agency|software|platform)/i,
  pathQuery: /\?/,
};

/** Groups of names whose share of the page's text is a feature. */
const SHARES =
  'post comment poster product price card specification option review article content faq toc filter pager description signature'.split(
    ' ',
  );

/** A name counts for a block if it is fewer elements away than this. */
const NEAR = 6;

/** The names of the features that `pageFeatures` returns. */
export const PAGE_FEATURES: readonly string[] = [
  ...Object.keys(DECLARATIONS).map(name => `declares-${name}`),
  ...Object.keys(PATH),
  'pathDepth',
  'blocks',
  'characters',
  'linkDensity',
  'prose',
  'proseLength',
  'prices',
  'dates',
  'buys',
  'replies',
  'code',
  'headings',
  'isCollection',
  'hasArticle',
  'articleSize',
  'repeated',
  'repeatedPrices',
  ...SHARES.map(name => `share-${name}`),
];

/** Returns the features of a page, in the order of `PAGE_FEATURES`. */
export function pageFeatures(
  signals: PageSignals,
  blocks: readonly ContentBlock[],
  tree: ElementTree,
  hints: BlockHints,
  isCollection: boolean,
): number[] {
  const { types, path } = signals;
  const sums = sumBlocks(blocks, tree, hints);
  const total = Math.max(1, sums.characters);
  const shares = shareCharacters(blocks, tree).map(characters => characters / total);
  const flag = (pattern: RegExp) => (types.some(type => pattern.test(type)) ? 1 : 0);
  return [
    ...Object.values(DECLARATIONS).map(flag),
    ...Object.values(PATH).map(pattern => (pattern.test(path) ? 1 : 0)),
    path.split('/').filter(part => part !== '').length,
    Math.log2(1 + blocks.length),
    Math.log2(total),
    sums.linkCharacters / total,
    Math.log2(1 + sums.prose),
    sums.proseCharacters / total,
    ...sums.phrases.map(count => Math.log2(1 + count)),
    Math.log2(1 + countCode(blocks, tree)),
    Math.log2(1 + sums.headings),
    isCollection ? 1 : 0,
    hints.article === null ? 0 : 1,
    sums.articleCharacters / total,
    Math.log2(1 + Math.max(0, ...sums.repeated.values())),
    Math.log2(1 + Math.max(0, ...sums.repeatedPrices.values())),
    ...shares,
  ];
}

/** Phrases of blocks that are counted: prices, dates, offers to buy, forms of reply. */
const PHRASES = [
  /[$€£¥₹]\s?\d/,
  /\b(19|20)\d\d\b|\d{1,2}:\d\d|\bago\b/,
  /\b(add to (cart|bag|basket)|buy now|quantity|in stock|checkout)\b/i,
  /\b(reply|replies|quote|joined|posts|upvote|asked|answered)\b/i,
];
const MAX_PHRASE_CHARACTERS = 200;
const MIN_PROSE_CHARACTERS = 100;
const PRICE = /[$€£]\s?\d/;

function sumBlocks(blocks: readonly ContentBlock[], { paths }: ElementTree, { article }: BlockHints) {
  const sums = {
    characters: 0,
    linkCharacters: 0,
    prose: 0,
    proseCharacters: 0,
    articleCharacters: 0,
    headings: 0,
    phrases: PHRASES.map(() => 0),
    repeated: new Map<string, number>(),
    repeatedPrices: new Map<string, number>(),
  };
  for (const [at, { text, linkCharacters, headingLevel }] of blocks.entries()) {
    const { length } = text;
    const path = paths[at] ?? '';
    sums.characters += length;
    sums.linkCharacters += linkCharacters;
    sums.articleCharacters += length * (article?.[at] ?? 0);
    if (headingLevel > 0) sums.headings++;
    if (length - linkCharacters >= MIN_PROSE_CHARACTERS) {
      sums.prose++;
      sums.proseCharacters += length;
    }
    if (length < MAX_PHRASE_CHARACTERS)
      for (const [phrase, pattern] of PHRASES.entries())
        if (pattern.test(text)) sums.phrases[phrase] = (sums.phrases[phrase] ?? 0) + 1;
    sums.repeated.set(path, (sums.repeated.get(path) ?? 0) + 1);
    if (PRICE.test(text)) sums.repeatedPrices.set(path, (sums.repeatedPrices.get(path) ?? 0) + 1);
  }
  return sums;
}

const SHARE_GROUPS = SHARES.map(name => NAME_GROUPS.indexOf(name));

/** Returns the number of characters of the blocks near an element of each group of `SHARES`. */
function shareCharacters(blocks: readonly ContentBlock[], { containers }: ElementTree): number[] {
  const found = SHARE_GROUPS.map(() => 0);
  for (let at = 0; at < blocks.length; at++) {
    const { depth, groups } = containers[at] as ElementStats;
    const { length } = (blocks[at] as ContentBlock).text;
    for (let share = 0; share < found.length; share++)
      if (depth - (groups[SHARE_GROUPS[share] as number] as number) < NEAR)
        found[share] = (found[share] as number) + length;
  }
  return found;
}

/** Returns the number of blocks in `pre`. */
function countCode(blocks: readonly ContentBlock[], { root }: ElementTree): number {
  if (root.element.querySelector('pre') === null) return 0;
  return blocks.filter(({ container }) => container.closest('pre') !== null).length;
}
