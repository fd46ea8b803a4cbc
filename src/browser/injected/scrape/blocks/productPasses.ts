/** The block passes of a product's page: its price and its specification belong to it. */

import { REVIEWS, SPECIFICATION } from '../../signals/sectionHeadings.ts';
import type { BlockPass } from './blockPass.ts';
import { sectionsBelow } from './sectionsBelow.ts';

const PRICE = /[$€£¥₹]\s?\d|\d[\d.,]*\s?(€|£|USD|EUR|kr|zł|Kč|руб)/;
const MAX_PRICE_CHARACTERS = 60;
/** The price of a product is at most this many blocks after its name. */
const MAX_PRICE_DISTANCE = 25;

/** The block pass that keeps the price after the product's name. */
export const productPrice: BlockPass = {
  name: 'price of the product',
  orderReason: 'After the sections of other pages: their prices are not meant.',
  run: (shares, { blocks, type }) => {
    const heading = blocks.findIndex(({ headingLevel }) => headingLevel === 1);
    if (type !== 'product' || heading < 0) return [...shares];
    const price = blocks.findIndex(
      ({ text }, at) =>
        at > heading &&
        at <= heading + MAX_PRICE_DISTANCE &&
        (shares[at] ?? 0) > 0 &&
        text.length <= MAX_PRICE_CHARACTERS &&
        PRICE.test(text),
    );
    return shares.map((share, at) => (at === price ? 1 : share));
  },
};

/** The block pass that keeps sections with the heading of a specification. */
export const productSpecification: BlockPass = {
  name: 'specification of the product',
  orderReason: 'After the sections of other pages, beside the price: neither touches what the other keeps.',
  run: (shares, { blocks, tree, type }) => {
    const corrected = [...shares];
    if (type !== 'product') return corrected;
    for (const { first, end } of sectionsBelow(SPECIFICATION, blocks, tree)) corrected.fill(1, first, end);
    return corrected;
  },
};

/** The block pass that drops the sections with the heading of reviews. */
export const productReviews: BlockPass = {
  name: 'reviews of the product',
  orderReason: 'Beside the sections of other pages: what others say is not the description either.',
  run: (shares, { blocks, tree, type }) => {
    const corrected = [...shares];
    if (type !== 'product') return corrected;
    for (const { first, end } of sectionsBelow(REVIEWS, blocks, tree)) corrected.fill(0, first, end);
    return corrected;
  },
};
