/** The learnt model of the type of a page, and its prediction: a linear model of the evidence for each type. */
import { PAGE_TYPES, type PageType, type TypeShares } from './pageTypes.ts';

/** A model as `npm run train:content` writes it. */
export interface LearntPageTypes {
  /** The mean and the standard deviation of each number of the evidence. */
  readonly means: readonly number[];
  readonly deviations: readonly number[];
  /** For each type of `PAGE_TYPES` the weight of each number, then the bias. */
  readonly weights: readonly (readonly number[])[];
}

/** A number of the evidence is cut at this many standard deviations from its mean. */
const MAX_DEVIATIONS = 3;

/** Returns the evidence as the model reads it: numbers around 0, and a 1 for the bias. */
export const standardEvidence = (
  { means, deviations }: Pick<LearntPageTypes, 'means' | 'deviations'>,
  evidence: readonly number[],
): number[] => [
  ...evidence.map((value, at) => {
    const deviation = (value - (means[at] ?? 0)) / (deviations[at] ?? 1);
    return Math.max(-MAX_DEVIATIONS, Math.min(MAX_DEVIATIONS, deviation));
  }),
  1,
];

/** Returns how likely each type is, in the order of `PAGE_TYPES`. */
export function sharesOf(weights: LearntPageTypes['weights'], standard: readonly number[]): number[] {
  const scores = weights.map(own => own.reduce((sum, weight, at) => sum + weight * (standard[at] ?? 0), 0));
  const largest = Math.max(...scores);
  const odds = scores.map(score => Math.exp(score - largest));
  const total = odds.reduce((sum, one) => sum + one, 0);
  return odds.map(one => one / total);
}

/** Returns how likely each type is for a page with this evidence. */
export function pageTypeShares(model: LearntPageTypes, evidence: readonly number[]): TypeShares {
  const shares = sharesOf(model.weights, standardEvidence(model, evidence));
  const entries = PAGE_TYPES.map((type, at): [PageType, number] => [type, shares[at] ?? 0]);
  return Object.fromEntries(entries) as unknown as TypeShares;
}
