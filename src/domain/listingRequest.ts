/** What a caller wants to see of a space, and the space as it is then told. */
import { type ActionFilter, filterActions } from './actionFilter.ts';
import { type ListingLimits, limitActions, type Space } from './space.ts';
import { trimToTokens } from './spaceMarkdown.ts';

export interface ListingRequest extends ListingLimits {
  readonly filter: ActionFilter;
  /** About as many tokens as the list may have as Markdown; null for no such bound. */
  readonly maxTokens: number | null;
}

/**
 * The filter first, then the limits, then the tokens.
 * @param space a space with all of its page's actions
 * @returns `truncated` says whether the limits or the tokens left out what the filter let through
 */
export function applyListing(space: Space, request: ListingRequest): Space {
  const matching = filterActions(space.actions, request.filter);
  const cut = { ...space, actions: limitActions(matching, request) };
  const listed = request.maxTokens === null ? cut : trimToTokens(cut, request.maxTokens);
  return { ...listed, truncated: listed.actions.length < matching.length };
}
