/** What the inputs of the operations share: fields, their rules, and how they become commands. */

import type { InputFieldBuilder } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { ActionKind as Kind } from '../../domain/action.ts';
import {
  DEFAULT_MAX_CHARACTERS,
  HIGHEST_MAX_CHARACTERS,
  LOWEST_MAX_CHARACTERS,
} from '../../domain/contentPart.ts';
import {
  cursorField,
  DEFAULT_MAX_ACTIONS,
  DEFAULT_TIMEOUT_MINUTES,
  HIGHEST_MAX_ACTIONS,
  idempotencyKeyField,
  limitsFit,
  MIN_ABOVE_MAX,
  maxActionsField,
  maxCharactersField,
  maxTokensField,
  minActionsField,
  qualityField,
  searchField,
  timeoutMinutesField,
} from '../../domain/input.ts';
import {
  type ScreenshotFormat as Format,
  type Json,
  type ContentFormat as Part,
  PLAIN_SCREENSHOT,
  type ScrapeRequest,
  type ScreenshotOptions,
} from '../../domain/page.ts';
import type { ListingWish, OperationOptions } from '../../service/verbs.ts';
import type { RequestContext } from '../requestContext.ts';
import { ActionKind } from './action.ts';
import { actionFilter } from './actionFilter.ts';
import { builder } from './builder.ts';
import { selects } from './selection.ts';
import { wordEnum } from './wordEnum.ts';

type Maybe<Value> = Value | null | undefined;
type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;
type Fields = InputFieldBuilder<Types, 'InputObject'>;

const ScreenshotFormat = wordEnum<Format>('ScreenshotFormat', 'How a picture is written.', {
  png: 'PNG: every pixel as it was.',
  jpeg: 'JPEG: smaller.',
});

const ScreenshotOptionsInput = builder.inputType('ScreenshotOptionsInput', {
  description: 'How a screenshot is to be.',
  fields: t => ({
    fullPage: t.boolean({
      description: 'The whole page instead of the viewport, up to 16,384 pixels each way. Default false.',
    }),
    format: t.field({ type: ScreenshotFormat, description: 'Default PNG.' }),
    quality: t.int({
      description: `JPEG's quality, 1 to 100. Default ${PLAIN_SCREENSHOT.quality}.`,
      validate: { type: 'number', schema: qualityField },
    }),
  }),
});

/** keepAlive, screenshot and sessionTimeoutMinutes: every operation takes them. */
export const optionFields = (t: Fields) => ({
  keepAlive: t.boolean({
    description:
      'true: the session stays after this operation. false: it is closed. Absent: a session that you gave stays, one that the operation made is closed. Ignored by start and close.',
  }),
  screenshot: t.boolean({
    description:
      'Whether the field `screenshot` of the answer is made. Default: yes if it is selected; false switches it off.',
  }),
  sessionTimeoutMinutes: t.int({
    description: `Minutes without an operation after which the session times out: above 0, below 30, not above the service's own bound. Default of a new session: ${DEFAULT_TIMEOUT_MINUTES}; an existing one keeps its own.`,
    validate: { type: 'number', schema: timeoutMinutesField },
  }),
  screenshotOptions: t.field({
    type: ScreenshotOptionsInput,
    description: 'How the screenshot is to be. Default: a PNG of the viewport.',
  }),
  idempotencyKey: t.string({
    description:
      'A text of your own that names this request, up to 255 characters. Sent again within ten minutes with the same input and selection, it is not done again: the same answer comes again, unless nothing had been done. With other input it is refused.',
    validate: { type: 'string', schema: idempotencyKeyField },
  }),
});

/** How much to list. */
export const listingFields = (t: Fields) => ({
  maxNbActions: t.int({
    description: `At most this many actions are listed: 1 to ${HIGHEST_MAX_ACTIONS}. Default ${DEFAULT_MAX_ACTIONS}.`,
    validate: { type: 'number', schema: maxActionsField },
  }),
  minNbActions: t.int({
    description: `Listing stops at the first end of a category at or past this count: 1 to ${HIGHEST_MAX_ACTIONS}, not above maxNbActions. Default: it goes on up to maxNbActions.`,
    validate: { type: 'number', schema: minActionsField },
  }),
});

/** Which actions to list, and since when. */
export const filterFields = (t: Fields) => ({
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

const ContentFormat = wordEnum<Part>('ContentFormat', 'A part of the content.', {
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
export const contentFields = (t: Fields) => ({
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
    description: `Longest text of an answer, each of \`mainContent\`, \`markdown\` and \`text\` for itself, and longest list as JSON, each of \`links\`, \`images\` and \`structured\`: ${LOWEST_MAX_CHARACTERS} to ${HIGHEST_MAX_CHARACTERS}. Default ${DEFAULT_MAX_CHARACTERS}. \`data.truncated\` and \`data.cursor\` say when there is more.`,
    validate: { type: 'number', schema: maxCharactersField },
  }),
  cursor: t.string({
    description: 'The `data.cursor` of an earlier answer: the content goes on from there.',
    validate: { type: 'string', schema: cursorField },
  }),
});

const FORMATS = {
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
export const limitsRule = {
  refine: [
    (input: { minNbActions?: Maybe<number>; maxNbActions?: Maybe<number> }) =>
      limitsFit(input.minNbActions, input.maxNbActions),
    { message: MIN_ABOVE_MAX, path: ['minNbActions'] },
  ] as [(input: object) => boolean, { message: string; path: string[] }],
};

/** The options of an operation, as its command says them. */
export function operationOptions(
  input: ScreenshotWish & {
    idempotencyKey?: Maybe<string>;
    keepAlive?: Maybe<boolean>;
    screenshot?: Maybe<boolean>;
    sessionTimeoutMinutes?: Maybe<number>;
  },
  context: RequestContext,
  info: GraphQLResolveInfo,
): OperationOptions {
  return {
    keepAlive: input.keepAlive ?? null,
    timeoutMinutes: input.sessionTimeoutMinutes ?? null,
    screenshot: wantsScreenshot(input, info),
    screenshotOptions: screenshotOptions(input),
    idempotencyKey: input.idempotencyKey ?? null,
    signal: context.signal,
  };
}

/** A picture as it was asked for. */
export const screenshotOptions = ({ screenshotOptions: asked }: ScreenshotWish): ScreenshotOptions => ({
  fullPage: asked?.fullPage ?? PLAIN_SCREENSHOT.fullPage,
  format: asked?.format ?? PLAIN_SCREENSHOT.format,
  quality: asked?.quality ?? PLAIN_SCREENSHOT.quality,
});

interface ScreenshotWish {
  readonly screenshotOptions?: Maybe<{
    readonly fullPage?: Maybe<boolean>;
    readonly format?: Maybe<Format>;
    readonly quality?: Maybe<number>;
  }>;
}

/** Selecting is asking; `screenshot: false` takes it back. */
export const wantsScreenshot = (input: { screenshot?: Maybe<boolean> }, info: GraphQLResolveInfo): boolean =>
  input.screenshot !== false && selects(info, 'screenshot');

export const listingWish = (input: {
  maxNbActions?: Maybe<number>;
  minNbActions?: Maybe<number>;
  kinds?: Maybe<readonly Kind[]>;
  categories?: Maybe<readonly string[]>;
  search?: Maybe<string>;
  inViewport?: Maybe<boolean>;
  maxTokens?: Maybe<number>;
}): ListingWish => ({
  max: input.maxNbActions ?? DEFAULT_MAX_ACTIONS,
  min: input.minNbActions ?? null,
  filter: actionFilter(input),
  maxTokens: input.maxTokens ?? null,
});

/** The parts of the content that the selection asks for; null if it asks for none. */
export function scrapeRequest(
  input: {
    onlyMainContent?: Maybe<boolean>;
    scrapeImages?: Maybe<boolean>;
    formats?: Maybe<readonly Part[]>;
    extract?: unknown;
    maxCharacters?: Maybe<number>;
    cursor?: Maybe<string>;
  },
  info: GraphQLResolveInfo,
): ScrapeRequest | null {
  if (!selects(info, 'data')) return null;
  const allowed = input.formats?.map(format => FORMATS[format] as string);
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
    part: { maxCharacters: input.maxCharacters ?? DEFAULT_MAX_CHARACTERS, cursor: input.cursor ?? null },
  };
}
