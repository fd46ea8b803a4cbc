/**
 * Corrects the shares that the model gives the blocks, in passes: the model judges each block alone. Each pass is a value;
 * `BLOCK_PASSES` gives the order.
 */

import { NAME_GROUPS, type NameGroup } from '../../signals/nameGroups.ts';
import type { PageType } from '../../signals/pageTypes.ts';
import { MAX_HEADING_CHARACTERS, OTHER_PAGES } from '../../signals/sectionHeadings.ts';
import type { ContentBlock } from './contentBlocks.ts';
import { type ElementStats, type ElementTree, NOWHERE } from './elementTree.ts';

interface BlockPassInput {
  readonly blocks: readonly ContentBlock[];
  readonly tree: ElementTree;
  readonly words: readonly number[];
  readonly type: PageType;
  /** Tells whether an element is a part of the text, whatever its names are. */
  readonly isOwnText: (element: Element) => boolean;
}

interface BlockPass {
  readonly name: string;
  /** Why the pass has its position in `BLOCK_PASSES`. */
  readonly orderReason: string;
  run(shares: readonly number[], input: BlockPassInput): number[];
}

/** Minimum number of blocks of one path that are judged together. */
const MIN_REPEATED = 3;
/** The part (0 to 1) of a block's share that the other blocks of its path determine. */
const COMMON_PART = 0.5;

/**
 * Moves the share of each block toward the mean of the blocks at the same place of repeated elements.
 * @param words number of words of each block
 * @param paths the path of each block; blocks at the same place of repeated elements have the same
 */
export function consistentShares(
  shares: readonly number[],
  words: readonly number[],
  paths: readonly string[],
): number[] {
  const sums = new Map<string, { share: number; weight: number; count: number }>();
  for (const [at, path] of paths.entries()) {
    const sum = sums.get(path) ?? { share: 0, weight: 0, count: 0 };
    const weight = Math.sqrt((words[at] ?? 0) + 1);
    sum.share += (shares[at] ?? 0) * weight;
    sum.weight += weight;
    sum.count++;
    sums.set(path, sum);
  }
  return shares.map((share, at) => {
    const sum = sums.get(paths[at] ?? '');
    if (sum === undefined || sum.count < MIN_REPEATED) return share;
    return (1 - COMMON_PART) * share + (COMMON_PART * sum.share) / sum.weight;
  });
}

/** A section with more than this share (0 to 1) of the page's text is the content, whatever its heading is, unless the page begins otherwise. */
const MAX_SECTION_SHARE = 0.5;
/** Minimum number of characters outside links, in blocks of prose, with which a page begins otherwise. */
const MIN_PROSE_BEFORE = 400;
/** Minimum number of characters outside links of a block of prose. */
const MIN_PROSE_CHARACTERS = 100;

/** Returns the largest elements that begin with a heading of a kind. */
function sectionsBelow(
  headings: { test(text: string): boolean },
  blocks: readonly ContentBlock[],
  { containers, root }: ElementTree,
): ElementStats[] {
  const found: ElementStats[] = [];
  for (const [at, { headingLevel, text }] of blocks.entries()) {
    if (headingLevel === 0 || text.length > MAX_HEADING_CHARACTERS || !headings.test(text)) continue;
    const section = sectionOf(containers[at] ?? root, at);
    const isSmall = section.characters <= MAX_SECTION_SHARE * root.characters;
    if (isSmall || proseBefore(blocks, section.first) >= MIN_PROSE_BEFORE) found.push(section);
  }
  return found;
}

function proseBefore(blocks: readonly ContentBlock[], first: number): number {
  let sum = 0;
  for (const { text, linkCharacters } of blocks.slice(0, first)) {
    const length = text.length - linkCharacters;
    if (length >= MIN_PROSE_CHARACTERS) sum += length;
  }
  return sum;
}

/** Returns the largest element that begins with the block `first`. */
function sectionOf(heading: ElementStats, first: number): ElementStats {
  let section = heading;
  while (section.parent !== null && section.parent.first === first) section = section.parent;
  return section;
}

interface NamedRule {
  /** A group of `NAME_GROUPS`. */
  readonly name: NameGroup;
  readonly factor: number;
  readonly applies: (type: PageType) => boolean;
}

/** The factors were chosen by cross-validation in the seen half of the benchmark's pages, and are round. The networks know the other names. */
const RULES: readonly NamedRule[] = [
  // What others say of a product is not its description.
  { name: 'review', factor: 0.1, applies: type => type === 'product' },
  { name: 'signature', factor: 0.05, applies: type => type === 'forum' },
  { name: 'overlay', factor: 0.3, applies: type => type !== 'product' },
  { name: 'form', factor: 0.5, applies: type => type !== 'forum' },
];
/** The named element is fewer elements around the block than this. */
const MAX_DISTANCE = 8;

/** An element with more than this share (0 to 1) of a page without a heading is not told apart by its name. */
const MAX_SHARE = 0.5;

const namedBlocks: BlockPass = {
  name: 'blocks with names of other things',
  orderReason: 'After the repeated blocks: their means are those of the model.',
  run: (shares, input) => {
    const heading = input.blocks.findIndex(({ headingLevel }) => headingLevel === 1);
    const factors = new Map<ElementStats, number>();
    const rules = RULES.filter(({ applies }) => applies(input.type));
    return shares.map((share, at) => {
      const container = input.tree.containers[at] ?? input.tree.root;
      const factor = factors.get(container) ?? factorOf(container, rules, heading, input);
      factors.set(container, factor);
      return share * factor;
    });
  },
};

function factorOf(
  container: ElementStats,
  rules: readonly NamedRule[],
  heading: number,
  { tree, isOwnText }: BlockPassInput,
): number {
  return rules.reduce((factor, rule) => {
    const depth = container.groups[NAME_GROUPS.indexOf(rule.name)] ?? NOWHERE;
    if (container.depth - depth >= MAX_DISTANCE) return factor;
    let named = container;
    while (named.depth > depth && named.parent !== null) named = named.parent;
    // A name of the whole page (`<body class="cookies-set">`) tells nothing apart.
    const isWhole =
      heading < 0
        ? named.characters > MAX_SHARE * tree.root.characters
        : named.first <= heading && heading < named.end;
    return isWhole || isOwnText(named.element) ? factor : factor * rule.factor;
  }, 1);
}

const repeatedBlocks: BlockPass = {
  name: 'repeated blocks',
  orderReason: 'First: the means are those of the model, not of other passes.',
  run: (shares, { words, tree }) => consistentShares(shares, words, tree.paths),
};

const otherPages: BlockPass = {
  name: 'sections of other pages',
  orderReason:
    'After the repeated blocks: cards of other products would get shares back from the same cards elsewhere.',
  run: (shares, { blocks, tree }) => {
    const corrected = [...shares];
    for (const section of sectionsBelow(OTHER_PAGES, blocks, tree))
      corrected.fill(0, section.first, section.end);
    return corrected;
  },
};

/** The content of these pages is what stands below their title, which `metadata.page_title` has. */
const WITHOUT_TITLE: ReadonlySet<PageType> = new Set<PageType>(['article', 'documentation', 'forum']);

const pageHeading: BlockPass = {
  name: 'page heading',
  orderReason: 'Last: no other pass may remove the name of the page.',
  run: (shares, { blocks, type }) =>
    shares.map((share, at) => (blocks[at]?.headingLevel === 1 && !WITHOUT_TITLE.has(type) ? 1 : share)),
};

/** The passes over the shares of the blocks, in the order in which they run. `orderReason` explains each position. */
export const BLOCK_PASSES: readonly BlockPass[] = [repeatedBlocks, namedBlocks, otherPages, pageHeading];
