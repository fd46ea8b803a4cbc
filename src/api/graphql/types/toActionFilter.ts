/** Which actions a caller wants to see. */
import type { ActionKind } from '../../../domain/action.ts';
import type { ActionFilter } from '../../../domain/actionFilter.ts';
import type { Nullish } from '../builder.ts';

/** A filter as a caller wrote it. */
export const toActionFilter = (input: {
  kinds?: Nullish<readonly ActionKind[]>;
  categories?: Nullish<readonly string[]>;
  search?: Nullish<string>;
  inViewport?: Nullish<boolean>;
}): ActionFilter => ({
  kinds: input.kinds ?? null,
  categories: input.categories ?? null,
  search: input.search ?? null,
  inViewport: input.inViewport ?? null,
});
