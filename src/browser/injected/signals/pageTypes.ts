/** The types of pages whose content is told apart. */

/** The types, as the benchmark of web content extraction names them. */
export const PAGE_TYPES = [
  'article',
  'documentation',
  'service',
  'forum',
  'collection',
  'listing',
  'product',
] as const;

export type PageType = (typeof PAGE_TYPES)[number];

/** The probability of each type: from 0 to 1, with the sum 1. */
export type TypeShares = Readonly<Record<PageType, number>>;

/** The shares of a page that has not been judged. */
export const NO_TYPE: TypeShares = {
  article: 0,
  documentation: 0,
  service: 0,
  forum: 0,
  collection: 0,
  listing: 0,
  product: 0,
};
