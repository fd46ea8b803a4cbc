/** A network of two layers that judges each block beside the other blocks of its page, and its prediction. */

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
export const MAX_DEVIATIONS = 3;
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
