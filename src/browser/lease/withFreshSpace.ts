/** Adds the current list of actions to the failures of a step after which the caller needs it. */
import type { PageObservation } from '../../domain/space/page.ts';
import { suggestionsFirst } from '../../domain/space/staleSuggestions.ts';
import { StaleAction } from '../act/element/staleAction.ts';
import { RefusedValue } from '../act/values/refusedValue.ts';

/** Adds the current list of actions to an ACTION_STALE failure (the most similar ones first) and to a VALUE_REFUSED failure. Returns every other error unchanged. */
export async function withFreshSpace(
  error: unknown,
  observe: () => Promise<PageObservation>,
): Promise<unknown> {
  if (!(error instanceof StaleAction || error instanceof RefusedValue)) return error;
  const space = (await observe().catch(() => null))?.space;
  if (space === undefined) return error;
  if (error instanceof RefusedValue) return error.withContext({ space });
  return error.withContext({ space: { ...space, actions: suggestionsFirst(space.actions, error.target) } });
}
