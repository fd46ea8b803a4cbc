/** What the inputs of observe, step and scrape share: fields, their rules, and how they become commands. */
import type { GraphQLResolveInfo } from 'graphql';
import type { ActionKind as Kind } from '../../../domain/action.ts';
import {
  DEFAULT_MAX_ACTIONS,
  listedActionsField,
  listingLimitsFit,
  MAX_LISTED_ACTIONS,
  MIN_ABOVE_MAX,
  maxTokensField,
  searchField,
} from '../../../domain/inputFields.ts';
import type { ListingOptions } from '../../../service/pagespace.ts';
import type { RequestContext } from '../requestContext.ts';
import { ActionKind } from './action.ts';
import { type ContentInput, contentFields, toScrapeRequest } from './contentInput.ts';
import { formatCount } from './formatCount.ts';
import {
  type InputFields,
  type Maybe,
  type OperationInput,
  operationFields,
  toOperationOptions,
} from './operationInput.ts';
import { toActionFilter } from './toActionFilter.ts';

/** How much to list. */
const listingFields = (t: InputFields) => ({
  maxNbActions: t.int({
    description: `At most this many actions are listed: 1 to ${formatCount(MAX_LISTED_ACTIONS)}. Default ${DEFAULT_MAX_ACTIONS}.`,
    validate: { type: 'number', schema: listedActionsField },
  }),
  minNbActions: t.int({
    description: `Listing stops at the first end of a category at or past this count: 1 to ${formatCount(MAX_LISTED_ACTIONS)}, not above maxNbActions. Default: it goes on up to maxNbActions.`,
    validate: { type: 'number', schema: listedActionsField },
  }),
});

/** Which actions to list, and since when. */
const filterFields = (t: InputFields) => ({
  kinds: t.field({ type: [ActionKind], description: 'Only actions of these kinds.' }),
  categories: t.stringList({
    description: 'Only actions of these categories, written as the actions have them.',
  }),
  search: t.string({
    description: 'Only actions whose description contains this, whatever its case.',
    validate: { type: 'string', schema: searchField },
  }),
  inViewport: t.boolean({
    description: 'true: only actions that show without scrolling; false: only the others.',
  }),
  maxTokens: t.int({
    description:
      'As many actions as make about so many tokens of `space.markdown`: 100 to 1,000,000. Counted after the filters and the other limits.',
    validate: { type: 'number', schema: maxTokensField },
  }),
  diffSince: t.id({
    description:
      'The id of an earlier observation of this session: `diff` then says what has changed since. The last eight are kept.',
  }),
});

/** The rule between the two limits, for `validate` of an input with `listingFields`. */
export const listingLimitsRule = {
  refine: [
    (input: { minNbActions?: Maybe<number>; maxNbActions?: Maybe<number> }) =>
      listingLimitsFit(input.minNbActions, input.maxNbActions),
    { message: MIN_ABOVE_MAX, path: ['minNbActions'] },
  ] as [(input: object) => boolean, { message: string; path: string[] }],
};

/** Everything that observe, step and scrape take beside what is their own. */
export const pageFields = (t: InputFields) => ({
  ...operationFields(t),
  ...listingFields(t),
  ...filterFields(t),
  ...contentFields(t),
});

interface ListingInput {
  readonly maxNbActions?: Maybe<number>;
  readonly minNbActions?: Maybe<number>;
  readonly kinds?: Maybe<readonly Kind[]>;
  readonly categories?: Maybe<readonly string[]>;
  readonly search?: Maybe<string>;
  readonly inViewport?: Maybe<boolean>;
  readonly maxTokens?: Maybe<number>;
}

const toListingOptions = (input: ListingInput): ListingOptions => ({
  max: input.maxNbActions ?? DEFAULT_MAX_ACTIONS,
  min: input.minNbActions ?? null,
  filter: toActionFilter(input),
  maxTokens: input.maxTokens ?? null,
});

/** What `pageFields` read, as the commands say it. */
export const toPageOptions = (
  input: OperationInput & ListingInput & ContentInput & { readonly diffSince?: Maybe<string> },
  context: RequestContext,
  info: GraphQLResolveInfo,
) => ({
  ...toOperationOptions(input, context, info),
  limits: toListingOptions(input),
  diffSince: input.diffSince ?? null,
  data: toScrapeRequest(input, info),
});
