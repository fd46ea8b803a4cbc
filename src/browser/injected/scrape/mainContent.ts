/** Finds the main content of a page: judges the page's type, then reads an article or keeps the blocks of the content. */

import { classifyPageType, type PageClassification } from '../signals/classifyPageType.ts';
import type { PageSignals } from '../signals/pageSignals.ts';
import type { PageType } from '../signals/pageTypes.ts';
import type { ReadabilityMetadata } from './article/articleMetadata.ts';
import { isOwnText } from './article/ownText.ts';
import type { Article } from './article/readArticle.ts';
import { restoreEmbeds } from './article/readArticle.ts';
import { BLOCK_FEATURES, blockFeatures } from './blocks/blockFeatures.ts';
import { BLOCK_PASSES } from './blocks/blockPasses.ts';
import {
  chooseBlocks,
  expectedF1,
  mayRepeatText,
  type RepeatedTexts,
  removeBlocks,
  withoutRepetitions,
} from './blocks/chooseBlocks.ts';
import { blockHints, type ContentBlock, contentBlocks } from './blocks/contentBlocks.ts';
import { contentNetworks, contentShares } from './blocks/contentShares.ts';
import { type ElementTree, elementTree } from './blocks/elementTree.ts';
import { findLandmarks, withoutBoilerplate } from './landmarkContent.ts';
import { declaresArticle, type PageReading, readPage } from './readPage.ts';

interface MainContent {
  readonly root: Element;
  /** The whole page; it is the content if nothing of `root` remains after sanitizing. Null if that cannot happen. */
  readonly backup: Element | null;
  /** Metadata that Readability found; null if the page is not an article. */
  readonly readability: ReadabilityMetadata | null;
}

/** A page with at most this many blocks, or characters, has no more than its landmarks tell: the models learnt from larger ones. */
const MAX_SMALL_BLOCKS = 30;
const MAX_SMALL_CHARACTERS = 1_500;
/** Maximum number of blocks that the model reads. A page with more is a large table or list, which landmarks delimit as well and sooner. */
const MAX_BLOCKS = 1_800;
/**
 * If the shares of the two types of running text add up to this much or more, the article is the content. Less than half: most pages are
 * articles, but the model learnt from few of them.
 */
const MIN_ARTICLE_SHARE = 0.4;
const RUNNING_TEXT: ReadonlySet<PageType> = new Set<PageType>(['article', 'documentation', 'service']);
/** The article is preferred to the chosen blocks if the F1 expected of it is at least this part (0 to 1) of theirs: it is cleaned in finer steps. */
const MIN_ARTICLE_RATIO = 0.95;

/**
 * Finds the main content.
 * @param copy the copy made by `flatten`; changed
 * @param page the live document
 */
export function mainContent(copy: Document, page: Document, signals: PageSignals): MainContent {
  let known: PageClassification | null = null;
  const classify = (): PageClassification => {
    known ??= classifyPageType(page, signals);
    return known;
  };
  const reading = readPage(copy, signals, () => isRunningText(classify()));
  const article = reading.isCollection ? null : reading.article;
  // Before the blocks, because most pages are articles, which do not need them.
  if (
    article !== null &&
    isRunningText(classify()) &&
    (!reading.isExcerpt || isSureArticle(signals, classify()))
  )
    return articleContent(article);
  const blocks = contentBlocks(copy.body);
  if (blocks.length > MAX_BLOCKS || isSmall(blocks))
    return article === null ? landmarks(copy, blocks, reading) : articleContent(article);
  const { type } = classify();
  const tree = elementTree(copy.body, blocks);
  const hints = blockHints(blocks, reading.article?.texts ?? null);
  const rows = blockFeatures(blocks, tree, hints);
  const words = blocks.map(wordCount);
  const predicted = contentShares(contentNetworks(), rows, BLOCK_FEATURES.length, words);
  const shares = BLOCK_PASSES.reduce<readonly number[]>(
    (corrected, pass) => pass.run(corrected, { blocks, tree, words, type, isOwnText }),
    predicted,
  );
  const expected = { shares, words };
  const chosen = chooseBlocks(expected);
  if (article !== null && RUNNING_TEXT.has(type)) {
    const inArticle = blocks.map((_, at) => (hints.article?.[at] ?? 0) > 0.5);
    if (expectedF1(expected, inArticle) >= MIN_ARTICLE_RATIO * expectedF1(expected, chosen))
      return articleContent(article);
  }
  // A page of documentation repeats its examples.
  const kept =
    type === 'documentation' ? chosen : withoutRepetitions(chosen, repeatedTexts(blocks, tree, words));
  removeBlocks(blocks, tree, kept);
  return { root: copy.body, backup: null, readability: null };
}

const isRunningText = ({ shares }: PageClassification): boolean =>
  shares.article + shares.documentation >= MIN_ARTICLE_SHARE;

/** A page that declares an article, and looks like one with at least this share, is not the list of which a short article is the introduction. */
const SURE_ARTICLE_SHARE = 0.8;
const isSureArticle = (signals: PageSignals, { shares }: PageClassification): boolean =>
  shares.article >= SURE_ARTICLE_SHARE && declaresArticle(signals);

const repeatedTexts = (
  blocks: readonly ContentBlock[],
  { containers }: ElementTree,
  words: readonly number[],
): RepeatedTexts => ({
  texts: blocks.map(({ text }) => text),
  words,
  mayRepeat: containers.map(mayRepeatText),
});

const isSmall = (blocks: readonly ContentBlock[]): boolean =>
  blocks.length <= MAX_SMALL_BLOCKS ||
  blocks.reduce((sum, { text }) => sum + text.length, 0) <= MAX_SMALL_CHARACTERS;

function landmarks(copy: Document, blocks: readonly ContentBlock[], { stats }: PageReading): MainContent {
  // Never return nothing for a page that shows something: if every block has a boilerplate name, keep them all. A very
  // large page always keeps some content, and a second copy of it would use too much memory.
  const backup = blocks.length > MAX_BLOCKS ? null : (copy.body.cloneNode(true) as Element);
  return { root: withoutBoilerplate(findLandmarks(copy.body, stats)), backup, readability: null };
}

function articleContent(article: Article): MainContent {
  restoreEmbeds(article.root);
  return { root: article.root, backup: null, readability: article };
}

const WORDS = /[\p{L}\p{N}\p{M}_]+/gu;
/** Finds in ASCII what `WORDS` finds, in a fraction of the time. */
const ASCII_WORDS = /\w+/g;
const NOT_ASCII = /[^\0-\x7f]/;

const wordCount = ({ text }: ContentBlock): number =>
  text.match(NOT_ASCII.test(text) ? WORDS : ASCII_WORDS)?.length ?? 0;
