import { z } from 'zod';
import {
  CHUNKED_PARTS,
  CONTENT_FORMATS,
  CONTENT_PARTS,
  type ContentFormat,
  describeParts,
  FORMAT_PARTS,
  type FormatPart,
} from '../domain/content/contentParts.ts';
import {
  CURSOR_PATTERN,
  DEFAULT_MAX_CHARACTERS,
  DEFAULT_SCREENSHOT,
  HIGHEST_MAX_CHARACTERS,
  LOWEST_MAX_CHARACTERS,
  type ScrapeRequest,
  type ScreenshotFormat,
  type ScreenshotOptions,
} from '../domain/content/scrape.ts';
import type { Json } from '../domain/json.ts';
import { DEFAULT_TIMEOUT_MINUTES } from '../domain/session/session.ts';
import { type ActionFilter, DEFAULT_MAX_ACTIONS, MAX_LISTED_ACTIONS } from '../domain/space/actionFilter.ts';
import {
  DEFAULT_WAIT_FOR_MS,
  DEFAULT_WAIT_MS,
  MAX_WAIT_MS,
  parseWaitCondition,
  WAIT_FOR_GRAMMAR,
} from '../domain/specialActions/specialActionDefinition.ts';
import { isWebAddress, missingInAddress } from '../domain/webAddress.ts';
import type { ListingOptions } from '../service/pagespace.ts';
import { enumTable, FLAT, field, type Group, type RequestOf, requestFields } from './field.ts';
import { type OperationContext, parseSessionId, type Selection } from './operation.ts';
import { actionKind, actionStatus } from './results/space.ts';

const contentFormat = enumTable<ContentFormat>(
  'ContentFormat',
  'A part of the content of a page.',
  describeParts(CONTENT_FORMATS),
);

const partNames = (kind: 'text' | 'list'): string =>
  CHUNKED_PARTS.filter(part => CONTENT_PARTS[part].kind === kind)
    .map(part => `\`${part}\``)
    .join(', ');

const selectors = z.array(z.string().trim().min(1).max(1_000)).max(50);

const contentFields = requestFields({
  onlyMainContent: field(
    'Boolean',
    'Only the main content. Without navigation bars, footers and other boilerplate; what it is, the type of the page tells: the text of an article, the posts of a thread, the cards of a collection, the description and specification of a product. false: the whole visible page.',
    { default: true },
  ),
  formats: field(
    [contentFormat],
    'Make only these parts of `data`. GraphQL makes those of them that you select; by default all that you select. REST by default makes all but `pdf`, and images only with `scrape_images`.',
  ),
  include: field(
    ['String'],
    'CSS selectors: scrape only what is in these elements, and all of it that they show. Shadow roots and frames are searched too.',
    { check: selectors, examples: [['#content']] },
  ),
  exclude: field(['String'], 'CSS selectors of elements to leave out.', {
    check: selectors,
    examples: [['.comments']],
  }),
  keepClasses: field('Boolean', 'true: `mainContent` keeps the attributes `class` and `id`.', {
    default: false,
  }),
  scroll: field(
    'Boolean',
    'true: scroll to the end of an endless or virtual list first, for at most 30 seconds, 200,000 pixels and 5,000 rows, and read all rows. If there are more, `data.incomplete` has `rows`.',
    { default: false },
  ),
  dismissBanners: field(
    'Boolean',
    'true: refuse what a consent banner asks for, if it has a button for that, before the page is read. Nothing is ever accepted.',
    { default: false },
  ),
  extract: field(
    'JSON',
    'A JSON Schema whose parts have a "selector" or "label". It says where the value is, and "attribute" which attribute has it. `{price: {type: "number", selector: ".price"}}`: `data.extracted` has the values; `data.extractErrors` lists those that are missing or do not match the schema.',
    {
      check: z.record(z.string(), z.unknown()),
      examples: [{ price: { type: 'number', selector: '.price' } }],
    },
  ),
  maxCharacters: field(
    'Int',
    `Maximum characters of each text and list. Texts are ${partNames('text')}; the lists ${partNames('list')} count as JSON. If there is more, \`data.truncated\` is true and \`data.cursor\` continues.`,
    {
      check: z.int().min(LOWEST_MAX_CHARACTERS).max(HIGHEST_MAX_CHARACTERS),
      default: DEFAULT_MAX_CHARACTERS,
    },
  ),
  cursor: field('String', 'Continue a response that was cut. It is the `data.cursor` of that response.', {
    check: z.string().regex(CURSOR_PATTERN, 'must be a cursor that a scrape returned'),
  }),
});

export const content: Group<typeof contentFields> = {
  kind: 'group',
  name: 'ContentInput',
  description:
    'The content to extract from the page into `data`. Parts of `data` that you do not select are neither computed nor charged.',
  fields: contentFields,
};

/** The request field `content` of scrape, whose fields REST has among the others. */
export const flatContent = {
  type: content,
  description: 'The content to extract into `data`.',
  rest: FLAT,
} as const;

/** Returns the scrape to do: the parts that the caller selects and `formats` allows. Null if the caller does not select `data`. */
function toScrapeRequest(
  input: RequestOf<typeof contentFields> | null | undefined,
  selection: Selection,
): ScrapeRequest | null {
  if (!selection.has('data')) return null;
  const formats = input?.formats ?? null;
  const parts: Partial<Record<FormatPart, boolean>> = {};
  for (const part of FORMAT_PARTS)
    parts[part] =
      (formats === null || formats.includes(CONTENT_PARTS[part].name)) && selection.has('data', part);
  return {
    ...(parts as Record<FormatPart, boolean>),
    onlyMainContent: input?.onlyMainContent ?? true,
    include: input?.include ?? [],
    exclude: input?.exclude ?? [],
    keepClasses: input?.keepClasses ?? false,
    scroll: input?.scroll ?? false,
    dismissBanners: input?.dismissBanners ?? false,
    extract: (input?.extract ?? null) as Json | null,
    chunk: { maxCharacters: input?.maxCharacters ?? DEFAULT_MAX_CHARACTERS, cursor: input?.cursor ?? null },
  };
}

const listedActions = z.int().min(1).max(MAX_LISTED_ACTIONS);

export const filterFields = requestFields({
  kinds: field([actionKind], 'Only actions of these kinds.'),
  status: field(
    [actionStatus],
    'Only actions in one of these states. The state valid alone leaves out what is disabled or covered.',
  ),
  categories: field(
    ['String'],
    'Only actions whose `category` is one of these, ignoring case, as the actions or the headings of `space.markdown` write it.',
  ),
  search: field('String', 'Only actions with this text. It stands in their description; case is ignored.', {
    check: z.string().max(500, 'must be at most 500 characters'),
  }),
  inViewport: field('Boolean', 'Only actions that are visible without scrolling. false: only the others.'),
});

const listFields = requestFields({
  max: field('Int', 'Maximum number of actions in the list.', {
    check: listedActions,
    default: DEFAULT_MAX_ACTIONS,
    rest: 'max_nb_actions',
  }),
  min: field(
    'Int',
    'Stop after the category in which this count is reached. Not above the maximum. Default: list up to the maximum.',
    { check: listedActions, rest: 'min_nb_actions' },
  ),
  ...filterFields,
  text: field(
    'Boolean',
    'With the text of the page. It stands between the actions, in `space.markdown` and `space.textBlocks`, within `maxTokens`; the actions are then in document order, not grouped by category.',
    { default: false },
  ),
  maxTokens: field(
    'Int',
    'Maximum tokens of the list. They are estimated from `space.markdown`. Applies after the filters and the other limits. Default: no limit.',
    { check: z.int().min(100).max(1_000_000) },
  ),
});

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

const toListingOptions = (input: RequestOf<typeof listFields> | null | undefined): ListingOptions => ({
  max: input?.max ?? DEFAULT_MAX_ACTIONS,
  min: input?.min ?? null,
  filter: toActionFilter(input ?? {}),
  maxTokens: input?.maxTokens ?? null,
  text: input?.text ?? false,
});

const screenshotFormat = enumTable<ScreenshotFormat>(
  'ScreenshotFormat',
  'The image format of a screenshot.',
  {
    png: 'PNG: lossless.',
    jpeg: 'JPEG: smaller, lossy.',
  },
);

const screenshotFields = requestFields({
  take: field(
    'Boolean',
    'false: take no screenshot although the operation selects `screenshot`; the step S3 still takes one. For documents with a fixed selection. Default: true.',
    { rest: null },
  ),
  fullPage: field(
    'Boolean',
    'Capture the whole page instead of the viewport, up to 16,384 pixels in each direction and 32 million pixels in total.',
    { default: DEFAULT_SCREENSHOT.fullPage },
  ),
  format: field(screenshotFormat, 'Image format.', { default: DEFAULT_SCREENSHOT.format }),
  quality: field('Int', 'JPEG quality.', {
    check: z.int().min(1).max(100),
    default: DEFAULT_SCREENSHOT.quality,
  }),
});

const screenshot: Group<typeof screenshotFields> = {
  kind: 'group',
  name: 'ScreenshotInput',
  description: 'Options of the screenshot. The service takes one only if you select `screenshot`.',
  fields: screenshotFields,
};

export const commonFields = requestFields({
  screenshot: field(screenshot, 'Format and area of the screenshot. Default: a PNG of the viewport.', {
    rest: 'screenshot_options',
  }),
  idempotencyKey: field(
    'String',
    'Idempotency key. A repeated request with the same key, fields and selection within 10 minutes returns the stored response, failures included. Two kinds of failures are not stored, so that you can repeat the request: those before any work was done and, except for a step, those of the service itself. The same key with other fields fails with VALIDATION_ERROR. Over HTTP the header `Idempotency-Key` can send it to the REST paths instead.',
    { check: z.string().min(1, 'must not be empty').max(255, 'must be at most 255 characters') },
  ),
});

export function toCommonOptions(
  { screenshot: input, idempotencyKey }: RequestOf<typeof commonFields>,
  { signal }: OperationContext,
  selection: Selection,
) {
  const screenshotOptions: ScreenshotOptions = {
    fullPage: input?.fullPage ?? DEFAULT_SCREENSHOT.fullPage,
    format: input?.format ?? DEFAULT_SCREENSHOT.format,
    quality: input?.quality ?? DEFAULT_SCREENSHOT.quality,
  };
  return {
    screenshot: input?.take !== false && selection.has('screenshot'),
    screenshotOptions,
    idempotencyKey: idempotencyKey ?? null,
    signal,
  };
}

export const timeoutFields = requestFields({
  sessionTimeoutMinutes: field(
    'Int',
    'Idle timeout in minutes: the session times out after this time without an operation. Above 0, below 30, and at most the global timeout of the service. The default is for a new session; an existing one keeps its timeout.',
    {
      check: z.int('must be a whole number of minutes').gt(0, 'must be above 0').lt(30, 'must be below 30'),
      default: DEFAULT_TIMEOUT_MINUTES,
    },
  ),
});

export const keepAliveFields = requestFields({
  keepAlive: field(
    'Boolean',
    'Keep the session active after this operation; false closes it. Default: a session that you name stays active; a session that this operation creates is closed. Over REST, start and close take the field and ignore it.',
    { default: false },
  ),
});

export const waitFields = requestFields({
  waitMs: field(
    'Int',
    `Maximum wait for what the operation has begun (requests, timers, what the page calls loading), and for \`waitFor\`, in milliseconds. Default: ${DEFAULT_WAIT_MS} for the former, ${DEFAULT_WAIT_FOR_MS} for \`waitFor\`. What still goes on then is in \`space.pending\`.`,
    {
      check: z.int(`must be a whole number of milliseconds from 0 to ${MAX_WAIT_MS}`).min(0).max(MAX_WAIT_MS),
    },
  ),
  waitFor: field(
    'String',
    `A condition that must be met before the page is read: ${WAIT_FOR_GRAMMAR}. If it is not met in time, the operation fails with WAIT_TIMEOUT; a step has then been performed.`,
    {
      check: z
        .string()
        .max(1_000, 'must be at most 1,000 characters')
        .refine(text => parseWaitCondition(text) !== null, `must be ${WAIT_FOR_GRAMMAR}`),
      examples: ['text "Saved"'],
    },
  ),
  waitForHandBack: field(
    'Boolean',
    'While a person has the session or is awaited: wait until they hand it back, up to the deadline of the operation, instead of failing with TAKEN_OVER at once.',
    { default: false },
  ),
});

export const pageFields = requestFields({
  ...commonFields,
  ...timeoutFields,
  ...keepAliveFields,
  actions: field(actionList, 'The actions to list in `space`.', { rest: FLAT }),
  content: field(content, 'The content to extract into `data`.', { rest: null }),
  ...waitFields,
  diffSince: field(
    'ID',
    'The id of an earlier observation of this session: the difference then says what has changed since. The service keeps the last eight observations. `last` names the last one, if there is one.',
  ),
});

export const targetFields = requestFields({
  sessionId: field('ID', 'The session. Default: a new one.'),
  url: {
    type: 'String',
    description: 'The URL to open. Default: the current page. It is absolute.',
    check: z
      .string()
      .trim()
      .min(1, 'must not be empty')
      .max(16_384, 'must be at most 16,384 characters')
      .superRefine((text, context) => {
        // Checks only the syntax; the egress policy is checked when the page is opened.
        if (text !== '' && !isWebAddress(text))
          context.addIssue({
            code: 'custom',
            message: missingInAddress(text) ?? 'must be an absolute web address such as https://example.com/',
          });
      }),
  },
});

export const sessionField = { type: 'ID', description: 'The session.', required: true } as const;

export const toPageOptions = (
  request: RequestOf<typeof pageFields>,
  context: OperationContext,
  selection: Selection,
) => ({
  ...toCommonOptions(request, context, selection),
  keepAlive: request.keepAlive ?? null,
  timeoutMinutes: request.sessionTimeoutMinutes ?? null,
  limits: toListingOptions(request.actions),
  diffSince: request.diffSince ?? null,
  waitMs: request.waitMs ?? null,
  waitFor: request.waitFor == null ? null : parseWaitCondition(request.waitFor),
  waitForHandBack: request.waitForHandBack === true,
  data: toScrapeRequest(request.content, selection),
});

/** Converts `targetFields` to options of the service. @throws Failure SESSION_NOT_FOUND */
export const toTarget = ({ sessionId, url }: RequestOf<typeof targetFields>) => ({
  sessionId: sessionId == null ? null : parseSessionId(sessionId),
  url: url ?? null,
});
