/** Validation of request fields, shared by GraphQL and REST. */
import { z } from 'zod';
import { CURSOR_PATTERN, HIGHEST_MAX_CHARACTERS, LOWEST_MAX_CHARACTERS } from './contentChunk.ts';
import { parseProxyUrl } from './upstreamProxy.ts';

/** Default of `session_timeout_minutes` (specification, section 8). */
export const DEFAULT_TIMEOUT_MINUTES = 5;
/** Default of `max_nb_actions` (specification, section 8). */
export const DEFAULT_MAX_ACTIONS = 100;
/** Maximum of `max_nb_actions`: keeps a response below a few megabytes. */
export const MAX_LISTED_ACTIONS = 10_000;
/** Maximum wait of the special action S7. */
export const MAX_WAIT_SECONDS = 30;

/** A session timeout: whole minutes, above 0 and below 30 (specification, section 8). */
export const timeoutMinutesField = z
  .int('must be a whole number of minutes')
  .gt(0, 'must be above 0')
  .lt(30, 'must be below 30');

/** A session_id: a UUID. */
export const sessionIdField = z.uuid('must be a session_id that start returned');

/** A URL to open. The egress policy is checked later. */
export const urlField = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(16_384, 'must be at most 16,384 characters')
  .refine(isWebAddress, 'must be an absolute web address such as https://example.com/');

function isWebAddress(text: string): boolean {
  return URL.canParse(text) || URL.canParse(`https://${text}`);
}

/** A spend cap in micro-units. */
export const spendCapField = z.int('must be a whole number').min(1, 'must be above 0');

/** The URL of a proxy. */
export const proxyServerField = z
  .string()
  .trim()
  .max(1_000, 'must be at most 1,000 characters')
  .refine(
    text => parseProxyUrl(text) !== null,
    'must be the address of an http, https or socks5 proxy such as http://proxy.example:3128, without user name or path',
  );

/** Returns true if the text fits into SOCKS: at most 255 bytes for a user name or password (RFC 1929). */
const fitsSocksLimit = (text: string): boolean => Buffer.byteLength(text) <= 255;
const TOO_MANY_BYTES = 'must be at most 255 bytes in UTF-8';

/** The user name for a proxy. It must not contain a colon, which would end the name (RFC 7617). */
export const proxyUserField = z
  .string()
  .min(1, 'must not be empty')
  .max(255, 'must be at most 255 characters')
  .refine(fitsSocksLimit, TOO_MANY_BYTES)
  .regex(/^[^:\p{Cc}]*$/u, 'must hold no colon and no control characters');

export const proxyPasswordField = z
  .string()
  .max(255, 'must be at most 255 characters')
  .refine(fitsSocksLimit, TOO_MANY_BYTES)
  .regex(/^\P{Cc}*$/u, 'must hold no control characters');

/** The message for a password without a user name. */
export const PASSWORD_WITHOUT_USERNAME = 'needs username';

/** An action id: a letter and a number. Lower case is accepted. */
export const actionIdField = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[LBIS][1-9]\d{0,8}$/, 'must be an action id such as L1, B2, I3 or S4');

/**
 * The value of a step. This limit counts UTF-16 units. The body limit of the service (PAGESPACE_MAX_BODY_BYTES) counts
 * the bytes of the whole request: a value outside ASCII exceeds that one first.
 */
export const valueField = z.string().max(1_000_000, 'must be at most 1,000,000 characters');

/** `max_nb_actions` and `min_nb_actions`. */
export const listedActionsField = z.int().min(1).max(MAX_LISTED_ACTIONS);

/** `max_tokens`. */
export const maxTokensField = z.int().min(100).max(1_000_000);

/** `max_characters`. */
export const maxCharactersField = z.int().min(LOWEST_MAX_CHARACTERS).max(HIGHEST_MAX_CHARACTERS);

/** `cursor` of a scrape. */
export const cursorField = z.string().regex(CURSOR_PATTERN, 'must be a cursor that a scrape returned');

/** JPEG quality. */
export const qualityField = z.int().min(1).max(100);

/** An idempotency key. */
export const idempotencyKeyField = z
  .string()
  .min(1, 'must not be empty')
  .max(255, 'must be at most 255 characters');

/** A text to search for. */
export const searchField = z.string().max(500, 'must be at most 500 characters');

/** The message for min_nb_actions above max_nb_actions. */
export const MIN_ABOVE_MAX = 'must not be above the maximum';

/** Returns true if the minimum is not above the maximum, or not above the default maximum if there is no maximum. */
export const listingLimitsFit = (min: number | null | undefined, max: number | null | undefined): boolean =>
  min == null || min <= (max ?? DEFAULT_MAX_ACTIONS);
