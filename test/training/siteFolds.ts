/** Cross-validation that never judges a page by models that learnt from its site. */

const FOLDS = 5;

/** A page to judge. */
interface Page {
  readonly type: string;
  readonly site: string;
}

/** Returns what `predict` tells of each page; it gets the pages to learn from, and those of other sites to judge. */
export function predictLeftOut<One extends Page, Value>(
  pages: readonly One[],
  predict: (training: readonly One[], left: readonly One[]) => readonly Value[],
): Map<One, Value> {
  const folds = siteFolds(pages);
  const found = new Map<One, Value>();
  for (const left of folds) {
    const training = folds.filter(fold => fold !== left).flat();
    for (const [at, value] of predict(training, left).entries()) found.set(left[at] as One, value);
  }
  return found;
}

/** Divides pages into folds of about the same number of each type; no site is in two. */
function siteFolds<One extends Page>(pages: readonly One[]): One[][] {
  const sites = Map.groupBy(pages, ({ site }) => site);
  const folds = Array.from({ length: FOLDS }, (): One[] => []);
  const largest = [...sites.values()].sort((a, b) => b.length - a.length);
  for (const group of largest) {
    const types = new Set(group.map(({ type }) => type));
    const size = (fold: readonly One[]) => fold.filter(({ type }) => types.has(type)).length;
    const smallest = folds.reduce((best, fold) =>
      size(fold) < size(best) || (size(fold) === size(best) && fold.length < best.length) ? fold : best,
    );
    smallest.push(...group);
  }
  return folds;
}
