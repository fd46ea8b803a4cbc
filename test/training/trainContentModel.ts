/**
 * Trains the models of the main content and of the page type: `npm run train:content`. Needs the pages in
 * ../shared/data/pages (and ../shared/data/articles); without them it prints that and ends. Learns only from the seen half
 * and prints the word F1 of both: of the seen half by cross-validation, of the other half by the models that it writes.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BLOCK_FEATURES } from '../../src/browser/injected/scrape/blocks/blockFeatures.ts';
import { chooseBlocks } from '../../src/browser/injected/scrape/blocks/chooseBlocks.ts';
import { consistentShares } from '../../src/browser/injected/scrape/blocks/consistentShares.ts';
import { PAGE_FEATURES } from '../../src/browser/injected/scrape/pageType/pageFeatures.ts';
import { PAGE_TYPES, type PageType } from '../../src/browser/injected/signals/pageTypes.ts';
import { benchmarkPages } from '../support/benchmarkPages.ts';
import { type PageTruth, scorePage, wordsOf } from '../support/contentScore.ts';
import { scoreTable } from '../support/scoreTable.ts';
import { blockLabels } from './blockLabels.ts';
import { type BoostedTrees, predict } from './boostedTrees.ts';
import { type BoostingOptions, trainBoostedTrees } from './gradientBoosting.ts';
import { measurePages } from './measurePages.ts';
import { packModel } from './packModel.ts';
import type { MeasuredPage } from './pageEntry.ts';

const FOLDS = 5;
const CONTENT_OPTIONS: BoostingOptions = {
  trees: 120,
  leaves: 6,
  learningRate: 0.08,
  minWeight: 8,
  lambda: 5,
  featureShare: 0.3,
  groupShare: 0.7,
  seed: 1,
};
const TYPE_OPTIONS: BoostingOptions = {
  trees: 60,
  leaves: 4,
  learningRate: 0.1,
  minWeight: 1,
  lambda: 2,
  featureShare: 0.5,
  groupShare: 0.8,
  seed: 1,
};
/** Weight of a page of the second set, which has only articles. */
const ARTICLE_WEIGHT = 0.4;
/** Longer blocks weigh more, but less than their words. */
const LENGTH_EXPONENT = 0.8;
const FIRST_TYPE = BLOCK_FEATURES.indexOf(`type-${PAGE_TYPES[0]}`);
const CODE = 'src/browser/injected/scrape';

interface Sample extends PageTruth {
  readonly id: string;
  readonly type: PageType;
  readonly isSeen: boolean;
  /** Weight in the training of the type. */
  readonly weight: number;
  readonly page: MeasuredPage;
  readonly words: readonly number[];
  readonly labels: readonly number[];
}

const folder = resolve(process.argv[2] ?? '../shared/data/pages');
const articles = resolve(process.argv[3] ?? '../shared/data/articles');
const cache = process.env.MEASURED_PAGES ?? null;

async function readSamples(): Promise<Sample[]> {
  const known = benchmarkPages(folder).map(page => ({ ...page, weight: 1 }));
  const more = articlePages().map(page => ({ ...page, weight: ARTICLE_WEIGHT }));
  const measured = await measurePages(
    folder,
    known.map(({ id }) => id),
    cache,
  );
  const measuredArticles = await measurePages(
    articles,
    more.map(({ id }) => id),
    cache === null ? null : `${cache}.articles`,
  );
  return [...known, ...more].flatMap(page => {
    const measures = measured.get(page.id) ?? measuredArticles.get(page.id);
    if (measures === undefined) return [];
    const words = measures.texts.map(text => wordsOf(text).length);
    return [{ ...page, page: measures, words, labels: blockLabels(measures.texts, page.content) }];
  });
}

function articlePages() {
  const file = join(articles, 'ground-truth.json');
  if (!existsSync(file)) return [];
  const truth = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { articleBody: string }>;
  return Object.entries(truth).map(([id, { articleBody }]) => ({
    id,
    type: 'article' as const,
    isSeen: true,
    content: articleBody,
    wanted: [],
    unwanted: [],
  }));
}

type Shares = readonly number[];

const trainTypes = (samples: readonly Sample[]): BoostedTrees[] =>
  PAGE_TYPES.map(type =>
    trainBoostedTrees(
      {
        features: samples.map(({ page }) => page.pageFeatures),
        targets: samples.map(sample => (sample.type === type ? 1 : 0)),
        weights: samples.map(({ weight }) => weight),
        groups: samples.map((_, at) => at),
      },
      TYPE_OPTIONS,
    ),
  );

function typeShares(models: readonly BoostedTrees[], { page }: Sample): Shares {
  const odds = models.map(model => predict(model, page.pageFeatures));
  const sum = odds.reduce((total, one) => total + one, 0);
  return odds.map(one => one / sum);
}

/** The features of the blocks, with the judgement of the page's type at its place. */
const rowsOf = ({ page }: Sample, types: Shares): number[][] =>
  page.features.map(row => row.map((value, at) => (at < FIRST_TYPE ? value : (types[at - FIRST_TYPE] ?? 0))));

function trainContent(samples: readonly Sample[], types: ReadonlyMap<string, Shares>): BoostedTrees {
  const features: number[][] = [];
  const targets: number[] = [];
  const weights: number[] = [];
  const groups: number[] = [];
  for (const [group, sample] of samples.entries()) {
    if (!sample.labels.some(label => label > 0.5)) continue;
    const own = sample.words.map(count => (count + 1) ** LENGTH_EXPONENT);
    const sum = own.reduce((total, one) => total + one, 0);
    for (const [at, row] of rowsOf(sample, types.get(sample.id) ?? []).entries()) {
      features.push(row);
      targets.push(sample.labels[at] ?? 0);
      weights.push(((own[at] ?? 0) / sum) * 100 * sample.weight);
      groups.push(group);
    }
  }
  return trainBoostedTrees({ features, targets, weights, groups }, CONTENT_OPTIONS);
}

function contentText(model: BoostedTrees, sample: Sample, types: Shares): string {
  const shares = rowsOf(sample, types).map(row => predict(model, row));
  const { words } = sample;
  const isKept = chooseBlocks({ shares: consistentShares(shares, words, sample.page.paths), words });
  return sample.page.texts.filter((_, at) => isKept[at]).join('\n');
}

/** The judgement of each page by models that have not seen it. */
function crossValidate<Value>(
  samples: readonly Sample[],
  predictLeft: (training: Sample[], left: Sample[]) => Map<string, Value>,
): Map<string, Value> {
  const found = new Map<string, Value>();
  for (let fold = 0; fold < FOLDS; fold++) {
    const inFold = (at: number) => at % FOLDS === fold;
    const predicted = predictLeft(
      samples.filter((_, at) => !inFold(at)),
      samples.filter((_, at) => inFold(at)),
    );
    for (const [id, value] of predicted) found.set(id, value);
  }
  return found;
}

async function main(): Promise<void> {
  if (benchmarkPages(folder).length === 0) {
    console.log(`No pages in ${folder}: nothing to learn from.`);
    return;
  }
  const samples = await readSamples();
  const seen = samples.filter(({ isSeen }) => isSeen);
  const unseen = samples.filter(({ isSeen }) => !isSeen);
  const types = crossValidate(seen, (training, left) => {
    const models = trainTypes(training);
    return new Map(left.map(sample => [sample.id, typeShares(models, sample)]));
  });
  const typeModels = trainTypes(seen);
  for (const sample of unseen) types.set(sample.id, typeShares(typeModels, sample));
  const texts = crossValidate(seen, (training, left) => {
    const model = trainContent(training, types);
    return new Map(left.map(one => [one.id, contentText(model, one, types.get(one.id) ?? [])]));
  });
  const model = trainContent(seen, types);
  for (const sample of unseen) texts.set(sample.id, contentText(model, sample, types.get(sample.id) ?? []));
  report('seen half, blocks alone, cross-validated', seen, texts);
  report('unseen half, blocks alone', unseen, texts);
  writeFileSync(
    `${CODE}/pageType/pageTypeModels.ts`,
    packModel(
      'PAGE_TYPE_MODELS',
      'the models of the page types, in the order of `PAGE_TYPES`',
      typeModels,
      PAGE_FEATURES,
    ),
  );
  writeFileSync(
    `${CODE}/blocks/contentModel.ts`,
    packModel('CONTENT_MODEL', 'the model of the share of a block that is content', [model], BLOCK_FEATURES),
  );
}

function report(name: string, samples: readonly Sample[], texts: ReadonlyMap<string, string>): void {
  const pages = samples.filter(({ weight }) => weight === 1);
  console.log(
    scoreTable(
      name,
      pages.map(one => ({ type: one.type, score: scorePage(one, texts.get(one.id) ?? '') })),
    ),
  );
}

await main();
