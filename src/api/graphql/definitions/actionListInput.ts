/** The input type ActionListInput: selects the actions that observe, step and scrape list. */

import {
  DEFAULT_MAX_ACTIONS,
  listedActionsField,
  listingLimitsFit,
  MAX_LISTED_ACTIONS,
  MIN_ABOVE_MAX,
  maxTokensField,
  searchField,
} from '../../../domain/inputFields.ts';
import type { ActionFilter } from '../../../domain/space/actionFilter.ts';
import type { ListingOptions } from '../../../service/pagespace.ts';
import { builder, type Nullish } from '../builder.ts';
import { ActionKind, ActionStatus } from './action.ts';
import { formatCount } from './formatCount.ts';

/** The GraphQL descriptions of the filters of actions, for ActionListInput and for the arguments of `Space.actions`. */
export const FILTER_DESCRIPTIONS = {
  kinds: 'Only actions of these kinds.',
  status: 'Only actions in one of these states. `[VALID]` leaves out what is disabled or covered.',
  categories:
    'Only actions whose `category` is one of these, ignoring case, as the actions or the headings of `markdown` write it.',
  search: 'Only actions whose description contains this text, ignoring case.',
  inViewport: 'true: only actions that are visible without scrolling. false: only the others.',
} as const;

const COUNT_RANGE = `1 to ${formatCount(MAX_LISTED_ACTIONS)}`;

export const ActionListInput = builder.inputType('ActionListInput', {
  description:
    'The actions that `space` lists. The filters apply first, then `max` and `min`, then `maxTokens`. The filters and `max` also apply to `diff`.',
  validate: {
    refine: [
      ({ min, max }: { min?: Nullish<number>; max?: Nullish<number> }) => listingLimitsFit(min, max),
      { message: MIN_ABOVE_MAX, path: ['min'] },
    ],
  },
  fields: t => ({
    max: t.int({
      description: `Maximum number of actions: ${COUNT_RANGE}. Default ${DEFAULT_MAX_ACTIONS}.`,
      validate: { type: 'number', schema: listedActionsField },
    }),
    min: t.int({
      description: `Stop after the category in which this count is reached: ${COUNT_RANGE}, not above \`max\`. Default: list up to \`max\`.`,
      validate: { type: 'number', schema: listedActionsField },
    }),
    kinds: t.field({ type: [ActionKind], description: FILTER_DESCRIPTIONS.kinds }),
    status: t.field({ type: [ActionStatus], description: FILTER_DESCRIPTIONS.status }),
    categories: t.stringList({ description: FILTER_DESCRIPTIONS.categories }),
    search: t.string({
      description: `${FILTER_DESCRIPTIONS.search} Up to 500 characters.`,
      validate: { type: 'string', schema: searchField },
    }),
    inViewport: t.boolean({ description: FILTER_DESCRIPTIONS.inViewport }),
    text: t.boolean({
      description:
        'true: the text of the page stands between the actions, in `space.markdown` and `space.textBlocks`, within `maxTokens`; the actions are then in document order, not grouped by category. Default: false.',
    }),
    maxTokens: t.int({
      description:
        'Limits the list to about this many tokens of `space.markdown`: 100 to 1,000,000. Default: no limit.',
      validate: { type: 'number', schema: maxTokensField },
    }),
  }),
});

/** Converts the filters of the GraphQL input to an ActionFilter; an absent filter becomes null. */
export const toActionFilter = (
  input: Pick<typeof ActionListInput.$inferInput, keyof ActionFilter>,
): ActionFilter => ({
  kinds: input.kinds ?? null,
  status: input.status ?? null,
  categories: input.categories ?? null,
  search: input.search ?? null,
  inViewport: input.inViewport ?? null,
});

/** Converts the GraphQL input to the options of the service, with the default of `max`. */
export const toListingOptions = (input: Nullish<typeof ActionListInput.$inferInput>): ListingOptions => ({
  max: input?.max ?? DEFAULT_MAX_ACTIONS,
  min: input?.min ?? null,
  filter: toActionFilter(input ?? {}),
  maxTokens: input?.maxTokens ?? null,
  text: input?.text ?? false,
});
