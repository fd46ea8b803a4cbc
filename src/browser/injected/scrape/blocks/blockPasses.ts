/**
 * Corrects the shares that the model gives the blocks, in passes: the model judges each block alone. Each pass is a value;
 * `BLOCK_PASSES` gives the order.
 */
import type { PageType } from '../../signals/pageTypes.ts';
import { OTHER_PAGES } from '../../signals/sectionHeadings.ts';
import type { BlockPass } from './blockPass.ts';
import { consistentShares } from './consistentShares.ts';
import { namedBlocks } from './namedPasses.ts';
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

/** The passes over the shares of the blocks, in the order in which they run. `orderReason` explains each position. */
export const BLOCK_PASSES: readonly BlockPass[] = [
  repeatedBlocks,
  namedBlocks,
  otherPages,
  productReviews,
  productPrice,
  productSpecification,
  pageHeading,
];
