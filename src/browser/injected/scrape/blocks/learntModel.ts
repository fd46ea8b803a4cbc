/** Reads a learnt model: its trees refer to features by their names, so that a feature that moved keeps its meaning. */
import type { TreeTable } from './treeTable.ts';

/** A model as `npm run train:content` writes it. */
export interface LearntModel {
  /** The names of the features that the trees use. */
  readonly features: readonly string[];
  readonly bias: number;
  /** For each tree four numbers for each node (index in `features`, threshold, left, right), then its leaves. */
  readonly trees: readonly (readonly [nodes: readonly number[], leaves: readonly number[]])[];
}

const NUMBERS_PER_NODE = 4;

/**
 * Returns the trees of a model for rows whose features have the names `names`.
 * @throws Error if the model uses a feature that is not among them
 */
export function readModel({ features, bias, trees }: LearntModel, names: readonly string[]): TreeTable {
  const places = features.map(name => {
    const at = names.indexOf(name);
    if (at < 0) throw new Error(`The model uses the unknown feature ${name}.`);
    return at;
  });
  const count = trees.reduce((sum, [nodes]) => sum + nodes.length / NUMBERS_PER_NODE, 0);
  const table = {
    bias,
    roots: new Int32Array(trees.length),
    features: new Uint16Array(count),
    thresholds: new Float64Array(count),
    left: new Int32Array(count),
    right: new Int32Array(count),
    leaves: new Float64Array(trees.flatMap(([, leaves]) => leaves)),
  };
  let node = 0;
  let leaf = 0;
  for (const [at, [numbers, leaves]] of trees.entries()) {
    const first = node;
    const place = (child: number): number => (child < 0 ? child - leaf : first + child);
    table.roots[at] = numbers.length === 0 ? -1 - leaf : first;
    for (let from = 0; from < numbers.length; from += NUMBERS_PER_NODE, node++) {
      table.features[node] = places[numbers[from] ?? 0] ?? 0;
      table.thresholds[node] = numbers[from + 1] ?? 0;
      table.left[node] = place(numbers[from + 2] ?? 0);
      table.right[node] = place(numbers[from + 3] ?? 0);
    }
    leaf += leaves.length;
  }
  return table;
}
