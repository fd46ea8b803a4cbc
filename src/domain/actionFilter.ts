/** Asking for less: which of a page's actions a caller wants to see. */
import type { Action, ActionKind } from './action.ts';

/** What an action must be to be listed; null where that does not matter. */
export interface ActionFilter {
  readonly kinds: readonly ActionKind[] | null;
  /** Written as the actions have them, whatever their case. */
  readonly categories: readonly string[] | null;
  /** Part of the description, whatever its case. */
  readonly search: string | null;
  /** true: shows without scrolling; false: does not. */
  readonly inViewport: boolean | null;
}

/** Lets every action through. */
export const NO_FILTER: ActionFilter = { kinds: null, categories: null, search: null, inViewport: null };

/** The actions that the filter lets through, in their order. */
export function filterActions(actions: readonly Action[], filter: ActionFilter): readonly Action[] {
  const { kinds, categories, search, inViewport } = filter;
  if (kinds === null && categories === null && search === null && inViewport === null) return actions;
  const wantedCategories =
    categories === null ? null : new Set(categories.map(category => category.toLowerCase()));
  const searchText = search?.toLowerCase() ?? '';
  return actions.filter(
    action =>
      (kinds === null || kinds.includes(action.kind)) &&
      (wantedCategories === null || wantedCategories.has(action.category.toLowerCase())) &&
      action.description.toLowerCase().includes(searchText) &&
      (inViewport === null || action.inViewport === inViewport),
  );
}
