/** Learnt gradient-boosted trees in flat arrays, and their prediction. */

/** Trees that are read from a learnt model. A negative node is the leaf `-1 - node`. */
export interface TreeTable {
  /** The sum of `bias` and one leaf of each tree is the log odds of the prediction. */
  readonly bias: number;
  /** The first node of each tree. */
  readonly roots: Int32Array;
  /** Index in a row of the feature that each node asks for. */
  readonly features: Uint16Array;
  /** A feature of at most this value leads from a node to `left`, else to `right`. */
  readonly thresholds: Float64Array;
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly leaves: Float64Array;
}

/**
 * Returns the share (0 to 1) that the trees predict for a row of features.
 * @param rows the rows, one after another
 * @param start index of the row's first feature
 */
export function predictShare(table: TreeTable, rows: Readonly<ArrayLike<number>>, start = 0): number {
  const { roots, features, thresholds, left, right, leaves } = table;
  let sum = table.bias;
  for (let tree = 0; tree < roots.length; tree++) {
    let at = roots[tree] as number;
    while (at >= 0)
      at = (
        (rows[start + (features[at] as number)] as number) <= (thresholds[at] as number)
          ? left[at]
          : right[at]
      ) as number;
    sum += leaves[-1 - at] as number;
  }
  return 1 / (1 + Math.exp(-sum));
}
