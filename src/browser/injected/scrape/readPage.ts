/** Divides a copy of a page into blocks, and measures the blocks. */

import type { PageSignals } from '../signals/pageSignals.ts';
import { type Article, readArticle } from './article/readArticle.ts';
import { TextStats } from './article/textStats.ts';
import { type BlockHints, blockHints } from './blocks/blockHints.ts';
import { type ContentBlock, contentBlocks } from './blocks/contentBlocks.ts';
import { type ElementTree, elementTree } from './blocks/elementTree.ts';
import { isCollectionPage } from './isCollectionPage.ts';
import { findLandmarks } from './landmarkContent.ts';
import { expandSvgText } from './snapshot/svgText.ts';

/** A copy of a page divided into blocks. */
export interface PageReading {
  readonly blocks: readonly ContentBlock[];
  /** The article that Readability found; null if there is none. */
  readonly article: Article | null;
  /** True if the page's article, if any, is only a part of its content. */
  readonly isCollection: boolean;
  /** The text statistics of the copy's body. */
  readonly stats: TextStats;
}

/** The measures of the blocks of a copy. */
export interface PageMeasures {
  readonly tree: ElementTree;
  readonly hints: BlockHints;
}

/** Divides a copy of a page into blocks. The text of drawings is added to the copy, except to its article. */
export function readPage(copy: Document, signals: PageSignals): PageReading {
  const article = readArticle(copy);
  expandSvgText(copy.body);
  const stats = new TextStats(copy.body);
  const isCollection = article === null || isCollectionPage(signals, copy.body, stats, article.root);
  return { blocks: contentBlocks(copy.body), article, isCollection, stats };
}

/** Measures the blocks of a copy. Linear in the size of the copy. */
export function measurePage(copy: Document, { blocks, article, stats }: PageReading): PageMeasures {
  const hints = blockHints(blocks, article, findLandmarks(copy.body, stats));
  const tree = elementTree(copy.body, blocks);
  return { tree, hints };
}
