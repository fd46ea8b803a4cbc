/** Reads one page forward and backward: the gradients of the loss by each weight of a network. */
import { type NetworkWeights, networkSizes } from '../../src/browser/injected/scrape/blocks/contentShares.ts';
import type { NetworkSample } from './trainNetwork.ts';

export type Gradients = Record<keyof NetworkWeights, Float64Array>;

/** Returns gradients of 0. */
export function emptyGradients(features: number, units: number): Gradients {
  const sizes = Object.entries(networkSizes(features, units));
  return Object.fromEntries(
    sizes.map(([part, size]) => [part, new Float64Array(size)]),
  ) as unknown as Gradients;
}

/** Longer blocks weigh more in the loss of the blocks, but less than their words. */
const LENGTH_EXPONENT = 0.8;
/** Weight of the loss of the blocks beside the F1 of the page: a page whose truth is unlike every other pulls less at the F1. */
const BLOCK_WEIGHT = 0.25;
const MIN_WEIGHT = 1e-3;
const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));

/** Adds the gradients of one page to `sum`. Units and features are left out at random. */
export function pageGradients(
  weights: NetworkWeights,
  sample: NetworkSample,
  dropout: number,
  random: () => number,
  sum: Gradients,
): void {
  const units = weights.firstBias.length;
  const blocks = sample.words.length;
  const rows = sample.rows.map(value => (random() < dropout / 2 ? 0 : value));
  const kept = (): Float32Array =>
    Float32Array.from({ length: blocks * units }, () => (random() < dropout ? 0 : 1 / (1 - dropout)));
  const firstKept = kept();
  const secondKept = kept();
  const own = new Float64Array(blocks * units);
  product(rows, weights.first, weights.firstBias, own, units);
  for (let at = 0; at < own.length; at++)
    own[at] = Math.max(0, own[at] as number) * (firstKept[at] as number);
  // The means of the page.
  const lengths = sample.words.map(count => Math.sqrt(count) + 1);
  const all = lengths.reduce((total, one) => total + one, 0);
  const attention = new Float64Array(blocks);
  product(own, weights.attention, weights.attentionBias, attention, 1);
  let content = MIN_WEIGHT;
  const mean = new Float64Array(units);
  const contentMean = new Float64Array(units);
  for (let at = 0; at < blocks; at++) {
    const share = sigmoid(attention[at] as number);
    attention[at] = share;
    const length = lengths[at] as number;
    content += length * share;
    for (let unit = 0; unit < units; unit++) {
      const value = own[at * units + unit] as number;
      mean[unit] = (mean[unit] as number) + (length * value) / all;
      contentMean[unit] = (contentMean[unit] as number) + length * share * value;
    }
  }
  for (let unit = 0; unit < units; unit++) contentMean[unit] = (contentMean[unit] as number) / content;
  const joined = new Float64Array(blocks * 3 * units);
  for (let at = 0; at < blocks; at++) {
    joined.set(own.subarray(at * units, (at + 1) * units), at * 3 * units);
    joined.set(mean, (at * 3 + 1) * units);
    joined.set(contentMean, (at * 3 + 2) * units);
  }
  const second = new Float64Array(blocks * units);
  product(joined, weights.second, weights.secondBias, second, units);
  for (let at = 0; at < second.length; at++)
    second[at] = Math.max(0, second[at] as number) * (secondKept[at] as number);
  const odds = new Float64Array(blocks);
  product(second, weights.last, weights.lastBias, odds, 1);
  // Backward.
  const ofOdds = lossGradient(odds, sample);
  const ofSecond = new Float64Array(second.length);
  addProduct(second, ofOdds, 1, weights.last, sum.last, sum.lastBias, ofSecond);
  for (let at = 0; at < second.length; at++)
    ofSecond[at] = second[at] === 0 ? 0 : (ofSecond[at] as number) * (secondKept[at] as number);
  const ofJoined = new Float64Array(joined.length);
  addProduct(joined, ofSecond, units, weights.second, sum.second, sum.secondBias, ofJoined);
  const ofMeans = new Float64Array(2 * units);
  for (let at = 0; at < blocks; at++)
    for (let unit = 0; unit < 2 * units; unit++)
      ofMeans[unit] = (ofMeans[unit] as number) + (ofJoined[(at * 3 + 1) * units + unit] as number);
  const ofOwn = new Float64Array(own.length);
  const ofAttention = new Float64Array(blocks);
  for (let at = 0; at < blocks; at++) {
    const length = lengths[at] as number;
    const share = attention[at] as number;
    let toContent = 0;
    for (let unit = 0; unit < units; unit++) {
      const place = at * units + unit;
      const ofContent = ofMeans[units + unit] as number;
      ofOwn[place] =
        (ofJoined[at * 3 * units + unit] as number) +
        (length * (ofMeans[unit] as number)) / all +
        (length * share * ofContent) / content;
      toContent += ((own[place] as number) - (contentMean[unit] as number)) * ofContent;
    }
    ofAttention[at] = ((length * toContent) / content) * share * (1 - share);
  }
  addProduct(own, ofAttention, 1, weights.attention, sum.attention, sum.attentionBias, ofOwn);
  for (let at = 0; at < own.length; at++)
    ofOwn[at] = own[at] === 0 ? 0 : (ofOwn[at] as number) * (firstKept[at] as number);
  addProduct(rows, ofOwn, units, weights.first, sum.first, sum.firstBias, null);
}

/** Returns the gradient of the loss by the log odds of each block: 1 - F1 of the words of the page, and `BLOCK_WEIGHT` of the logistic loss of its blocks. */
function lossGradient(odds: Float64Array, { words, labels, weight }: NetworkSample): Float64Array {
  const shares = odds.map(sigmoid);
  let hits = 0;
  let kept = 0;
  let wanted = 0;
  let lengths = 0;
  for (const [at, count] of words.entries()) {
    hits += count * (shares[at] as number) * (labels[at] ?? 0);
    kept += count * (shares[at] as number);
    wanted += count * (labels[at] ?? 0);
    lengths += (count + 1) ** LENGTH_EXPONENT;
  }
  const both = kept + Math.max(1, wanted);
  return shares.map((share, at) => {
    const count = words[at] ?? 0;
    const label = labels[at] ?? 0;
    const ofF1 = (2 * count * label * both - 2 * hits * count) / (both * both);
    const ofBlock = ((count + 1) ** LENGTH_EXPONENT / lengths) * (share - label);
    return weight * (BLOCK_WEIGHT * ofBlock - ofF1 * share * (1 - share));
  });
}

/** Writes rows times weights plus biases to `found`, which has `units` numbers for each row. */
function product(
  rows: Float32Array | Float64Array,
  weights: Float32Array,
  biases: Float32Array,
  found: Float64Array,
  units: number,
): void {
  const sums = new Float64Array(units);
  for (let to = 0, at = 0; to < found.length; to += units) {
    sums.set(biases);
    for (let place = 0; place < weights.length; at++) {
      const value = rows[at] as number;
      if (value === 0) place += units;
      else
        for (let unit = 0; unit < units; unit++, place++)
          sums[unit] = (sums[unit] as number) + value * (weights[place] as number);
    }
    found.set(sums, to);
  }
}

/** Adds the gradients of `product` by its weights, its biases and, unless null, its rows. */
function addProduct(
  rows: Float32Array | Float64Array,
  ofFound: Float64Array,
  units: number,
  weights: Float32Array,
  ofWeights: Float64Array,
  ofBiases: Float64Array,
  ofRows: Float64Array | null,
): void {
  for (let start = 0, at = 0; start < ofFound.length; start += units) {
    const own = ofFound.subarray(start, start + units);
    for (let unit = 0; unit < units; unit++)
      ofBiases[unit] = (ofBiases[unit] as number) + (own[unit] as number);
    for (let place = 0; place < weights.length; place += units, at++) {
      const value = rows[at] as number;
      if (value !== 0)
        for (let unit = 0; unit < units; unit++)
          ofWeights[place + unit] = (ofWeights[place + unit] as number) + value * (own[unit] as number);
      if (ofRows === null) continue;
      let sum = 0;
      for (let unit = 0; unit < units; unit++)
        sum += (weights[place + unit] as number) * (own[unit] as number);
      ofRows[at] = (ofRows[at] as number) + sum;
    }
  }
}
