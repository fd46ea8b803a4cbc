/** Predicts the share of each block that is content, by learnt networks together: what one learnt by chance, the others did not. */
import { documentState } from '../../dom/lifetimes.ts';
import { BLOCK_FEATURES } from './blockFeatures.ts';
import { CONTENT_NETWORKS } from './contentNetworks.ts';

/** Returns the networks for rows of `blockFeatures`; read once for each document. */
export const contentNetworks = documentState.value(
  (): Networks => readNetworks(JSON.parse(CONTENT_NETWORKS), BLOCK_FEATURES),
);

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

export interface Networks {
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
  readonly words: readonly number[];
}

/** Adds a row of weights, each multiplied by `factor`, to the sums. A function of its own, which V8 soon optimizes: most pages are judged once. */
function addRow(sums: Float64Array, weights: Float32Array, start: number, factor: number): void {
  for (let unit = 0; unit < sums.length; unit++)
    sums[unit] = (sums[unit] as number) + factor * (weights[start + unit] as number);
}

/** Returns the log odds that each block of a page is content. */
export function networkOdds(weights: NetworkWeights, { rows, words }: NetworkPage): number[] {
  const units = weights.firstBias.length;
  const own = firstLayer(weights, rows, words.length);
  const around = pageMeans(weights, own, words);
  // The means are the same for all blocks: their part of the second layer is computed once.
  const common = Float64Array.from(weights.secondBias);
  for (const [at, mean] of around.entries()) addRow(common, weights.second, (units + at) * units, mean);
  const sums = new Float64Array(units);
  return words.map((_, block) => {
    sums.set(common);
    for (let unit = 0; unit < units; unit++) {
      const value = own[block * units + unit] as number;
      if (value !== 0) addRow(sums, weights.second, unit * units, value);
    }
    let odds = weights.lastBias[0] as number;
    for (let unit = 0; unit < units; unit++)
      odds += Math.max(0, sums[unit] as number) * (weights.last[unit] as number);
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
      if (change !== 0) addRow(sums, first, feature * units, change);
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
): number[] {
  const units = attention.length;
  const sums = new Float64Array(units);
  const contentSums = new Float64Array(units);
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
    addRow(sums, own, start, weight);
    addRow(contentSums, own, start, share);
  }
  return [...sums.map(sum => sum / Math.max(1, all)), ...contentSums.map(sum => sum / content)];
}

/**
 * Returns the share (0 to 1) of each block that is expected to be content.
 * @param rows the features of the blocks, one row of `width` numbers after another
 * @param words number of words of each block
 */
export function contentShares(
  networks: Networks,
  rows: Readonly<ArrayLike<number>>,
  width: number,
  words: readonly number[],
): number[] {
  const page = networkPage(networks, rows, width, words);
  const odds = networks.weights.map(weights => networkOdds(weights, page));
  return words.map((_, at) => {
    const mean = odds.reduce((sum, one) => sum + (one[at] ?? 0), 0) / odds.length;
    return 1 / (1 + Math.exp(-mean));
  });
}
