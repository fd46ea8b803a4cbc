/** Reads a learnt model: its trees refer to features by their names, so that a feature that moved keeps its meaning. */
import type { BoostedTrees, TreeNode } from './boostedTrees.ts';

/** A model as `npm run train:content` writes it. */
export interface LearntModel {
  /** The names of the features that the trees use. */
  readonly features: readonly string[];
  readonly bias: number;
  /** For each tree four numbers for each node (index in `features`, threshold, left, right), then its leaves. */
  readonly trees: readonly (readonly [nodes: readonly number[], leaves: readonly number[]])[];
}

/**
 * Returns the trees of a model for rows whose features have the names `names`.
 * @throws Error if the model uses a feature that is not among them
 */
export function readModel({ features, bias, trees }: LearntModel, names: readonly string[]): BoostedTrees {
  const places = features.map(name => {
    const at = names.indexOf(name);
    if (at < 0) throw new Error(`The model uses the unknown feature ${name}.`);
    return at;
  });
  return {
    bias,
    trees: trees.map(([numbers, leaves]) => ({ nodes: nodesOf(numbers, places), leaves })),
  };
}

function nodesOf(numbers: readonly number[], places: readonly number[]): TreeNode[] {
  const nodes: TreeNode[] = [];
  for (let at = 0; at < numbers.length; at += 4)
    nodes.push([
      places[numbers[at] ?? 0] ?? 0,
      numbers[at + 1] ?? 0,
      numbers[at + 2] ?? 0,
      numbers[at + 3] ?? 0,
    ]);
  return nodes;
}
