/** The fields of a request that select the actions to list. */
import { z } from 'zod';
import { DEFAULT_MAX_ACTIONS, MAX_LISTED_ACTIONS } from '../domain/json.ts';
import type { ActionFilter } from '../domain/space/actionFilter.ts';
import type { ListingOptions } from '../service/pagespace.ts';
import { type Group, type RequestOf, requestFields } from './field.ts';
import { actionKind, actionStatus } from './results/action.ts';

const listedActions = z.int().min(1).max(MAX_LISTED_ACTIONS);

/** The filters of actions. */
export const filterFields = requestFields({
  kinds: { type: [actionKind], description: 'Only actions of these kinds.' },
  status: {
    type: [actionStatus],
    description:
      'Only actions in one of these states. The state valid alone leaves out what is disabled or covered.',
  },
  categories: {
    type: ['String'],
    description:
      'Only actions whose `category` is one of these, ignoring case, as the actions or the headings of `space.markdown` write it.',
  },
  search: {
    type: 'String',
    description: 'Only actions with this text. It stands in their description; case is ignored.',
    check: z.string().max(500, 'must be at most 500 characters'),
  },
  inViewport: {
    type: 'Boolean',
    description: 'Only actions that are visible without scrolling. false: only the others.',
  },
});

const listFields = requestFields({
  max: {
    type: 'Int',
    description: 'Maximum number of actions in the list.',
    check: listedActions,
    default: DEFAULT_MAX_ACTIONS,
    rest: 'max_nb_actions',
  },
  min: {
    type: 'Int',
    description:
      'Stop after the category in which this count is reached. Not above the maximum. Default: list up to the maximum.',
    check: listedActions,
    rest: 'min_nb_actions',
  },
  ...filterFields,
  text: {
    type: 'Boolean',
    description:
      'With the text of the page. It stands between the actions, in `space.markdown` and `space.textBlocks`, within `maxTokens`; the actions are then in document order, not grouped by category.',
    default: false,
  },
  maxTokens: {
    type: 'Int',
    description:
      'Maximum tokens of the list. They are estimated from `space.markdown`. Applies after the filters and the other limits. Default: no limit.',
    check: z.int().min(100).max(1_000_000),
  },
});

/** Selects the actions that observe, step and scrape list. */
export const actionList: Group<typeof listFields> = {
  kind: 'group',
  name: 'ActionListInput',
  description:
    'The actions that `space` lists. The filters apply first, then `max` and `min`, then `maxTokens`. The filters and `max` also apply to `diff`.',
  fields: listFields,
  rule: {
    holds: ({ min, max }) => min == null || Number(min) <= Number(max ?? DEFAULT_MAX_ACTIONS),
    field: 'min',
    message: 'must not be above the maximum',
  },
};

/** Converts filters to those of the domain; an absent one becomes null. */
export const toActionFilter = (input: RequestOf<typeof filterFields>): ActionFilter => ({
  kinds: input.kinds ?? null,
  status: input.status ?? null,
  categories: input.categories ?? null,
  search: input.search ?? null,
  inViewport: input.inViewport ?? null,
});

/** Converts the group to options of the service. */
export const toListingOptions = (input: RequestOf<typeof listFields> | null | undefined): ListingOptions => ({
  max: input?.max ?? DEFAULT_MAX_ACTIONS,
  min: input?.min ?? null,
  filter: toActionFilter(input ?? {}),
  maxTokens: input?.maxTokens ?? null,
  text: input?.text ?? false,
});
