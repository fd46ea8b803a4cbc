/**
 * The requests of the REST routes (specification, section 4). null has the same meaning as an absent field; unknown
 * fields are refused by name.
 */
import { z } from 'zod';
import {
  PASSWORD_WITHOUT_USERNAME,
  proxyPasswordField,
  proxyServerField,
  proxyUserField,
  spendCapField,
} from '../../../domain/inputFields.ts';
import { SESSION_STATUSES } from '../../../domain/session/session.ts';
import { stepValueDescription } from '../../../domain/specialActions/specialActions.ts';
import { fieldsField, leanField } from './observationFields.ts';
import {
  aliasRule,
  contentFields,
  diffRule,
  filterFields,
  limitsRule,
  listingFields,
  optionFields,
  sessionIdField,
  waitFields,
} from './requestFields.ts';

export const StartBody = z
  .strictObject({
    ...optionFields,
    session_id: z
      .null('must be absent or null: the service makes the session_id')
      .optional()
      .meta({ description: 'Must be absent or null: every start creates a new session.' }),
    spend_cap_micros: spendCapField.nullish().meta({
      description: 'Maximum total charge for the session, in micro-units. Default: no limit.',
    }),
    proxy: z
      .strictObject({
        server: proxyServerField.meta({
          description: 'The URL of the proxy: http, https or socks5.',
          examples: ['http://proxy.example:3128'],
        }),
        username: proxyUserField
          .nullish()
          .meta({ description: 'For a proxy that requires authentication. No response contains it.' }),
        password: proxyPasswordField.nullish().meta({ description: 'No response contains it.' }),
      })
      .refine(({ username, password }) => password == null || username != null, {
        message: PASSWORD_WITHOUT_USERNAME,
        path: ['password'],
      })
      .nullish()
      .meta({ description: "Your own proxy for the session's pages. Default: a direct connection." }),
  })
  .refine(...aliasRule)
  .meta({ id: 'StartRequest' });

const pageFields = {
  session_id: z
    .string()
    .nullish()
    .meta({ description: 'The session to use. Default: the operation starts a new one.' }),
  url: z.string().nullish().meta({ description: 'The URL to open. Default: the current page.' }),
  ...optionFields,
  ...listingFields,
  ...filterFields,
  ...waitFields,
  lean: leanField,
};

export const ObserveBody = z
  .strictObject({ ...pageFields, fields: fieldsField(false) })
  .refine(...aliasRule)
  .refine(...limitsRule)
  .refine(...diffRule)
  .meta({ id: 'ObserveRequest' });

export const StepBody = z
  .strictObject({
    session_id: sessionIdField,
    action_id: z
      .string()
      .meta({ description: 'The id of an action in the last space of the session.', examples: ['B1'] }),
    value: z.string().nullish().meta({ description: stepValueDescription() }),
    enter: z.boolean().nullish().meta({ description: 'Press Enter after filling.', default: false }),
    ...optionFields,
    ...listingFields,
    ...filterFields,
    ...waitFields,
    lean: leanField,
    fields: fieldsField(false),
  })
  .refine(...aliasRule)
  .refine(...limitsRule)
  .refine(...diffRule)
  .meta({ id: 'StepRequest' });

export const ScrapeBody = z
  .strictObject({ ...pageFields, ...contentFields, fields: fieldsField(true) })
  .refine(...aliasRule)
  .refine(...limitsRule)
  .refine(...diffRule)
  .meta({ id: 'ScrapeRequest' });

export const CloseBody = z
  .strictObject({ session_id: sessionIdField, ...optionFields })
  .refine(...aliasRule)
  .meta({ id: 'CloseRequest' });

export const ReadQuery = z.strictObject({ session_id: sessionIdField });

export const DownloadQuery = z.strictObject({
  session_id: sessionIdField,
  download_id: z
    .string()
    .meta({ description: 'The file_id, as the list of downloads has it.', examples: ['D1'] }),
});

export const UploadQuery = z.strictObject({
  session_id: sessionIdField,
  name: z.string().max(1_000, 'must be at most 1,000 characters').optional().meta({
    description: 'The name of the file. The header X-File-Name, percent-encoded, does the same.',
  }),
});

/** Validates the query of `GET /sessions`. Its values are text: numbers are parsed, lists are separated by commas. */
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
    .meta({ description: 'Only sessions whose id, URL or page title contains this text.' }),
  limit: z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(100, 'must be at most 100')
    .optional()
    .meta({ description: 'Sessions per response, 1 to 100. Default 20.' }),
  after: z.string().optional().meta({ description: 'The next_cursor of the previous response.' }),
});
