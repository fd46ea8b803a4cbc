/** Divides a copy of a page into blocks, and measures the blocks and the whole page. */
import { type BlockHints, blockHints } from './blocks/blockHints.ts';
import { type ContentBlock, contentBlocks } from './blocks/contentBlocks.ts';
import { type ElementTree, elementTree } from './blocks/elementTree.ts';
import { isCollectionPage } from './isCollectionPage.ts';
import { pageFeatures } from './pageType/pageFeatures.ts';
import type { PageSignals } from './pageType/pageSignals.ts';
import { type Article, readArticle } from './readArticle.ts';
import { expandSvgText } from './svgText.ts';

/** A copy of a page divided into blocks, and what is known of the whole page. */
export interface PageReading {
  readonly blocks: readonly ContentBlock[];
  readonly tree: ElementTree;
  readonly hints: BlockHints;
  /** The article that Readability found; null if there is none. */
  readonly article: Article | null;
  /** True if the page's article, if any, is only a part of its content. */
  readonly isCollection: boolean;
  /** In the order of `PAGE_FEATURES`. */
  readonly pageFeatures: readonly number[];
}

/** Divides a copy of a page into blocks and measures it. The text of drawings is added to the copy, except to its article. */
export function readPage(copy: Document, signals: PageSignals): PageReading {
  const article = readArticle(copy);
  expandSvgText(copy.body);
  const blocks = contentBlocks(copy.body);
  const isCollection = article === null || isCollectionPage(signals, copy, article.root);
  const hints = blockHints(copy, blocks, article);
  const tree = elementTree(copy.body, blocks);
  const features = pageFeatures(signals, blocks, tree, hints, isCollection);
  return { blocks, tree, hints, article, isCollection, pageFeatures: features };
}
