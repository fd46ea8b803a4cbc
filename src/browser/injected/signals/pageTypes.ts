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
