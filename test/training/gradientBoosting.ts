/** Gradient-boosted trees for a share from 0 to 1 (logistic loss), with histograms of at most 64 bins. */

import { type BoostedTrees, leafOf, type Tree, type TreeNode } from './boostedTrees.ts';

/** The settings of a training run. */
export interface BoostingOptions {
  readonly trees: number;
  readonly leaves: number;
  readonly learningRate: number;
  /** Minimum sum of weights in a leaf. */
  readonly minWeight: number;
  /** L2 regularization of the leaves. */
  readonly lambda: number;
  /** Share (0 to 1) of the features that a tree may use. */
  readonly featureShare: number;
  /** Share (0 to 1) of the groups that a tree is trained with. */
  readonly groupShare: number;
  readonly seed: number;
}

/** Rows of features with the share to learn, a weight, and the group (page) that they belong to. */
export interface TrainingRows {
  readonly features: readonly (readonly number[])[];
  readonly targets: readonly number[];
  readonly weights: readonly number[];
  readonly groups: readonly number[];
}

const MAX_BINS = 64;
const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));

/** Returns numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The borders between the bins of a feature, rising. */
function bordersOf(values: Float64Array): number[] {
  const sorted = values.slice().sort();
  const borders: number[] = [];
  for (let bin = 1; bin < MAX_BINS; bin++) {
    const at = Math.floor((bin * sorted.length) / MAX_BINS);
    const border = sorted[at] ?? 0;
    if (border > (borders.at(-1) ?? Number.NEGATIVE_INFINITY) && border < (sorted.at(-1) ?? 0))
      borders.push(border);
  }
  const distinct = [...new Set(sorted)];
  return distinct.length <= MAX_BINS ? distinct.slice(0, -1) : borders;
}

type MutableNode = [...TreeNode];

interface Split {
  readonly gain: number;
  readonly feature: number;
  readonly bin: number;
}

interface Leaf {
  readonly rows: Int32Array;
  readonly histogram: Float64Array;
  readonly gradient: number;
  readonly hessian: number;
  split: Split | null;
  readonly parent: number;
  readonly isLeft: boolean;
}

/** Trains boosted trees. The same rows and options give the same trees. */
export function trainBoostedTrees(rows: TrainingRows, options: BoostingOptions): BoostedTrees {
  return new Boosting(rows, options).train();
}

class Boosting {
  readonly #options: BoostingOptions;
  readonly #rows: TrainingRows;
  readonly #count: number;
  readonly #width: number;
  readonly #borders: number[][] = [];
  readonly #bins: Uint8Array[] = [];
  readonly #gradients: Float64Array;
  readonly #hessians: Float64Array;
  readonly #scores: Float64Array;
  readonly #random: () => number;

  constructor(rows: TrainingRows, options: BoostingOptions) {
    this.#rows = rows;
    this.#options = options;
    this.#count = rows.features.length;
    this.#width = rows.features[0]?.length ?? 0;
    this.#random = randomNumbers(options.seed);
    this.#gradients = new Float64Array(this.#count);
    this.#hessians = new Float64Array(this.#count);
    this.#scores = new Float64Array(this.#count);
    for (let feature = 0; feature < this.#width; feature++) {
      const values = Float64Array.from(rows.features, row => row[feature] ?? 0);
      const borders = bordersOf(values);
      this.#borders.push(borders);
      this.#bins.push(Uint8Array.from(values, value => lowerBound(borders, value)));
    }
  }

  train(): BoostedTrees {
    const { targets, weights, groups } = this.#rows;
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const mean = targets.reduce((sum, target, at) => sum + target * (weights[at] ?? 0), 0) / total;
    const bias = Math.log(mean / (1 - mean));
    this.#scores.fill(bias);
    const groupCount = Math.max(...groups) + 1;
    const trees: Tree[] = [];
    for (let tree = 0; tree < this.#options.trees; tree++) {
      const inGroup = Array.from({ length: groupCount }, () => this.#random() < this.#options.groupShare);
      const used: number[] = [];
      for (let row = 0; row < this.#count; row++) {
        const share = sigmoid(this.#scores[row] ?? 0);
        const weight = weights[row] ?? 0;
        this.#gradients[row] = weight * (share - (targets[row] ?? 0));
        this.#hessians[row] = weight * Math.max(1e-6, share * (1 - share));
        if (inGroup[groups[row] ?? 0] === true) used.push(row);
      }
      const grown = this.#grow(Int32Array.from(used));
      trees.push(grown);
      for (let row = 0; row < this.#count; row++)
        this.#scores[row] = (this.#scores[row] ?? 0) + leafOf(grown, this.#rows.features[row] ?? []);
    }
    return { bias, trees };
  }

  #grow(rows: Int32Array): Tree {
    const features = Array.from({ length: this.#width }, (_, feature) => feature).filter(
      () => this.#random() < this.#options.featureShare,
    );
    const leaves: Leaf[] = [this.#leaf(rows, features, -1, false, null, null)];
    const nodes: MutableNode[] = [];
    while (leaves.length < this.#options.leaves) {
      let best = -1;
      for (const [at, { split }] of leaves.entries())
        if (split !== null && split.gain > (leaves[best]?.split?.gain ?? 1e-9)) best = at;
      const leaf = leaves[best];
      if (leaf === undefined || leaf.split === null) break;
      const { feature, bin } = leaf.split;
      const bins = this.#bins[feature] as Uint8Array;
      const left = leaf.rows.filter(row => (bins[row] ?? 0) <= bin);
      const right = leaf.rows.filter(row => (bins[row] ?? 0) > bin);
      const index = nodes.length;
      nodes.push([feature, this.#borders[feature]?.[bin] ?? 0, 0, 0]);
      this.#link(nodes, leaf, index);
      const isLeftSmall = left.length < right.length;
      const small = this.#leaf(isLeftSmall ? left : right, features, index, isLeftSmall, null, null);
      const large = this.#leaf(isLeftSmall ? right : left, features, index, !isLeftSmall, leaf, small);
      leaves.splice(best, 1, small, large);
    }
    const { lambda, learningRate } = this.#options;
    for (const [at, leaf] of leaves.entries()) this.#link(nodes, leaf, -1 - at);
    return { nodes, leaves: leaves.map(leaf => (-leaf.gradient / (leaf.hessian + lambda)) * learningRate) };
  }

  #link(nodes: MutableNode[], leaf: Leaf, child: number): void {
    const node = nodes[leaf.parent];
    if (node === undefined) return;
    if (leaf.isLeft) node[2] = child;
    else node[3] = child;
  }

  #leaf(
    rows: Int32Array,
    features: readonly number[],
    parent: number,
    isLeft: boolean,
    whole: Leaf | null,
    sibling: Leaf | null,
  ): Leaf {
    const histogram = new Float64Array(features.length * MAX_BINS * 2);
    if (whole !== null && sibling !== null)
      for (let at = 0; at < histogram.length; at++)
        histogram[at] = (whole.histogram[at] ?? 0) - (sibling.histogram[at] ?? 0);
    else
      for (const [slot, feature] of features.entries()) {
        const bins = this.#bins[feature] as Uint8Array;
        const base = slot * MAX_BINS * 2;
        for (const row of rows) {
          const at = base + (bins[row] as number) * 2;
          histogram[at] = (histogram[at] as number) + (this.#gradients[row] as number);
          histogram[at + 1] = (histogram[at + 1] as number) + (this.#hessians[row] as number);
        }
      }
    let gradient = 0;
    let hessian = 0;
    for (const row of rows) {
      gradient += this.#gradients[row] ?? 0;
      hessian += this.#hessians[row] ?? 0;
    }
    const leaf: Leaf = { rows, histogram, gradient, hessian, split: null, parent, isLeft };
    leaf.split = this.#bestSplit(leaf, features);
    return leaf;
  }

  #bestSplit({ histogram, gradient, hessian }: Leaf, features: readonly number[]): Split | null {
    const { lambda, minWeight } = this.#options;
    const whole = (gradient * gradient) / (hessian + lambda);
    let best: Split | null = null;
    for (const [slot, feature] of features.entries()) {
      let leftGradient = 0;
      let leftHessian = 0;
      const last = this.#borders[feature]?.length ?? 0;
      for (let bin = 0; bin < last; bin++) {
        const at = (slot * MAX_BINS + bin) * 2;
        leftGradient += histogram[at] as number;
        leftHessian += histogram[at + 1] as number;
        const rightHessian = hessian - leftHessian;
        if (leftHessian < minWeight || rightHessian < minWeight) continue;
        const rightGradient = gradient - leftGradient;
        const gain =
          (leftGradient * leftGradient) / (leftHessian + lambda) +
          (rightGradient * rightGradient) / (rightHessian + lambda) -
          whole;
        if (gain > (best?.gain ?? 0)) best = { gain, feature, bin };
      }
    }
    return best;
  }
}

function lowerBound(borders: readonly number[], value: number): number {
  let low = 0;
  let high = borders.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value <= (borders[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}
