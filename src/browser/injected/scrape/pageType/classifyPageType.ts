/** Judges the type of a page by the features of the whole page, with a learnt model. */

import { declaredType } from '../../signals/declaredType.ts';
import type { PageSignals } from '../../signals/pageSignals.ts';
import { PAGE_TYPES, type PageType, type TypeShares } from '../../signals/pageTypes.ts';
import { type LearntModel, readModel } from '../blocks/learntModel.ts';
import { predictShare, type TreeTable } from '../blocks/treeTable.ts';
import { PAGE_FEATURES } from './pageFeatures.ts';
import { PAGE_TYPE_MODELS } from './pageTypeModels.ts';

let models: readonly TreeTable[] | null = null;

/** The trees of each type, in the order of `PAGE_TYPES`; read once for each document. */
function typeTrees(): readonly TreeTable[] {
  const learnt: readonly LearntModel[] = models === null ? JSON.parse(PAGE_TYPE_MODELS) : [];
  models ??= learnt.map(model => readModel(model, PAGE_FEATURES));
  return models;
}

/** Returns how likely each type is, from the features of the page (`pageFeatures`). */
export function classifyPageType(features: readonly number[]): TypeShares {
  const odds = typeTrees().map(trees => predictShare(trees, features));
  const sum = odds.reduce((total, one) => total + one, 0);
  const shares = PAGE_TYPES.map((type, at) => [type, (odds[at] ?? 0) / sum] as const);
  return Object.fromEntries(shares) as unknown as TypeShares;
}

/** The declared types that are surer than the model. An article is declared by pages of every type. */
const SURE_TYPES: ReadonlySet<PageType> = new Set<PageType>(['forum', 'product', 'collection']);

/** Returns the type of a page: the one that it declares, if that is sure, else the one with the largest share. */
export function typeOfPage(signals: PageSignals, types: TypeShares): PageType {
  const declared = declaredType(signals);
  if (declared !== null && SURE_TYPES.has(declared)) return declared;
  return PAGE_TYPES.reduce((best, type) => (types[type] > types[best] ? type : best));
}
