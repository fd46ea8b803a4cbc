/** What a caller wants to see of a space, and the space as it is then told. */
import { type ActionFilter, filtered } from './actionFilter.ts';
import { type ListingLimits, listing, type Space } from './space.ts';
import { withinTokens } from './spaceMarkdown.ts';

export interface ListingRequest extends ListingLimits {
  readonly filter: ActionFilter;
  /** About as many tokens as the list may have as Markdown; null for no such bound. */
  readonly maxTokens: number | null;
}

/**
 * The filter first, then the limits, then the tokens.
 * @param whole a space with all of its page's actions
 * @returns `truncated` says whether the limits or the tokens left out what the filter let through
 */
export function listed(whole: Space, request: ListingRequest): Space {
  const wanted = filtered(whole.actions, request.filter);
  const cut = { ...whole, actions: listing(wanted, request) };
  const told = request.maxTokens === null ? cut : withinTokens(cut, request.maxTokens);
  return { ...told, truncated: told.actions.length < wanted.length };
}
