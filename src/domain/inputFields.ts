/** The rules for what callers send, field by field; both doors check with these. */
import { z } from 'zod';
import { CURSOR_PATTERN, HIGHEST_MAX_CHARACTERS, LOWEST_MAX_CHARACTERS } from './contentChunk.ts';
import { parseProxyUrl } from './upstreamProxy.ts';

/** Default of `session_timeout_minutes` (specification, section 8). */
export const DEFAULT_TIMEOUT_MINUTES = 5;
/** Default of `max_nb_actions` (specification, section 8). */
export const DEFAULT_MAX_ACTIONS = 100;
/** Upper bound of `max_nb_actions`: keeps one answer below a few megabytes. */
export const MAX_LISTED_ACTIONS = 10_000;
/** S7 waits at most this long. */
export const MAX_WAIT_SECONDS = 30;

/** Minutes, whole, 0 < x < 30 (specification, section 8). */
export const timeoutMinutesField = z
  .int('must be a whole number of minutes')
  .gt(0, 'must be above 0')
  .lt(30, 'must be below 30');

/** A session_id: a UUID. */
export const sessionIdField = z.uuid('must be a session_id as start answered it');

/** An address to open. Whether it may be opened is decided later; here only that it is one. */
export const urlField = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(16_384, 'must be at most 16,384 characters')
  .refine(isWebAddress, 'must be an absolute web address such as https://example.com/');

function isWebAddress(text: string): boolean {
  return URL.canParse(text) || URL.canParse(`https://${text}`);
}

/** What may be charged in all: whole micro-units. */
export const spendCapField = z.int('must be a whole number').min(1, 'must be above 0');

/** The address of a proxy. */
export const proxyServerField = z
  .string()
  .trim()
  .max(1_000, 'must be at most 1,000 characters')
  .refine(
    text => parseProxyUrl(text) !== null,
    'must be the address of an http, https or socks5 proxy such as http://proxy.example:3128, without user name or path',
  );

/** The longest that SOCKS takes (RFC 1929). */
const fitsSocksLimit = (text: string): boolean => Buffer.byteLength(text) <= 255;
const TOO_MANY_BYTES = 'must be at most 255 bytes in UTF-8';

/** Who asks a proxy; a colon would end the name (RFC 7617). */
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

/** The message when a password comes without a name. */
export const PASSWORD_WITHOUT_USERNAME = 'needs username';

/** The id of an action: a letter and a number. */
export const actionIdField = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[LBIS][1-9]\d{0,8}$/, 'must be an action id such as L1, B2, I3 or S4');

/** A step's value. */
export const valueField = z.string().max(1_000_000, 'must be at most 1,000,000 characters');

/** How many actions are listed: `max_nb_actions`, `min_nb_actions`. */
export const listedActionsField = z.int().min(1).max(MAX_LISTED_ACTIONS);

/** Bounds of a list's size in tokens. */
export const maxTokensField = z.int().min(100).max(1_000_000);

/** Bounds of the texts of an answer. */
export const maxCharactersField = z.int().min(LOWEST_MAX_CHARACTERS).max(HIGHEST_MAX_CHARACTERS);

/** Where content goes on. */
export const cursorField = z.string().regex(CURSOR_PATTERN, 'must be a cursor as a scrape answered it');

/** JPEG's quality. */
export const qualityField = z.int().min(1).max(100);

/** Names one request of an account. */
export const idempotencyKeyField = z
  .string()
  .min(1, 'must not be empty')
  .max(255, 'must be at most 255 characters');

/** Words to look for. */
export const searchField = z.string().max(500, 'must be at most 500 characters');

/** The message when min_nb_actions is above max_nb_actions. */
export const MIN_ABOVE_MAX = 'must not be above the maximum';

/** Whether the two listing limits fit each other. */
export const listingLimitsFit = (min: number | null | undefined, max: number | null | undefined): boolean =>
  min == null || min <= (max ?? DEFAULT_MAX_ACTIONS);
