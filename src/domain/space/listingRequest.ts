/** Filters and limits of the action list, and their application to a space. */
import { type ActionFilter, filterActions } from './actionFilter.ts';
import { placeBeforeListed } from './pageTextBlock.ts';
import { type ListingLimits, limitActions, type Space } from './space.ts';
import { trimToTokens } from './spaceMarkdown.ts';

/** Request of a caller for the list of actions: filter, limits on their number, limit on their size. */
export interface ListingRequest extends ListingLimits {
  readonly filter: ActionFilter;
  /** Approximate maximum size of the list as Markdown, in tokens; null for no limit. */
  readonly maxTokens: number | null;
}

/**
 * Selects the actions to list: applies the filter, then the limits on their number, then the token limit.
 * @param space a space with all actions of its page
 * @returns the space with the listed actions; `truncated` is true if a limit left out actions that match the filter
 */
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
  return { ...listed, truncated: listed.actions.length < matching.length };
}
