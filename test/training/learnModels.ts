/** Learns the models of the page type and of the content of blocks, and applies them. */
import { BLOCK_FEATURES } from '../../src/browser/injected/scrape/blocks/blockFeatures.ts';
import { chooseBlocks } from '../../src/browser/injected/scrape/blocks/chooseBlocks.ts';
import { consistentShares } from '../../src/browser/injected/scrape/blocks/consistentShares.ts';
import { FAR } from '../../src/browser/injected/scrape/blocks/elementTree.ts';
import { withoutRepetitions } from '../../src/browser/injected/scrape/blocks/withoutRepetitions.ts';
import { PAGE_TYPES } from '../../src/browser/injected/signals/pageTypes.ts';
import { type BoostedTrees, predict } from './boostedTrees.ts';
import { type BoostingOptions, trainBoostedTrees } from './gradientBoosting.ts';
import { predictLeftOut } from './siteFolds.ts';
import type { Sample } from './trainingSamples.ts';

/** The models that one training learns. */
export interface LearntModels {
  /** In the order of `PAGE_TYPES`. */
  readonly types: readonly BoostedTrees[];
  readonly content: BoostedTrees;
}

const CONTENT_OPTIONS: Omit<BoostingOptions, 'seed'> = {
  trees: 120,
  leaves: 6,
  learningRate: 0.08,
  minWeight: 8,
  lambda: 5,
  featureShare: 0.3,
  groupShare: 0.7,
};
const TYPE_OPTIONS: Omit<BoostingOptions, 'seed'> = {
  trees: 60,
  leaves: 4,
  learningRate: 0.1,
  minWeight: 1,
  lambda: 2,
  featureShare: 0.5,
  groupShare: 0.8,
};
/** Longer blocks weigh more, but less than their words. */
const LENGTH_EXPONENT = 0.8;
const FIRST_TYPE = BLOCK_FEATURES.indexOf(`type-${PAGE_TYPES[0]}`);
const REPEATING = ['in-td', 'in-pre'].map(name => BLOCK_FEATURES.indexOf(name));

/** The share of each type of a page, in the order of `PAGE_TYPES`. */
type Shares = readonly number[];

/** Learns from pages. The content model reads judgements of the type by models that have not seen the page, as it will later. */
export function learnModels(samples: readonly Sample[], seed: number): LearntModels {
  const types = predictLeftOut(samples, (training, left) => {
    const models = trainTypes(training, seed);
    return left.map(sample => typeShares(models, sample));
  });
  return { types: trainTypes(samples, seed), content: trainContent(samples, types, seed) };
}

/** Returns the text of the blocks that the models choose, without the passes that correct them. */
export function contentText({ types, content }: LearntModels, sample: Sample): string {
  const { page, words } = sample;
  const ofTypes = typeShares(types, sample);
  const shares = rowsOf(sample, ofTypes).map(row => predict(content, row));
  const chosen = chooseBlocks({ shares: consistentShares(shares, words, page.paths), words });
  const isDocumentation = Math.max(...ofTypes) === ofTypes[PAGE_TYPES.indexOf('documentation')];
  const mayRepeat = page.features.map(row => REPEATING.some(at => (row[at] ?? FAR) < FAR));
  const kept = isDocumentation ? chosen : withoutRepetitions(chosen, { texts: page.texts, words, mayRepeat });
  return page.texts.filter((_, at) => kept[at]).join('\n');
}

const trainTypes = (samples: readonly Sample[], seed: number): BoostedTrees[] =>
  PAGE_TYPES.map(type =>
    trainBoostedTrees(
      {
        features: samples.map(({ page }) => page.pageFeatures),
        targets: samples.map(sample => (sample.type === type ? 1 : 0)),
        weights: samples.map(({ weight }) => weight),
        groups: samples.map((_, at) => at),
      },
      { ...TYPE_OPTIONS, seed },
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

function trainContent(
  samples: readonly Sample[],
  types: ReadonlyMap<Sample, Shares>,
  seed: number,
): BoostedTrees {
  const features: number[][] = [];
  const targets: number[] = [];
  const weights: number[] = [];
  const groups: number[] = [];
  for (const [group, sample] of samples.entries()) {
    if (!sample.labels.some(label => label > 0.5)) continue;
    const own = sample.words.map(count => (count + 1) ** LENGTH_EXPONENT);
    const sum = own.reduce((total, one) => total + one, 0);
    for (const [at, row] of rowsOf(sample, types.get(sample) ?? []).entries()) {
      features.push(row);
      targets.push(sample.labels[at] ?? 0);
      weights.push(((own[at] ?? 0) / sum) * 100 * sample.weight);
      groups.push(group);
    }
  }
  return trainBoostedTrees({ features, targets, weights, groups }, { ...CONTENT_OPTIONS, seed });
}
