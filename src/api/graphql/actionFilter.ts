/** Which actions a caller wants to see. */
import type { ActionKind } from '../../domain/action.ts';
import type { ActionFilter } from '../../domain/actionFilter.ts';

type Maybe<Value> = Value | null | undefined;

/** A filter as a caller wrote it. */
export const actionFilter = (wish: {
  kinds?: Maybe<readonly ActionKind[]>;
  categories?: Maybe<readonly string[]>;
  search?: Maybe<string>;
  inViewport?: Maybe<boolean>;
}): ActionFilter => ({
  kinds: wish.kinds ?? null,
  categories: wish.categories ?? null,
  search: wish.search ?? null,
  inViewport: wish.inViewport ?? null,
});
