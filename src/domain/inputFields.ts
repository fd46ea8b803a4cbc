/** Validation of request fields, shared by GraphQL and REST. */
import { z } from 'zod';
import { CURSOR_PATTERN, HIGHEST_MAX_CHARACTERS, LOWEST_MAX_CHARACTERS } from './content/contentChunk.ts';
import { parseProxyUrl } from './session/upstreamProxy.ts';
import { MAX_WAIT_MS, parseWaitCondition, WAIT_FOR_GRAMMAR } from './specialActions/waitCondition.ts';
import { isWebAddress, missingInAddress } from './webAddress.ts';

/** Default of `session_timeout_minutes` (specification, section 8). */
export const DEFAULT_TIMEOUT_MINUTES = 5;
/** Default of `max_nb_actions` (specification, section 8). */
export const DEFAULT_MAX_ACTIONS = 100;
/** Maximum of `max_nb_actions`: keeps a response below a few megabytes. */
export const MAX_LISTED_ACTIONS = 10_000;
/** Maximum wait of the special action S7 (wait), in seconds. */
export const MAX_WAIT_SECONDS = 30;

/** Schema of a session timeout: whole minutes, above 0 and below 30 (specification, section 8). */
export const timeoutMinutesField = z
  .int('must be a whole number of minutes')
  .gt(0, 'must be above 0')
  .lt(30, 'must be below 30');

/** Schema of a session id: a UUID. */
export const sessionIdField = z.uuid('must be a session_id that start returned');

/** Returns true if a text has the form of a session id. A caller can send any text in its place, also a secret. */
export const isSessionId = (text: unknown): text is string => sessionIdField.safeParse(text).success;

/** Schema of the URL of a page to open. Checks only the syntax; the egress policy is checked when the page is opened. */
export const urlField = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(16_384, 'must be at most 16,384 characters')
  .superRefine((text, context) => {
    if (text !== '' && !isWebAddress(text))
      context.addIssue({
        code: 'custom',
        message: missingInAddress(text) ?? 'must be an absolute web address such as https://example.com/',
      });
  });

/** Schema of a spend cap: the maximum total charge of a key or session, in micro-units, at least 1. */
export const spendCapField = z.int('must be a whole number').min(1, 'must be above 0');

/** Schema of the URL of the caller's own proxy, without user name, password and path. */
export const proxyServerField = z
  .string()
  .trim()
  .max(1_000, 'must be at most 1,000 characters')
  .refine(
    text => parseProxyUrl(text) !== null,
    'must be the address of an http, https or socks5 proxy such as http://proxy.example:3128, without user name or path',
  );

/** Returns true if SOCKS can send the text as user name or password: it has at most 255 bytes (RFC 1929). */
const fitsSocksLimit = (text: string): boolean => Buffer.byteLength(text) <= 255;
const TOO_MANY_BYTES = 'must be at most 255 bytes in UTF-8';

/** Schema of the user name for a proxy. It must not contain a colon, which would end the name (RFC 7617). */
export const proxyUserField = z
  .string()
  .min(1, 'must not be empty')
  .max(255, 'must be at most 255 characters')
  .refine(fitsSocksLimit, TOO_MANY_BYTES)
  .regex(/^[^:\p{Cc}]*$/u, 'must hold no colon and no control characters');

/** Schema of the password for a proxy: at most 255 bytes, without control characters. */
export const proxyPasswordField = z
  .string()
  .max(255, 'must be at most 255 characters')
  .refine(fitsSocksLimit, TOO_MANY_BYTES)
  .regex(/^\P{Cc}*$/u, 'must hold no control characters');

/** The error message for a proxy password without a user name. */
export const PASSWORD_WITHOUT_USERNAME = 'needs username';

/** Schema of an action id: a letter and a number. Accepts lower case and changes it to upper case. */
export const actionIdField = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[LBIS][1-9]\d{0,8}$/, 'must be an action id such as L1, B2, I3 or S4');

/**
 * Schema of the `value` of a step: at most 1,000,000 UTF-16 units. PAGESPACE_MAX_BODY_BYTES also limits the bytes of the
 * whole request: a long value with characters outside ASCII exceeds that limit first.
 */
export const valueField = z.string().max(1_000_000, 'must be at most 1,000,000 characters');

/** Schema of `max_nb_actions` and `min_nb_actions`, the limits on the number of listed actions. */
export const listedActionsField = z.int().min(1).max(MAX_LISTED_ACTIONS);

/** Schema of `max_tokens`: the approximate maximum size of the action list as Markdown, in tokens. */
export const maxTokensField = z.int().min(100).max(1_000_000);

/** Schema of `wait_ms`: the maximum wait for what an operation has begun. Milliseconds. */
export const waitMsField = z
  .int(`must be a whole number of milliseconds from 0 to ${MAX_WAIT_MS}`)
  .min(0)
  .max(MAX_WAIT_MS);

/** Schema of `wait_for`: the condition for which an operation waits. */
export const waitForField = z
  .string()
  .max(1_000, 'must be at most 1,000 characters')
  .refine(text => parseWaitCondition(text) !== null, `must be ${WAIT_FOR_GRAMMAR}`);

/** Schema of `max_characters`: the maximum size of each text and list in the response to a scrape. */
export const maxCharactersField = z.int().min(LOWEST_MAX_CHARACTERS).max(HIGHEST_MAX_CHARACTERS);

/** Schema of the `cursor` of a scrape, which an earlier response returned. */
export const cursorField = z.string().regex(CURSOR_PATTERN, 'must be a cursor that a scrape returned');

/** Schema of a JPEG quality, 1 to 100. */
export const qualityField = z.int().min(1).max(100);

/** Schema of an idempotency key, which the caller chooses: 1 to 255 characters. */
export const idempotencyKeyField = z
  .string()
  .min(1, 'must not be empty')
  .max(255, 'must be at most 255 characters');

/** Schema of the filter `search`: a text that the description of an action must contain. */
export const searchField = z.string().max(500, 'must be at most 500 characters');

/** The error message for a `min_nb_actions` above `max_nb_actions`. */
export const MIN_ABOVE_MAX = 'must not be above the maximum';

/** Returns true if `min_nb_actions` is absent, or not above `max_nb_actions` (if that is absent: not above its default). */
export const listingLimitsFit = (min: number | null | undefined, max: number | null | undefined): boolean =>
  min == null || min <= (max ?? DEFAULT_MAX_ACTIONS);
