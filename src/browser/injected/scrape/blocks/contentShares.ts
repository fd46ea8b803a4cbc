/** Predicts the share of each block that is content, by learnt trees and learnt networks together: their errors differ. */
import { documentState } from '../../dom/lifetimes.ts';
import { BLOCK_FEATURES } from './blockFeatures.ts';
import { CONTENT_MODEL } from './contentModel.ts';
import { CONTENT_NETWORKS } from './contentNetworks.ts';

/** Returns the models for rows of `blockFeatures`; read once for each document. */
export const contentModels = documentState.value(
  (): ContentModels => ({
    trees: readModel(JSON.parse(CONTENT_MODEL), BLOCK_FEATURES),
    networks: readNetworks(JSON.parse(CONTENT_NETWORKS), BLOCK_FEATURES),
  }),
);

/** A model as `npm run train:content` writes it. */
export interface LearntModel {
  /** The names of the features that the trees use. */
  readonly features: readonly string[];
  readonly bias: number;
  /** For each tree four numbers for each node (index in `features`, threshold, left, right), then its leaves. */
  readonly trees: readonly (readonly [nodes: readonly number[], leaves: readonly number[]])[];
}

const NUMBERS_PER_NODE = 4;

/**
 * Returns the trees of a model for rows whose features have the names `names`.
 * @throws Error if the model uses a feature that is not among them
 */
export function readModel({ features, bias, trees }: LearntModel, names: readonly string[]): TreeTable {
  const places = features.map(name => {
    const at = names.indexOf(name);
    if (at < 0) throw new Error(`The model uses the unknown feature ${name}.`);
    return at;
  });
  const count = trees.reduce((sum, [nodes]) => sum + nodes.length / NUMBERS_PER_NODE, 0);
  const table = {
    bias,
    roots: new Int32Array(trees.length),
    features: new Uint16Array(count),
    thresholds: new Float64Array(count),
    left: new Int32Array(count),
    right: new Int32Array(count),
    leaves: new Float64Array(trees.flatMap(([, leaves]) => leaves)),
  };
  let node = 0;
  let leaf = 0;
  for (const [at, [numbers, leaves]] of trees.entries()) {
    const first = node;
    const place = (child: number): number => (child < 0 ? child - leaf : first + child);
    table.roots[at] = numbers.length === 0 ? -1 - leaf : first;
    for (let from = 0; from < numbers.length; from += NUMBERS_PER_NODE, node++) {
      table.features[node] = places[numbers[from] ?? 0] ?? 0;
      table.thresholds[node] = numbers[from + 1] ?? 0;
      table.left[node] = place(numbers[from + 2] ?? 0);
      table.right[node] = place(numbers[from + 3] ?? 0);
    }
    leaf += leaves.length;
  }
  return table;
}

/** Networks as `npm run train:content` writes them: all read the same features and have the same number of units. */
export interface LearntNetworks {
  readonly features: readonly string[];
  /** The most common value of each feature, or else its mean; and its standard deviation. */
  readonly middles: readonly number[];
  readonly deviations: readonly number[];
  readonly units: number;
  readonly networks: readonly Readonly<Record<keyof NetworkWeights, PackedWeights>>[];
}

/** Weights as signed bytes in base64, and the value of 1 in them. */
export type PackedWeights = readonly [bytes: string, step: number];

/** Networks that are ready to predict. */
interface Networks {
  readonly weights: readonly NetworkWeights[];
  /** Index of each feature in a row of features. */
  readonly places: readonly number[];
  readonly middles: readonly number[];
  readonly deviations: readonly number[];
}

/**
 * Returns the networks for rows whose features have the names `names`.
 * @throws Error if they use a feature that is not among them
 */
export function readNetworks(learnt: LearntNetworks, names: readonly string[]): Networks {
  const { features, middles, deviations, units, networks } = learnt;
  const places = features.map(name => {
    const at = names.indexOf(name);
    if (at < 0) throw new Error(`The networks use the unknown feature ${name}.`);
    return at;
  });
  const sizes = Object.entries(networkSizes(features.length, units)) as [keyof NetworkWeights, number][];
  const weights = networks.map(packed =>
    Object.fromEntries(sizes.map(([part, size]) => [part, unpack(packed[part], size)])),
  );
  return { weights: weights as unknown as NetworkWeights[], places, middles, deviations };
}

function unpack([bytes, step]: PackedWeights, size: number): Float32Array {
  const text = atob(bytes);
  const weights = new Float32Array(size);
  for (let at = 0; at < size; at++) weights[at] = ((text.charCodeAt(at) << 24) >> 24) * step;
  return weights;
}

/**
 * Returns the blocks of a page as the networks read them.
 * @param rows the features of the blocks, one row of `width` numbers after another
 */
export function networkPage(
  { places, middles, deviations }: Omit<Networks, 'weights'>,
  rows: Readonly<ArrayLike<number>>,
  width: number,
  words: readonly number[],
): NetworkPage {
  const standard = new Float32Array(words.length * places.length);
  let to = 0;
  for (let block = 0; block < words.length; block++)
    for (let at = 0; at < places.length; at++) {
      const value = rows[block * width + (places[at] as number)] as number;
      const deviation = (value - (middles[at] as number)) / (deviations[at] as number);
      standard[to++] = Math.max(-MAX_DEVIATIONS, Math.min(MAX_DEVIATIONS, deviation));
    }
  return { rows: standard, words };
}

/** Trees that are read from a learnt model. A negative node is the leaf `-1 - node`. */
interface TreeTable {
  /** The sum of `bias` and one leaf of each tree is the log odds of the prediction. */
  readonly bias: number;
  /** The first node of each tree. */
  readonly roots: Int32Array;
  /** Index in a row of the feature that each node asks for. */
  readonly features: Uint16Array;
  /** A feature of at most this value leads from a node to `left`, else to `right`. */
  readonly thresholds: Float64Array;
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly leaves: Float64Array;
}

/**
 * Returns the share (0 to 1) that the trees predict for a row of features.
 * @param rows the rows, one after another
 * @param start index of the row's first feature
 */
export function predictShare(table: TreeTable, rows: Readonly<ArrayLike<number>>, start = 0): number {
  const { roots, features, thresholds, left, right, leaves } = table;
  let sum = table.bias;
  for (let tree = 0; tree < roots.length; tree++) {
    let at = roots[tree] as number;
    while (at >= 0)
      at = (
        (rows[start + (features[at] as number)] as number) <= (thresholds[at] as number)
          ? left[at]
          : right[at]
      ) as number;
    sum += leaves[-1 - at] as number;
  }
  return 1 / (1 + Math.exp(-sum));
}

/** The weights of a network. A row has one weight for each unit. */
export interface NetworkWeights {
  /** One row for each feature. */
  readonly first: Float32Array;
  readonly firstBias: Float32Array;
  /** One row: tells how much a block counts for the mean of the page's content. */
  readonly attention: Float32Array;
  readonly attentionBias: Float32Array;
  /** One row for each unit of the block, of the mean of the page, and of the mean of its content. */
  readonly second: Float32Array;
  readonly secondBias: Float32Array;
  /** One row. */
  readonly last: Float32Array;
  readonly lastBias: Float32Array;
}

/** Returns the number of weights in each part of a network. */
export const networkSizes = (features: number, units: number): Record<keyof NetworkWeights, number> => ({
  first: features * units,
  firstBias: units,
  attention: units,
  attentionBias: 1,
  second: 3 * units * units,
  secondBias: units,
  last: units,
  lastBias: 1,
});

/** Standardized features are cut at this value, so that an unusual page stays near to what the network has learnt from. */
const MAX_DEVIATIONS = 3;
/** Keeps the mean of the content defined on a page without any. */
const MIN_WEIGHT = 1e-3;

/** The blocks of a page, as a network reads them. */
export interface NetworkPage {
  /** The standardized features of the blocks, one row after another. */
  readonly rows: Float32Array;
  /** Number of words of each block. */
  readonly words: readonly number[];
}

/** Returns the log odds that each block of a page is content. */
export function networkOdds(weights: NetworkWeights, { rows, words }: NetworkPage): number[] {
  const units = weights.firstBias.length;
  const own = firstLayer(weights, rows, words.length);
  const around = pageMeans(weights, own, words);
  // The means are the same for all blocks: their part of the second layer is computed once.
  const common = Float64Array.from(weights.secondBias);
  for (let from = 0; from < 2 * units; from++) {
    const value = around[from] as number;
    for (let to = 0; to < units; to++)
      common[to] = (common[to] as number) + value * (weights.second[(units + from) * units + to] as number);
  }
  const sums = new Float64Array(units);
  return words.map((_, at) => {
    sums.set(common);
    for (let from = 0; from < units; from++) {
      const value = own[at * units + from] as number;
      if (value === 0) continue;
      for (let to = 0; to < units; to++)
        sums[to] = (sums[to] as number) + value * (weights.second[from * units + to] as number);
    }
    let odds = weights.lastBias[0] as number;
    for (let to = 0; to < units; to++) odds += Math.max(0, sums[to] as number) * (weights.last[to] as number);
    return odds;
  });
}

/** Returns the units of the first layer of all blocks. Blocks that follow one another differ in few features: only these are added. */
function firstLayer({ first, firstBias }: NetworkWeights, rows: Float32Array, blocks: number): Float32Array {
  const units = firstBias.length;
  const width = first.length / units;
  const sums = Float64Array.from(firstBias);
  const found = new Float32Array(blocks * units);
  for (let block = 0; block < blocks; block++) {
    const start = block * width;
    for (let feature = 0; feature < width; feature++) {
      const before = block === 0 ? 0 : (rows[start - width + feature] as number);
      const change = (rows[start + feature] as number) - before;
      if (change === 0) continue;
      const row = feature * units;
      for (let unit = 0; unit < units; unit++)
        sums[unit] = (sums[unit] as number) + change * (first[row + unit] as number);
    }
    for (let unit = 0; unit < units; unit++) found[block * units + unit] = Math.max(0, sums[unit] as number);
  }
  return found;
}

/** Returns the mean of each unit over the page, then over what seems to be its content; longer blocks count more. */
function pageMeans(
  { attention, attentionBias }: NetworkWeights,
  own: Float32Array,
  words: readonly number[],
): Float64Array {
  const units = attention.length;
  const sums = new Float64Array(2 * units);
  let all = 0;
  let content = MIN_WEIGHT;
  for (const [at, count] of words.entries()) {
    const start = at * units;
    let odds = attentionBias[0] as number;
    for (let unit = 0; unit < units; unit++)
      odds += (own[start + unit] as number) * (attention[unit] as number);
    const weight = Math.sqrt(count) + 1;
    const share = weight / (1 + Math.exp(-odds));
    all += weight;
    content += share;
    for (let unit = 0; unit < units; unit++) {
      const value = own[start + unit] as number;
      sums[unit] = (sums[unit] as number) + weight * value;
      sums[units + unit] = (sums[units + unit] as number) + share * value;
    }
  }
  return sums.map((sum, at) => sum / (at < units ? Math.max(1, all) : content));
}

/** The part (0 to 1) of the log odds that the networks determine. */
const NETWORK_PART = 0.6;

/** The learnt models of the content. */
export interface ContentModels {
  readonly trees: TreeTable;
  readonly networks: Networks;
}

/**
 * Returns the share (0 to 1) of each block that is expected to be content.
 * @param rows the features of the blocks, one row of `width` numbers after another
 * @param words number of words of each block
 */
export function contentShares(
  { trees, networks }: ContentModels,
  rows: Readonly<ArrayLike<number>>,
  width: number,
  words: readonly number[],
): number[] {
  const page = networkPage(networks, rows, width, words);
  const odds = networks.weights.map(weights => networkOdds(weights, page));
  return words.map((_, at) => {
    const share = predictShare(trees, rows, at * width);
    const mean = odds.reduce((sum, one) => sum + (one[at] ?? 0), 0) / odds.length;
    const both = NETWORK_PART * mean + (1 - NETWORK_PART) * Math.log(share / (1 - share));
    return 1 / (1 + Math.exp(-both));
  });
}
