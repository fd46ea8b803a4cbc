/** Reads a copy of a page: its article, if it has one, and the measures of its blocks. */

import type { PageSignals } from '../signals/pageSignals.ts';
import { type Article, readArticle } from './article/readArticle.ts';
import { singleLineText, TextStats } from './article/textStats.ts';
import { type BlockHints, blockHints } from './blocks/blockHints.ts';
import type { ContentBlock } from './blocks/contentBlocks.ts';
import { type ElementTree, elementTree } from './blocks/elementTree.ts';
import { declaresArticle, isCollectionPage } from './isCollectionPage.ts';
import { findLandmarks } from './landmarkContent.ts';
import { expandSvgText } from './snapshot/svgText.ts';

/** An article with fewer characters, and less than this share (0 to 1) of the page's text, may be an introduction: tag pages declare that they are articles. */
const MAX_EXCERPT_CHARACTERS = 1_000;
const MAX_EXCERPT_SHARE = 0.25;
/** The same with white space, which pages have between their elements. */
const MAX_RAW_CHARACTERS = 4 * MAX_EXCERPT_CHARACTERS;

/** The result of the article pipeline for a copy of a page. */
export interface PageReading {
  /** The article that Readability found; null if there is none. */
  readonly article: Article | null;
  /** True if the page's article, if any, is only a part of its content. */
  readonly isCollection: boolean;
  /** True if the article is short and a small part of the page's text: perhaps only the introduction of a list. */
  readonly isExcerpt: boolean;
  /** The text statistics of the copy's body. */
  readonly stats: TextStats;
}

/** The measures of the blocks of a copy. */
export interface PageMeasures {
  readonly tree: ElementTree;
  readonly hints: BlockHints;
}

/**
 * Looks for the article of a copy. The text of drawings is added to the copy, except to its article.
 * @param isRunningText tells whether the page is an article by its type; called at most once
 */
export function readPage(copy: Document, signals: PageSignals, isRunningText: () => boolean): PageReading {
  // An article that the page declares, and that is one by the type of the page, is its content: no block is measured.
  const found = readArticle(copy, () => !(declaresArticle(signals) && isRunningText()));
  expandSvgText(copy.body);
  const stats = new TextStats(copy.body);
  const isExcerpt = found !== null && isSmallPart(found.root, stats);
  const article = isExcerpt && found.texts === null ? readArticle(copy, () => true) : found;
  const isCollection = article === null || isCollectionPage(signals, copy.body, stats, article.root);
  return { article, isCollection, isExcerpt, stats };
}

/** Returns true if the text of an article is short, and a small part of that of the page. */
function isSmallPart(article: Element, stats: TextStats): boolean {
  // Most articles are long, so that their text need not be read character by character.
  if ((article.textContent ?? '').length > MAX_RAW_CHARACTERS) return false;
  const { length } = singleLineText(article);
  return length < MAX_EXCERPT_CHARACTERS && length < MAX_EXCERPT_SHARE * stats.textLength(stats.root);
}

/** Measures the blocks of a copy. Linear in the size of the copy. */
export function measurePage(
  copy: Document,
  blocks: readonly ContentBlock[],
  { article, stats }: PageReading,
): PageMeasures {
  const hints = blockHints(blocks, article?.texts ?? null, findLandmarks(copy.body, stats));
  const tree = elementTree(copy.body, blocks);
  return { tree, hints };
}
