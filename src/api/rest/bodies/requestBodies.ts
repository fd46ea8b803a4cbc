/** What callers send over REST (specification, section 4). null counts as absent; unknown fields are named and refused. */
import { z } from 'zod';
import { ACTION_KINDS } from '../../../domain/action.ts';
import { DEFAULT_MAX_CHARACTERS } from '../../../domain/contentChunk.ts';
import { CHUNKED_PARTS, CONTENT_FORMATS, CONTENT_PARTS } from '../../../domain/contentParts.ts';
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
  PASSWORD_WITHOUT_USERNAME,
  proxyPasswordField,
  proxyServerField,
  proxyUserField,
  qualityField,
  searchField,
  spendCapField,
  timeoutMinutesField,
} from '../../../domain/inputFields.ts';
import { DEFAULT_SCREENSHOT, SCREENSHOT_FORMATS } from '../../../domain/screenshotOptions.ts';
import { SESSION_STATUSES } from '../../../domain/session.ts';

const sessionId = z.string().meta({ description: 'The session, as start answered it.' });

const optionFields = {
  keep_alive: z.boolean().nullish().meta({
    description:
      'If true, the session is not closed after the operation. A session that you name stays unless this is false.',
    default: false,
  }),
  screenshot: z.boolean().nullish().meta({ description: 'Whether to include a screenshot in the response.' }),
  screenshot_options: z
    .strictObject({
      full_page: z.boolean().nullish().meta({
        description:
          'The whole page instead of the viewport, up to 16,384 pixels each way and 32 million in all.',
        default: false,
      }),
      format: z.enum(SCREENSHOT_FORMATS).nullish().meta({ default: 'png' }),
      quality: qualityField
        .nullish()
        .meta({ description: "JPEG's quality.", default: DEFAULT_SCREENSHOT.quality }),
    })
    .nullish()
    .meta({ description: 'How the screenshot is to be, where `screenshot` asks for one.' }),
  idempotency_key: idempotencyKeyField.nullish().meta({
    description:
      'A text of your own that names this request. Sent again within ten minutes with the same fields, it is not done again: the same answer comes again. A failure that came before anything was done, or (but for a step) was the fault of the service, is not kept: the request may be sent again. With other fields it is refused.',
  }),
  session_timeout_minutes: timeoutMinutesField.nullish().meta({
    description: 'Minutes without an operation after which the session times out: above 0, below 30.',
    default: DEFAULT_TIMEOUT_MINUTES,
  }),
  session_timeout: timeoutMinutesField
    .nullish()
    .meta({ description: 'The same as session_timeout_minutes.' }),
};

const listingFields = {
  max_nb_actions: listedActionsField.nullish().meta({
    description: 'Maximum number of actions listed; listing stops at this count.',
    default: DEFAULT_MAX_ACTIONS,
  }),
  min_nb_actions: listedActionsField.nullish().meta({
    description: 'Minimum number of actions to list before stopping, at the end of a category.',
  }),
};

const filterFields = {
  kinds: z.array(z.enum(ACTION_KINDS)).nullish().meta({ description: 'Only actions of these kinds.' }),
  categories: z
    .array(z.string())
    .nullish()
    .meta({ description: 'Only actions of these categories, written as the actions have them.' }),
  search: searchField
    .nullish()
    .meta({ description: 'Only actions whose description contains this, whatever its case.' }),
  in_viewport: z.boolean().nullish().meta({
    description: 'true: only actions that show without scrolling; false: only the others.',
  }),
  max_tokens: maxTokensField.nullish().meta({
    description:
      'As many actions as make about so many tokens of `space.markdown`, counted after the filters and the other limits.',
  }),
  diff_since: z.string().nullish().meta({
    description:
      'An earlier observation_id of this session: `space.diff` then says what has changed since. The last eight are kept.',
  }),
  diff_only: z.boolean().nullish().meta({
    description:
      'With diff_since: the lists of actions stay empty, and `space.markdown` is that of the difference.',
    default: false,
  }),
};

const diffRule = [
  (body: { diff_only?: boolean | null | undefined; diff_since?: string | null | undefined }) =>
    body.diff_only !== true || body.diff_since != null,
  { message: 'needs diff_since', path: ['diff_only'] as PropertyKey[] },
] as const;

const partNames = (kind: 'text' | 'list'): string =>
  CHUNKED_PARTS.map(part => CONTENT_PARTS[part])
    .filter(part => part.kind === kind)
    .map(({ name }) => `\`${name}\``)
    .join(', ');

const contentFields = {
  only_main_content: z.boolean().nullish().meta({
    description:
      'true: the main content, without navigation bars, footers and other boilerplate. false: the whole visible page.',
    default: true,
  }),
  scrape_images: z.boolean().nullish().meta({
    description: 'Return `data.images`. Naming `images` in `formats` does the same.',
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

const aliasRule = [
  (body: {
    session_timeout?: number | null | undefined;
    session_timeout_minutes?: number | null | undefined;
  }) =>
    body.session_timeout == null ||
    body.session_timeout_minutes == null ||
    body.session_timeout === body.session_timeout_minutes,
  {
    message: 'must be the same as session_timeout_minutes when both are given',
    path: ['session_timeout'] as PropertyKey[],
  },
] as const;

const limitsRule = [
  (body: { min_nb_actions?: number | null | undefined; max_nb_actions?: number | null | undefined }) =>
    listingLimitsFit(body.min_nb_actions, body.max_nb_actions),
  { message: MIN_ABOVE_MAX, path: ['min_nb_actions'] as PropertyKey[] },
] as const;

export const StartBody = z
  .strictObject({
    ...optionFields,
    session_id: z
      .null('must be absent or null: a session_id is made by the service')
      .optional()
      .meta({ description: 'Must be absent or null: a new session is always created.' }),
    spend_cap_micros: spendCapField.nullish().meta({
      description: 'What may be charged for the session in all, in micro-units; any amount when absent.',
    }),
    proxy: z
      .strictObject({
        server: proxyServerField.meta({
          description: 'Its address, http, https or socks5.',
          examples: ['http://proxy.example:3128'],
        }),
        username: proxyUserField
          .nullish()
          .meta({ description: 'The user name, where the proxy asks for one. Never told again.' }),
        password: proxyPasswordField
          .nullish()
          .meta({ description: "The user's password. Never told again." }),
      })
      .refine(({ username, password }) => password == null || username != null, {
        message: PASSWORD_WITHOUT_USERNAME,
        path: ['password'],
      })
      .nullish()
      .meta({ description: 'A proxy of your own, through which the pages of the session reach the web.' }),
  })
  .refine(...aliasRule)
  .meta({ id: 'StartRequest' });

const url = z.string().nullish().meta({ description: 'The page to open; the current page if absent.' });
const optionalSession = z
  .string()
  .nullish()
  .meta({ description: 'The session; a new one is created if absent.' });

export const ObserveBody = z
  .strictObject({ session_id: optionalSession, url, ...optionFields, ...listingFields, ...filterFields })
  .refine(...aliasRule)
  .refine(...limitsRule)
  .refine(...diffRule)
  .meta({ id: 'ObserveRequest' });

export const StepBody = z
  .strictObject({
    session_id: sessionId,
    action_id: z.string().meta({ description: 'An action as the last space listed it.', examples: ['B1'] }),
    value: z.string().nullish().meta({ description: 'What to enter or choose.' }),
    enter: z.boolean().nullish().meta({ description: 'Press Enter after filling.', default: false }),
    ...optionFields,
    ...listingFields,
    ...filterFields,
  })
  .refine(...aliasRule)
  .refine(...limitsRule)
  .refine(...diffRule)
  .meta({ id: 'StepRequest' });

export const ScrapeBody = z
  .strictObject({
    session_id: optionalSession,
    url,
    ...optionFields,
    ...listingFields,
    ...filterFields,
    ...contentFields,
  })
  .refine(...aliasRule)
  .refine(...limitsRule)
  .refine(...diffRule)
  .meta({ id: 'ScrapeRequest' });

export const CloseBody = z
  .strictObject({ session_id: sessionId, ...optionFields })
  .refine(...aliasRule)
  .meta({ id: 'CloseRequest' });

export const ReadQuery = z.strictObject({ session_id: sessionId });

export const DownloadQuery = z.strictObject({
  session_id: sessionId,
  download_id: z
    .string()
    .meta({ description: 'A download, as the list of downloads has it.', examples: ['D1'] }),
});

export const UploadQuery = z.strictObject({
  session_id: sessionId,
  name: z.string().max(1_000, 'must be at most 1,000 characters').optional().meta({
    description: 'What the file is called. The header X-File-Name, percent-encoded, says the same.',
  }),
});

/** Query strings are text: numbers are read, lists are separated by commas. */
export const ListQuery = z.strictObject({
  status: z
    .string()
    .transform(list => list.split(','))
    .pipe(z.array(z.enum(SESSION_STATUSES)))
    .optional()
    .meta({ description: `Only these statuses, separated by commas: ${SESSION_STATUSES.join(', ')}.` }),
  search: z
    .string()
    .optional()
    .meta({ description: 'Only sessions whose id, address or page title contains this.' }),
  limit: z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(100, 'must be at most 100')
    .optional()
    .meta({ description: 'How many, 1 to 100. Default 20.' }),
  after: z.string().optional().meta({ description: 'The next_cursor of the page before.' }),
});
