/** Predicts the share of each block that is content, by learnt trees and learnt networks together: their errors differ. */
import { networkOdds } from './denseNetwork.ts';
import { type Networks, networkPage } from './learntNetworks.ts';
import { predictShare, type TreeTable } from './treeTable.ts';

/** The part (0 to 1) of the log odds that the networks determine. */
const NETWORK_PART = 0.6;

/** The learnt models of the content. */
export interface ContentModels {
  readonly trees: TreeTable;
  readonly networks: Networks;
}

/**
 * Returns the share (0 to 1) of each block that is expected to be content.
 * @param rows the features of the blocks, one row of `width` numbers after another
 * @param words number of words of each block
 */
export function contentShares(
  { trees, networks }: ContentModels,
  rows: Readonly<ArrayLike<number>>,
  width: number,
  words: readonly number[],
): number[] {
  const page = networkPage(networks, rows, width, words);
  const odds = networks.weights.map(weights => networkOdds(weights, page));
  return words.map((_, at) => {
    const share = predictShare(trees, rows, at * width);
    const mean = odds.reduce((sum, one) => sum + (one[at] ?? 0), 0) / odds.length;
    const both = NETWORK_PART * mean + (1 - NETWORK_PART) * Math.log(share / (1 - share));
    return 1 / (1 + Math.exp(-both));
  });
}
