/** Which actions a caller wants to see. */
import type { ActionKind } from '../../../domain/action.ts';
import type { ActionFilter } from '../../../domain/actionFilter.ts';

type Maybe<Value> = Value | null | undefined;

/** A filter as a caller wrote it. */
export const toActionFilter = (input: {
  kinds?: Maybe<readonly ActionKind[]>;
  categories?: Maybe<readonly string[]>;
  search?: Maybe<string>;
  inViewport?: Maybe<boolean>;
}): ActionFilter => ({
  kinds: input.kinds ?? null,
  categories: input.categories ?? null,
  search: input.search ?? null,
  inViewport: input.inViewport ?? null,
});
