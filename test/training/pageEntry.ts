/** Runs in a page of the benchmark, beside the scraper's own code: measures the page's blocks for the training. */

import { copyMetaTags } from '../../src/browser/injected/scrape/article/articleMetadata.ts';
import { BLOCK_FEATURES, blockFeatures } from '../../src/browser/injected/scrape/blocks/blockFeatures.ts';
import { blockHints, contentBlocks } from '../../src/browser/injected/scrape/blocks/contentBlocks.ts';
import { elementTree } from '../../src/browser/injected/scrape/blocks/elementTree.ts';
import { normalizeBody } from '../../src/browser/injected/scrape/cleanBody.ts';
import { readPage } from '../../src/browser/injected/scrape/readPage.ts';
import { flatten } from '../../src/browser/injected/scrape/snapshot/flatten.ts';
import { addWaitingContent } from '../../src/browser/injected/scrape/waitingContent.ts';
import { pageEvidence } from '../../src/browser/injected/signals/classifyPageType.ts';
import { pageSignals } from '../../src/browser/injected/signals/pageSignals.ts';

/** The fields of a page that the training reads. */
export interface MeasuredPage {
  readonly texts: readonly string[];
  /** The path of each block: the same for blocks at the same place of repeated elements. */
  readonly paths: readonly string[];
  /** The features of each block. */
  readonly features: readonly (readonly number[])[];
  /** The evidence of the page's type (`pageEvidence`). */
  readonly evidence: readonly number[];
}

function measure(): string {
  const flatPage = flatten(document, { fullPage: false, onVisible: null });
  const copy = flatPage.document;
  addWaitingContent(document, copy, flatPage);
  normalizeBody(copy.body, true);
  copyMetaTags(document, copy);
  const signals = pageSignals(document);
  const { article } = readPage(copy, signals, () => false);
  const blocks = contentBlocks(copy.body);
  const tree = elementTree(copy.body, blocks);
  const rows = blockFeatures(blocks, tree, blockHints(blocks, article?.texts ?? null));
  const width = BLOCK_FEATURES.length;
  const page: MeasuredPage = {
    paths: tree.paths,
    texts: blocks.map(({ text }) => text),
    features: blocks.map((_, at) => short([...rows.subarray(at * width, (at + 1) * width)])),
    evidence: short(pageEvidence(document, signals)),
  };
  return JSON.stringify(page);
}

const short = (row: readonly number[]): number[] => row.map(value => Number(value.toPrecision(6)));

Object.defineProperty(globalThis, '__pagespaceMeasure', { value: measure, configurable: true });
