/** Learns the models of the page type and of the content of blocks, and applies them. */
import { BLOCK_FEATURES } from '../../src/browser/injected/scrape/blocks/blockFeatures.ts';
import { consistentShares } from '../../src/browser/injected/scrape/blocks/blockPasses.ts';
import { chooseBlocks, withoutRepetitions } from '../../src/browser/injected/scrape/blocks/chooseBlocks.ts';
import {
  contentShares,
  type LearntNetworks,
  type Networks,
  networkPage,
} from '../../src/browser/injected/scrape/blocks/contentShares.ts';
import { FAR } from '../../src/browser/injected/scrape/blocks/elementTree.ts';
import { type LearntPageTypes, pageTypeShares } from '../../src/browser/injected/signals/pageTypeShares.ts';
import { PAGE_TYPES } from '../../src/browser/injected/signals/pageTypes.ts';
import { packNetworks } from './packNetworks.ts';
import type { Sample } from './trainingSamples.ts';
import { type NetworkOptions, type NetworkSample, trainNetwork } from './trainNetwork.ts';
import { trainPageTypes } from './trainPageTypes.ts';

/** The models that one training learns. */
export interface LearntModels {
  readonly types: LearntPageTypes;
  readonly networks: LearntNetworks;
}

const NETWORK_OPTIONS: Omit<NetworkOptions, 'seed'> = {
  units: 24,
  epochs: 16,
  learningRate: 0.002,
  decay: 0.01,
  dropout: 0.3,
};
/** Number of networks whose log odds are averaged: what one learns by chance, the others do not. */
const NETWORKS = 4;
const REPEATING = ['in-td', 'in-pre'].map(name => BLOCK_FEATURES.indexOf(name));

/** The share of each type of a page, in the order of `PAGE_TYPES`. */
type Shares = readonly number[];

/** Learns from pages. */
export function learnModels(samples: readonly Sample[], seed: number): LearntModels {
  return {
    types: trainTypes(samples),
    networks: trainNetworks(samples, seed),
  };
}

/** Returns the text of the blocks that the models choose, without the passes that correct them. */
export function contentText({ types }: LearntModels, networks: Networks, sample: Sample): string {
  const { page, words } = sample;
  const ofTypes = typeShares(types, sample);
  const shares = contentShares(networks, page.features.flat(), BLOCK_FEATURES.length, words);
  const chosen = chooseBlocks({ shares: consistentShares(shares, words, page.paths), words });
  const isDocumentation = Math.max(...ofTypes) === ofTypes[PAGE_TYPES.indexOf('documentation')];
  const mayRepeat = page.features.map(row => REPEATING.some(at => (row[at] ?? FAR) < FAR));
  const kept = isDocumentation ? chosen : withoutRepetitions(chosen, { texts: page.texts, words, mayRepeat });
  return page.texts.filter((_, at) => kept[at]).join('\n');
}

const trainTypes = (samples: readonly Sample[]): LearntPageTypes =>
  trainPageTypes(samples.map(({ type, weight, page }) => ({ type, weight, evidence: page.evidence })));

const typeShares = (model: LearntPageTypes, { page }: Sample): Shares => {
  const shares = pageTypeShares(model, page.evidence);
  return PAGE_TYPES.map(type => shares[type]);
};

/** Learns networks from the pages that have content. */
function trainNetworks(samples: readonly Sample[], seed: number): LearntNetworks {
  const pages = samples.filter(({ labels }) => labels.length > 1 && labels.some(label => label > 0.5));
  const rows = pages.map(({ page }) => page.features);
  const scale = scaleOf(rows.flat());
  const standard = { ...scale, places: BLOCK_FEATURES.map((_, at) => at) };
  const learn: NetworkSample[] = pages.map(({ words, labels, weight }, at) => ({
    ...networkPage(standard, rows[at]?.flat() ?? [], BLOCK_FEATURES.length, words),
    labels,
    weight,
  }));
  const weights = Array.from({ length: NETWORKS }, (_, at) =>
    trainNetwork(learn, { ...NETWORK_OPTIONS, seed: seed * NETWORKS + at }),
  );
  return packNetworks(weights, BLOCK_FEATURES, scale);
}

/** A value that more of the blocks have than this is the middle of a feature: most blocks are in no `nav`. */
const COMMON_SHARE = 0.3;

/** Returns the middle of each feature, its most common value or else its mean, and its standard deviation; 1 for one that does not vary. */
function scaleOf(rows: readonly (readonly number[])[]): { middles: number[]; deviations: number[] } {
  const values = BLOCK_FEATURES.map((_, at) => Float64Array.from(rows, row => row[at] ?? 0));
  const means = values.map(one => one.reduce((sum, value) => sum + value, 0) / one.length);
  const deviations = values.map((one, at) =>
    Math.sqrt(one.reduce((sum, value) => sum + (value - (means[at] ?? 0)) ** 2, 0) / one.length),
  );
  const middles = values.map((one, at) => {
    const counts = new Map<number, number>();
    for (const value of one) counts.set(value, (counts.get(value) ?? 0) + 1);
    const [common, count] = [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0]);
    return count > COMMON_SHARE * one.length ? common : short(means[at] ?? 0);
  });
  return { middles, deviations: deviations.map(one => (one < 1e-6 ? 1 : short(one))) };
}

const short = (value: number): number => Number(value.toPrecision(5));
