/** The learnt model that tells which share of a block is content. */
import { BLOCK_FEATURES } from './blockFeatures.ts';
import { CONTENT_MODEL } from './contentModel.ts';
import { readModel } from './learntModel.ts';
import type { TreeTable } from './treeTable.ts';

let trees: TreeTable | null = null;

/** Returns the trees for rows of `blockFeatures`; read once for each document. */
export function contentTrees(): TreeTable {
  trees ??= readModel(JSON.parse(CONTENT_MODEL), BLOCK_FEATURES);
  return trees;
}
