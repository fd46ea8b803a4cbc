/** Groups of fields that several REST requests take (specification, section 4). */
import { z } from 'zod';
import { DEFAULT_MAX_CHARACTERS } from '../../../domain/content/contentChunk.ts';
import { CHUNKED_PARTS, CONTENT_FORMATS, CONTENT_PARTS } from '../../../domain/content/contentParts.ts';
import { DEFAULT_SCREENSHOT, SCREENSHOT_FORMATS } from '../../../domain/content/screenshotOptions.ts';
import {
  cursorField,
  DEFAULT_MAX_ACTIONS,
  DEFAULT_TIMEOUT_MINUTES,
  idempotencyKeyField,
  listedActionsField,
  listingLimitsFit,
  MIN_ABOVE_MAX,
  maxCharactersField,
  maxTokensField,
  qualityField,
  searchField,
  timeoutMinutesField,
  waitForField,
  waitMsField,
} from '../../../domain/inputFields.ts';
import { ACTION_KINDS, ACTION_STATUSES } from '../../../domain/space/action.ts';
import {
  DEFAULT_WAIT_FOR_MS,
  DEFAULT_WAIT_MS,
  WAIT_FOR_GRAMMAR,
} from '../../../domain/specialActions/waitCondition.ts';

export const sessionIdField = z
  .string()
  .meta({ description: 'The session_id, as /session/start returned it.' });

/** The request fields of every operation: start, observe, step, scrape and close. */
export const optionFields = {
  keep_alive: z.boolean().nullish().meta({
    description:
      'true: the session stays active after the operation. false: it is closed. Default: a session that the request names stays active; a session that the operation started is closed. start and close ignore this field.',
    default: false,
  }),
  screenshot: z.boolean().nullish().meta({ description: 'Include a screenshot in the response.' }),
  screenshot_options: z
    .strictObject({
      full_page: z.boolean().nullish().meta({
        description:
          'The whole page instead of the viewport, up to 16,384 pixels in each direction and 32 million in total.',
        default: false,
      }),
      format: z.enum(SCREENSHOT_FORMATS).nullish().meta({ default: 'png' }),
      quality: qualityField
        .nullish()
        .meta({ description: 'JPEG quality.', default: DEFAULT_SCREENSHOT.quality }),
    })
    .nullish()
    .meta({ description: 'Size and format of the screenshot. Used only if `screenshot` is true.' }),
  idempotency_key: idempotencyKeyField.nullish().meta({
    description:
      'Idempotency key, up to 255 characters. A repeated request with the same key and fields within 10 minutes returns the stored response; with other fields it is refused. Not stored, so that you can repeat the request: failures before the operation did anything, and errors of the service (except in a step). The header `Idempotency-Key` can send it instead.',
  }),
  session_timeout_minutes: timeoutMinutesField.nullish().meta({
    description:
      'Minutes without an operation after which the session times out: above 0, below 30, and at most the global timeout of the service. The default is for new sessions; an existing session keeps its timeout.',
    default: DEFAULT_TIMEOUT_MINUTES,
  }),
  session_timeout: timeoutMinutesField
    .nullish()
    .meta({ description: 'An alias of session_timeout_minutes. If you send both, they must be equal.' }),
};

/** The request fields that limit the number of listed actions. */
export const listingFields = {
  max_nb_actions: listedActionsField.nullish().meta({
    description: 'Maximum number of actions in the list.',
    default: DEFAULT_MAX_ACTIONS,
  }),
  min_nb_actions: listedActionsField.nullish().meta({
    description: 'Stop after the category in which this count is reached.',
  }),
};

/** The request fields that filter the listed actions, and those that request the difference to an earlier observation. */
export const filterFields = {
  kinds: z.array(z.enum(ACTION_KINDS)).nullish().meta({ description: 'List only actions of these kinds.' }),
  status: z.array(z.enum(ACTION_STATUSES)).nullish().meta({
    description:
      'List only actions in one of these states. `["valid"]` leaves out what is disabled or covered.',
  }),
  categories: z.array(z.string()).nullish().meta({
    description:
      'List only actions of these categories. Write them as `action.category` or the headings of `space.markdown` do.',
  }),
  search: searchField
    .nullish()
    .meta({ description: 'List only actions whose description contains this text. Case is ignored.' }),
  in_viewport: z.boolean().nullish().meta({
    description: 'true: list only actions that are visible without scrolling. false: only the others.',
  }),
  max_tokens: maxTokensField.nullish().meta({
    description:
      'Limits the list to about this many tokens of `space.markdown` (100 to 1,000,000). Applies after the filters and the other limits.',
  }),
  text: z.boolean().nullish().meta({
    description:
      'true: the text of the page stands between the actions, in `space.markdown` and `space.text_blocks`, within max_tokens; the actions are then in document order, not grouped by category.',
    default: false,
  }),
  diff_since: z.string().nullish().meta({
    description:
      'An earlier observation_id of this session: `space.diff` lists what has changed since. The service keeps the last eight. `last` names the last one, if there is one, and is the default if `fields` contains `diff`.',
  }),
  diff_only: z.boolean().nullish().meta({
    description:
      'With diff_since: leave the lists of actions empty, and put the difference into `space.markdown`.',
    default: false,
  }),
};

/** The request fields that say how long an operation waits for the page. */
export const waitFields = {
  wait_ms: waitMsField.nullish().meta({
    description: `Maximum wait for what the operation has begun (requests, timers, what the page calls loading), and for wait_for, in milliseconds. Default: ${DEFAULT_WAIT_MS}, and ${DEFAULT_WAIT_FOR_MS} for wait_for. \`space.pending\` says what still goes on then.`,
  }),
  wait_for: waitForField.nullish().meta({
    description: `A condition that must be met before the page is read: ${WAIT_FOR_GRAMMAR}. If it is not met in time, the operation fails with WAIT_TIMEOUT; a step has then been performed.`,
    examples: ['text "Saved"'],
  }),
};

const partNames = (kind: 'text' | 'list'): string =>
  CHUNKED_PARTS.map(part => CONTENT_PARTS[part])
    .filter(part => part.kind === kind)
    .map(({ name }) => `\`${name}\``)
    .join(', ');

/** The request fields that select the content that a scrape returns. */
export const contentFields = {
  only_main_content: z.boolean().nullish().meta({
    description:
      'true: the main content, without navigation bars, footers and other boilerplate. false: the whole visible page.',
    default: true,
  }),
  scrape_images: z.boolean().nullish().meta({
    description:
      'true: return `data.images`. false: leave them out. Default: return them only if `formats` names `images`.',
    default: false,
  }),
  formats: z.array(z.enum(CONTENT_FORMATS)).nullish().meta({
    description: 'Make only these parts of `data`. Default: all but `pdf`; `images` only with scrape_images.',
  }),
  extract: z
    .record(z.string(), z.unknown())
    .nullish()
    .meta({
      description:
        'A JSON Schema whose parts say where their values are (`selector`, `label`, `attribute`). `data.extracted` has the values; `data.extract_errors` lists those that are missing or do not match the schema.',
      examples: [{ price: { type: 'number', selector: '.price' } }],
    }),
  max_characters: maxCharactersField.nullish().meta({
    description: `Maximum length of each text in the response (${partNames('text')}), and of each list (${partNames('list')}) as JSON, in characters. If there is more, \`data.truncated\` is true and \`data.cursor\` continues.`,
    default: DEFAULT_MAX_CHARACTERS,
  }),
  cursor: cursorField.nullish().meta({
    description: 'Continue the content from the `data.cursor` of an earlier response.',
  }),
};

type Nullish<Value> = Value | null | undefined;

/** Matches the names of `space.diff` and of its fields in the request field `fields`. */
const DIFF_FIELD = /^(space\.)?diff(\.|$)/;

/** Returns true if `fields` names the difference: then `diff_since` is `last` unless the request says otherwise. */
export const wantsDiff = (fields: Nullish<readonly string[]>): boolean =>
  fields?.some(name => DIFF_FIELD.test(name)) === true;

/** Requires `diff_since`, or `diff` in `fields`, if `diff_only` is true. The arguments of zod's `refine`. */
export const diffRule = [
  (body: {
    diff_only?: Nullish<boolean>;
    diff_since?: Nullish<string>;
    fields?: Nullish<readonly string[]>;
  }) => body.diff_only !== true || body.diff_since != null || wantsDiff(body.fields),
  { message: 'needs diff_since', path: ['diff_only'] as PropertyKey[] },
] as const;

/** Requires equal values if a request has both `session_timeout` and `session_timeout_minutes`. The arguments of zod's `refine`. */
export const aliasRule = [
  (body: { session_timeout?: Nullish<number>; session_timeout_minutes?: Nullish<number> }) =>
    body.session_timeout == null ||
    body.session_timeout_minutes == null ||
    body.session_timeout === body.session_timeout_minutes,
  {
    message: 'must be the same as session_timeout_minutes when both are given',
    path: ['session_timeout'] as PropertyKey[],
  },
] as const;

/** Requires `min_nb_actions` not to exceed `max_nb_actions`. The arguments of zod's `refine`. */
export const limitsRule = [
  (body: { min_nb_actions?: Nullish<number>; max_nb_actions?: Nullish<number> }) =>
    listingLimitsFit(body.min_nb_actions, body.max_nb_actions),
  { message: MIN_ABOVE_MAX, path: ['min_nb_actions'] as PropertyKey[] },
] as const;

type Output<Fields extends z.ZodRawShape> = z.output<z.ZodObject<Fields>>;
export type OperationFields = Output<typeof optionFields>;
export type PageFields = OperationFields &
  Output<typeof listingFields> &
  Output<typeof filterFields> &
  Output<typeof waitFields>;
export type ContentFields = Output<typeof contentFields>;
