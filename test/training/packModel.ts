/** Writes learnt trees as a TypeScript file. */

import type { LearntModel } from '../../src/browser/injected/scrape/blocks/contentShares.ts';
import type { BoostedTrees } from './boostedTrees.ts';

/**
 * Returns the source of a file that exports models as JSON in one string.
 * @param subject the models, for the comment of the file
 */
export function packModel(
  name: string,
  subject: string,
  models: readonly BoostedTrees[],
  features: readonly string[],
): string {
  const packed = models.map(model => toLearntModel(model, features));
  return modelFile(name, subject, packed.length === 1 ? packed[0] : packed);
}

/** Returns the source of a file that exports a model as JSON in one string. */
export function modelFile(name: string, subject: string, model: unknown): string {
  return `/**
 * Written by \`npm run train:content\`: ${subject}. Learnt from pages of WCXB
 * (Murrough-Foley/web-content-extraction-benchmark, CC-BY-4.0).
 */
export const ${name} =
  '${JSON.stringify(model)}';
`;
}

/** Returns trees as a file has them. */
export function toLearntModel({ bias, trees }: BoostedTrees, features: readonly string[]): LearntModel {
  const used = [...new Set(trees.flatMap(({ nodes }) => nodes.map(([feature]) => feature)))].sort(
    (a, b) => a - b,
  );
  return {
    features: used.map(feature => features[feature] ?? ''),
    bias: short(bias),
    trees: trees.map(({ nodes, leaves }) => [
      nodes.flatMap(([feature, threshold, left, right]) => [used.indexOf(feature), threshold, left, right]),
      leaves.map(short),
    ]),
  };
}

const short = (value: number): number => Number(value.toPrecision(4));
