/** The pages that the models learn from: their measures, and what of each block is content. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageType } from '../../src/browser/injected/signals/pageTypes.ts';
import { benchmarkPages } from '../support/benchmarkPages.ts';
import { type PageTruth, wordsOf } from '../support/contentScore.ts';
import { blockLabels } from './blockLabels.ts';
import { measurePages } from './measurePages.ts';
import type { MeasuredPage } from './pageEntry.ts';

/** A page with its true content. */
export interface Sample extends PageTruth {
  readonly id: string;
  readonly type: PageType;
  /** True for the half from which the models of the bench learn. */
  readonly isSeen: boolean;
  /** Pages of one site are judged by models that learnt from none of them. */
  readonly site: string;
  /** Weight in the training of the type. */
  readonly weight: number;
  readonly page: MeasuredPage;
  /** Number of words of each block. */
  readonly words: readonly number[];
  /** Share of each block that is content. */
  readonly labels: readonly number[];
}

/** Weight of a page of the second set, which has only articles. */
const ARTICLE_WEIGHT = 0.4;

/**
 * Returns the pages of two folders.
 * @param folder has `html` and `ground-truth`, by type
 * @param articles has `html` and `ground-truth.json`, only articles; may be missing
 * @param cache file that keeps the measures for the next run; null for none
 */
export async function readSamples(folder: string, articles: string, cache: string | null): Promise<Sample[]> {
  const known = benchmarkPages(folder).map(page => ({ ...page, weight: 1 }));
  const more = articlePages(articles);
  const idsOf = (pages: readonly { readonly id: string }[]) => pages.map(({ id }) => id);
  const measured = await measurePages(folder, idsOf(known), cache);
  const measuredArticles =
    more.length === 0 ? new Map() : await measurePages(articles, idsOf(more), cache && `${cache}.articles`);
  return [...known, ...more].flatMap(page => {
    const measures = measured.get(page.id) ?? measuredArticles.get(page.id);
    if (measures === undefined) return [];
    const words = measures.texts.map((text: string) => wordsOf(text).length);
    const site = siteOf(page.url) ?? page.id;
    return [{ ...page, site, page: measures, words, labels: blockLabels(measures.texts, page.content) }];
  });
}

function articlePages(folder: string) {
  const file = join(folder, 'ground-truth.json');
  if (!existsSync(file)) return [];
  const truth = JSON.parse(readFileSync(file, 'utf8')) as Record<
    string,
    { readonly articleBody: string; readonly url: string }
  >;
  return Object.entries(truth).map(([id, { articleBody, url }]) => ({
    id,
    url,
    type: 'article' as const,
    isSeen: true,
    weight: ARTICLE_WEIGHT,
    content: articleBody,
    wanted: [],
    unwanted: [],
  }));
}

/** A second label of at most this length belongs to the suffix: `co.uk`. */
const MAX_SUFFIX_LABEL = 3;

/** Returns the last labels of the host of a URL, which the hosts of one site share; null for what is no URL. */
function siteOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const labels = new URL(url).hostname.split('.');
  const isLongSuffix = labels.length > 2 && (labels.at(-2)?.length ?? 0) <= MAX_SUFFIX_LABEL;
  return labels.slice(isLongSuffix ? -3 : -2).join('.');
}
