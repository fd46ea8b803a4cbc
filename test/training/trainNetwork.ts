/** Trains a network with Adam, on the F1 of the words of whole pages and on each block. */
import {
  type NetworkPage,
  type NetworkWeights,
  networkSizes,
} from '../../src/browser/injected/scrape/blocks/contentShares.ts';
import { emptyGradients, type Gradients, pageGradients } from './networkGradients.ts';

/** A page to learn from. */
export interface NetworkSample extends NetworkPage {
  /** Share of each block that is content. */
  readonly labels: readonly number[];
  /** Weight of the page. */
  readonly weight: number;
}

/** The settings of a training run. */
export interface NetworkOptions {
  readonly units: number;
  /** Number of times that each page is read. */
  readonly epochs: number;
  readonly learningRate: number;
  /** Part of the weights that each step takes away, as a multiple of the learning rate. */
  readonly decay: number;
  /** Share (0 to 1) of the units that a page is read without; half of it of the features. */
  readonly dropout: number;
  readonly seed: number;
}

/** Number of pages whose gradients make one step. */
const BATCH = 4;
/** Number of steps in which the learning rate rises. */
const WARM_UP = 100;
const BETA = 0.9;
const BETA_OF_SQUARES = 0.999;
/** The parts that decay; biases do not. */
const DECAYING: ReadonlySet<keyof NetworkWeights> = new Set<keyof NetworkWeights>([
  'first',
  'second',
  'last',
]);

/** Trains a network. The same pages and options give the same network. */
export function trainNetwork(samples: readonly NetworkSample[], options: NetworkOptions): NetworkWeights {
  const random = randomNumbers(options.seed);
  const features = (samples[0]?.rows.length ?? 0) / (samples[0]?.words.length ?? 1);
  const weights = initialWeights(features, options.units, random);
  const means = emptyGradients(features, options.units);
  const squares = emptyGradients(features, options.units);
  const steps = Math.floor((samples.length / BATCH) * options.epochs);
  const order = samples.map((_, at) => at);
  let sum = emptyGradients(features, options.units);
  let pages = 0;
  let step = 0;
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    shuffle(order, random);
    for (const at of order) {
      pageGradients(weights, samples[at] as NetworkSample, options.dropout, random, sum);
      if (++pages < BATCH) continue;
      step++;
      const rate = options.learningRate * Math.min(1, step / WARM_UP) * Math.max(0, 1 - step / (steps + 1));
      descend(weights, sum, means, squares, rate, options.decay, step);
      sum = emptyGradients(features, options.units);
      pages = 0;
    }
  }
  return weights;
}

function descend(
  weights: NetworkWeights,
  sum: Gradients,
  means: Gradients,
  squares: Gradients,
  rate: number,
  decay: number,
  step: number,
): void {
  for (const part of Object.keys(sum) as (keyof NetworkWeights)[]) {
    const own = weights[part];
    const shrink = DECAYING.has(part) ? decay : 0;
    for (let at = 0; at < own.length; at++) {
      const gradient = (sum[part][at] as number) / BATCH;
      const mean = BETA * (means[part][at] as number) + (1 - BETA) * gradient;
      const square =
        BETA_OF_SQUARES * (squares[part][at] as number) + (1 - BETA_OF_SQUARES) * gradient * gradient;
      means[part][at] = mean;
      squares[part][at] = square;
      const move = mean / (1 - BETA ** step) / (Math.sqrt(square / (1 - BETA_OF_SQUARES ** step)) + 1e-8);
      own[at] = (own[at] as number) - rate * (move + shrink * (own[at] as number));
    }
  }
}

function initialWeights(features: number, units: number, random: () => number): NetworkWeights {
  const sizes = networkSizes(features, units);
  const normal = (size: number, deviation: number) =>
    Float32Array.from({ length: size }, () => {
      const radius = Math.sqrt(-2 * Math.log(1 - random()));
      return deviation * radius * Math.cos(2 * Math.PI * random());
    });
  return {
    first: normal(sizes.first, 0.7 * Math.sqrt(2 / features)),
    firstBias: new Float32Array(units),
    attention: new Float32Array(units),
    attentionBias: Float32Array.of(-0.5),
    second: normal(sizes.second, 0.7 * Math.sqrt(2 / (3 * units))),
    secondBias: new Float32Array(units),
    last: normal(sizes.last, 0.3 * Math.sqrt(2 / units)),
    lastBias: new Float32Array(1),
  };
}

function shuffle(order: number[], random: () => number): void {
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other] as number, order[at] as number];
  }
}

/** Returns numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
