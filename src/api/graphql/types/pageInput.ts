/** What the inputs of observe, step and scrape share: fields, their rules, and how they become commands. */
import type { GraphQLResolveInfo } from 'graphql';
import type { ActionKind as Kind } from '../../../domain/action.ts';
import {
  DEFAULT_MAX_CHARACTERS,
  HIGHEST_MAX_CHARACTERS,
  LOWEST_MAX_CHARACTERS,
} from '../../../domain/contentChunk.ts';
import type { ContentFormat as Part } from '../../../domain/contentParts.ts';
import {
  cursorField,
  DEFAULT_MAX_ACTIONS,
  listedActionsField,
  listingLimitsFit,
  MAX_LISTED_ACTIONS,
  MIN_ABOVE_MAX,
  maxCharactersField,
  maxTokensField,
  searchField,
} from '../../../domain/inputFields.ts';
import type { Json } from '../../../domain/json.ts';
import type { ScrapeRequest } from '../../../domain/scrapeRequest.ts';
import type { ListingOptions } from '../../../service/pagespace.ts';
import type { RequestContext } from '../requestContext.ts';
import { ActionKind } from './action.ts';
import { domainEnum } from './domainEnum.ts';
import {
  type InputFields,
  type Maybe,
  type OperationInput,
  operationFields,
  toOperationOptions,
} from './operationInput.ts';
import { selects } from './selects.ts';
import { toActionFilter } from './toActionFilter.ts';

/** A number as a reader has it: 10,000. */
const formatCount = (count: number): string => count.toLocaleString('en');

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

const ContentFormat = domainEnum<Part>('ContentFormat', 'A part of the content.', {
  main_content: 'HTML.',
  markdown: 'Markdown.',
  text: 'Plain text.',
  images: 'The images of the page.',
  links: 'The links in the content.',
  structured: 'JSON-LD, microdata and OpenGraph.',
  metadata: 'What the page says about itself.',
  pdf: 'The page as a PDF.',
});

/** What of the content to take. */
const contentFields = (t: InputFields) => ({
  onlyMainContent: t.boolean({
    description:
      'true: only the main content, without navigation bars, footers and the like. false: the visible page. Default true.',
  }),
  scrapeImages: t.boolean({
    description: 'Whether `data.images` is made. Default: yes if it is selected; false switches it off.',
  }),
  formats: t.field({
    type: [ContentFormat],
    description: 'Only these parts of `data` are made, of those that are selected. Default: all of them.',
  }),
  extract: t.field({
    type: 'JSON',
    description:
      'A JSON Schema whose parts say where their value stands (`selector`, `label`, `attribute`): `{price: {type: "number", selector: ".price"}}`. `data.extracted` holds the values, `data.extractErrors` what is missing or does not fit.',
  }),
  maxCharacters: t.int({
    description: `How many characters each text of the answer (\`mainContent\`, \`markdown\`, \`text\`) may have, and each list (\`links\`, \`images\`, \`structured\`) as JSON: ${formatCount(LOWEST_MAX_CHARACTERS)} to ${formatCount(HIGHEST_MAX_CHARACTERS)}. Default ${formatCount(DEFAULT_MAX_CHARACTERS)}. \`data.truncated\` and \`data.cursor\` say when there is more.`,
    validate: { type: 'number', schema: maxCharactersField },
  }),
  cursor: t.string({
    description: 'The `data.cursor` of an earlier answer: the content goes on from there.',
    validate: { type: 'string', schema: cursorField },
  }),
});

const FORMAT_FIELDS = {
  main_content: 'mainContent',
  markdown: 'markdown',
  text: 'text',
  images: 'images',
  links: 'links',
  structured: 'structured',
  metadata: 'metadata',
  pdf: 'pdf',
} as const satisfies Record<Part, string>;

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

interface ContentInput {
  readonly onlyMainContent?: Maybe<boolean>;
  readonly scrapeImages?: Maybe<boolean>;
  readonly formats?: Maybe<readonly Part[]>;
  readonly extract?: unknown;
  readonly maxCharacters?: Maybe<number>;
  readonly cursor?: Maybe<string>;
}

/** The parts of the content that the selection asks for; null if it asks for none. */
function toScrapeRequest(input: ContentInput, info: GraphQLResolveInfo): ScrapeRequest | null {
  if (!selects(info, 'data')) return null;
  const allowed = input.formats?.map(format => FORMAT_FIELDS[format] as string);
  const asked = (part: string) => selects(info, 'data', part) && allowed?.includes(part) !== false;
  return {
    onlyMainContent: input.onlyMainContent ?? true,
    mainContent: asked('mainContent'),
    markdown: asked('markdown'),
    text: asked('text'),
    images: asked('images') && input.scrapeImages !== false,
    links: asked('links'),
    structured: asked('structured'),
    metadata: asked('metadata'),
    pdf: asked('pdf'),
    extract: (input.extract ?? null) as Json | null,
    chunk: { maxCharacters: input.maxCharacters ?? DEFAULT_MAX_CHARACTERS, cursor: input.cursor ?? null },
  };
}

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
