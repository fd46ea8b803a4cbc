/** The learnt model that tells which share of a block is content. */
import { BLOCK_FEATURES } from './blockFeatures.ts';
import type { BoostedTrees } from './boostedTrees.ts';
import { CONTENT_MODEL } from './contentModel.ts';
import { readModel } from './learntModel.ts';

let trees: BoostedTrees | null = null;

/** Returns the trees for rows of `blockFeatures`; read once for each document. */
export function contentTrees(): BoostedTrees {
  trees ??= readModel(JSON.parse(CONTENT_MODEL), BLOCK_FEATURES);
  return trees;
}
