/** Makes the judgement of repeated blocks alike: the price of one card is content if those of the others are. */

/** Minimum number of blocks of one path that are judged together. */
const MIN_REPEATED = 3;
/** The part (0 to 1) of a block's share that the other blocks of its path determine. */
const COMMON_PART = 0.5;

/**
 * Moves the share of each block toward the mean of the blocks at the same place of repeated elements.
 * @param words number of words of each block
 * @param paths the path of each block; blocks at the same place of repeated elements have the same
 */
export function consistentShares(
  shares: readonly number[],
  words: readonly number[],
  paths: readonly string[],
): number[] {
  const sums = new Map<string, { share: number; weight: number; count: number }>();
  for (const [at, path] of paths.entries()) {
    const sum = sums.get(path) ?? { share: 0, weight: 0, count: 0 };
    const weight = Math.sqrt((words[at] ?? 0) + 1);
    sum.share += (shares[at] ?? 0) * weight;
    sum.weight += weight;
    sum.count++;
    sums.set(path, sum);
  }
  return shares.map((share, at) => {
    const sum = sums.get(paths[at] ?? '');
    if (sum === undefined || sum.count < MIN_REPEATED) return share;
    return (1 - COMMON_PART) * share + (COMMON_PART * sum.share) / sum.weight;
  });
}
