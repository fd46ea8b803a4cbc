/** Gradient-boosted trees while they are learnt, and their prediction. */

/** One inner node: a feature of at most `threshold` leads to `left`, else to `right`; a negative child is the leaf `-1 - child`. */
export type TreeNode = readonly [feature: number, threshold: number, left: number, right: number];

/** A tree of at least one leaf; without nodes it is its first leaf. */
export interface Tree {
  readonly nodes: readonly TreeNode[];
  readonly leaves: readonly number[];
}

/** The sum of `bias` and one leaf of each tree is the log odds of the prediction. */
export interface BoostedTrees {
  readonly bias: number;
  readonly trees: readonly Tree[];
}

/** Returns the share (0 to 1) that the trees predict for a row of features. */
export function predict({ bias, trees }: BoostedTrees, row: readonly number[]): number {
  let sum = bias;
  for (const tree of trees) sum += leafOf(tree, row);
  return 1 / (1 + Math.exp(-sum));
}

/** Returns the value of the leaf to which a row of features leads. */
export function leafOf({ nodes, leaves }: Tree, row: readonly number[]): number {
  let at = nodes.length === 0 ? -1 : 0;
  while (at >= 0) {
    const node = nodes[at];
    if (node === undefined) return 0;
    at = (row[node[0]] ?? 0) <= node[1] ? node[2] : node[3];
  }
  return leaves[-1 - at] ?? 0;
}
