/** Learns the model of the type of a page: multinomial logistic regression by gradient descent. */
import {
  type LearntPageTypes,
  sharesOf,
  standardEvidence,
} from '../../src/browser/injected/signals/pageTypeShares.ts';
import { PAGE_TYPES, type PageType } from '../../src/browser/injected/signals/pageTypes.ts';

/** A page with its true type. */
export interface TypedPage {
  readonly type: PageType;
  readonly evidence: readonly number[];
  readonly weight: number;
}

const STEPS = 600;
const RATE = 0.5;
/** L2 regularization of the weights. */
const LAMBDA = 0.03;

/** Learns from pages. The same pages give the same model. */
export function trainPageTypes(pages: readonly TypedPage[]): LearntPageTypes {
  const columns = (pages[0]?.evidence ?? []).map((_, at) => pages.map(({ evidence }) => evidence[at] ?? 0));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const means = columns.map(values => short(mean(values)));
  const deviations = columns.map((values, at) => {
    const deviation = Math.sqrt(mean(values.map(value => (value - (means[at] ?? 0)) ** 2)));
    return deviation < 1e-6 ? 1 : short(deviation);
  });
  const rows = pages.map(({ evidence }) => standardEvidence({ means, deviations }, evidence));
  const total = pages.reduce((sum, { weight }) => sum + weight, 0);
  let weights = PAGE_TYPES.map(() => new Array<number>(columns.length + 1).fill(0));
  for (let step = 0; step < STEPS; step++) {
    const slopes = weights.map(own => own.map(weight => LAMBDA * weight));
    for (const [at, row] of rows.entries()) {
      const page = pages[at] as TypedPage;
      for (const [type, share] of sharesOf(weights, row).entries()) {
        const error = ((share - (PAGE_TYPES[type] === page.type ? 1 : 0)) * page.weight) / total;
        const slope = slopes[type] as number[];
        for (let to = 0; to < slope.length; to++)
          slope[to] = (slope[to] as number) + error * (row[to] as number);
      }
    }
    weights = weights.map((own, type) => own.map((weight, at) => weight - RATE * (slopes[type]?.[at] ?? 0)));
  }
  return { means, deviations, weights: weights.map(own => own.map(short)) };
}

const short = (value: number): number => Number(value.toPrecision(4));
