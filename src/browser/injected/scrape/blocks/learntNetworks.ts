/** Reads learnt networks: they refer to features by their names, so that a feature that moved keeps its meaning. */
import { MAX_DEVIATIONS, type NetworkPage, type NetworkWeights, networkSizes } from './denseNetwork.ts';

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
