/**
 * Corrects the shares that the model gives the blocks, in passes: the model judges each block alone. Each pass is a value;
 * `BLOCK_PASSES` gives the order.
 */
import type { PageType } from '../../signals/pageTypes.ts';
import { OTHER_PAGES } from '../../signals/sectionHeadings.ts';
import type { BlockPass } from './blockPass.ts';
import { consistentShares } from './consistentShares.ts';
import { NOWHERE } from './elementTree.ts';
import { namedBlocks } from './namedPasses.ts';
import { NAME_GROUPS } from './nameGroups.ts';
import { productPrice, productReviews, productSpecification } from './productPasses.ts';
import { sectionsBelow } from './sectionsBelow.ts';

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

/** A post has at least this many words, and is content with at least this share (0 to 1). */
const MIN_POST_WORDS = 10;
const MIN_POST_SHARE = 0.4;
/** The title of a thread stands at most this many blocks before its first post. */
const MAX_TITLE_DISTANCE = 6;
const TITLE = NAME_GROUPS.indexOf('title');

const threadTitle: BlockPass = {
  name: 'title of a thread',
  orderReason:
    'Beside the page heading: in a thread the title is the link or the heading above the first post.',
  run: (shares, { blocks, tree, type, words }) => {
    if (type !== 'forum') return [...shares];
    const post = shares.findIndex(
      (share, at) => share >= MIN_POST_SHARE && (words[at] ?? 0) >= MIN_POST_WORDS,
    );
    const isTitle = (at: number): boolean => {
      const { depth, groups } = tree.containers[at] ?? tree.root;
      const isNamed = depth - (groups[TITLE] ?? NOWHERE) <= 1;
      return (words[at] ?? 0) >= 2 && (isNamed || (blocks[at]?.headingLevel ?? 0) > 0);
    };
    let title = post - 1;
    while (title >= Math.max(0, post - MAX_TITLE_DISTANCE) && !isTitle(title)) title--;
    const isFound = title >= Math.max(0, post - MAX_TITLE_DISTANCE);
    return shares.map((share, at) => (isFound && at === title ? 1 : share));
  },
};

/** The passes over the shares of the blocks, in the order in which they run. `orderReason` explains each position. */
export const BLOCK_PASSES: readonly BlockPass[] = [
  repeatedBlocks,
  namedBlocks,
  otherPages,
  productReviews,
  productPrice,
  productSpecification,
  pageHeading,
  threadTitle,
];
