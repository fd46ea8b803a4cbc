import type { Action, ActionKind, ActionStatus } from './action.ts';
import { type ListingLimits, limitActions, placeBeforeListed, type Space } from './space.ts';
import { trimToTokens } from './spaceMarkdown.ts';

/** Default of `max_nb_actions` (specification, section 8). */
export const DEFAULT_MAX_ACTIONS = 100;
/** Maximum of `max_nb_actions`: keeps a response below a few megabytes. */
export const MAX_LISTED_ACTIONS = 10_000;

interface ListingRequest extends ListingLimits {
  readonly filter: ActionFilter;
  /** Approximate maximum size of the list as Markdown, in tokens; null for no limit. */
  readonly maxTokens: number | null;
}

/** Applies the filter, then the limits. @returns the space; `truncated` if a limit left out actions that match the filter */
export function applyListing(space: Space, request: ListingRequest): Space {
  const matching = filterActions(space.actions, request.filter);
  const belowDialog = matching.filter(({ layer }) => layer === 'below').length;
  const actions = limitActions(matching, request);
  const { textBlocks } = space;
  const cut = {
    ...space,
    actions,
    ...(belowDialog > 0 && { belowDialog }),
    ...(textBlocks !== undefined && {
      textBlocks: placeBeforeListed(
        textBlocks,
        space.actions.map(({ id }) => id),
        new Set(actions.map(({ id }) => id)),
      ),
    }),
  };
  const listed = request.maxTokens === null ? cut : trimToTokens(cut, request.maxTokens);
  const truncated = listed.actions.length < matching.length || (listed.omittedTexts ?? 0) > 0;
  return { ...listed, truncated };
}

export interface ActionFilter {
  readonly kinds: readonly ActionKind[] | null;
  readonly status: readonly ActionStatus[] | null;
  /** The action's category must be one of these, as `category` or `space.markdown` write it, ignoring case. */
  readonly categories: readonly string[] | null;
  /** The description must contain this text, ignoring case. */
  readonly search: string | null;
  /** True: only actions that are visible without scrolling. False: only the other actions. Null: both. */
  readonly inViewport: boolean | null;
}

export const NO_FILTER: ActionFilter = {
  kinds: null,
  status: null,
  categories: null,
  search: null,
  inViewport: null,
};

export function filterActions(actions: readonly Action[], filter: ActionFilter): readonly Action[] {
  const { kinds, status, categories, search, inViewport } = filter;
  if (Object.values(filter).every(condition => condition === null)) return actions;
  const wantedCategories =
    categories === null ? null : new Set(categories.map(category => category.toLowerCase()));
  const searchText = search?.toLowerCase() ?? '';
  return actions.filter(
    action =>
      (kinds === null || kinds.includes(action.kind)) &&
      (status === null || status.includes(action.status)) &&
      (wantedCategories === null || isOneOf(wantedCategories, action.category.toLowerCase())) &&
      action.description.toLowerCase().includes(searchText) &&
      (inViewport === null || action.inViewport === inViewport),
  );
}

/** Returns true if the set has the category, or its heading in `space.markdown`: `"news"` for `section "news"`. */
const isOneOf = (wanted: ReadonlySet<string>, category: string): boolean =>
  wanted.has(category) || (category.startsWith('section "') && wanted.has(category.slice('section '.length)));
