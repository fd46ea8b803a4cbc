/** Filters for the action list of a page. */
import type { Action, ActionKind } from './action.ts';

/** Conditions that an action must meet to be listed; null for no condition. */
export interface ActionFilter {
  readonly kinds: readonly ActionKind[] | null;
  /** The action's category must be one of these, ignoring case. */
  readonly categories: readonly string[] | null;
  /** The description must contain this text, ignoring case. */
  readonly search: string | null;
  /** True: only actions that are visible without scrolling. False: only the other actions. Null: both. */
  readonly inViewport: boolean | null;
}

/** The filter that every action matches. */
export const NO_FILTER: ActionFilter = { kinds: null, categories: null, search: null, inViewport: null };

/** Returns the actions that match the filter, in their order. */
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
