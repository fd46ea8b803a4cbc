/** The learnt models that tell which share of a block is content. */
import { BLOCK_FEATURES } from './blockFeatures.ts';
import { CONTENT_MODEL } from './contentModel.ts';
import { CONTENT_NETWORKS } from './contentNetworks.ts';
import type { ContentModels } from './contentShares.ts';
import { readModel } from './learntModel.ts';
import { readNetworks } from './learntNetworks.ts';

let models: ContentModels | null = null;

/** Returns the models for rows of `blockFeatures`; read once for each document. */
export function contentModels(): ContentModels {
  models ??= {
    trees: readModel(JSON.parse(CONTENT_MODEL), BLOCK_FEATURES),
    networks: readNetworks(JSON.parse(CONTENT_NETWORKS), BLOCK_FEATURES),
  };
  return models;
}
