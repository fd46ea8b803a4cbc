import { z } from 'zod';

/** Default of `session_timeout_minutes` (specification, section 8). */
export const DEFAULT_TIMEOUT_MINUTES = 5;
/** Default of `max_nb_actions` (specification, section 8). */
export const DEFAULT_MAX_ACTIONS = 100;
/** Maximum of `max_nb_actions`: keeps a response below a few megabytes. */
export const MAX_LISTED_ACTIONS = 10_000;
/** Maximum wait of the special action S7 (wait), in seconds. */
export const MAX_WAIT_SECONDS = 30;

const sessionId = z.uuid();

/** Returns true if a text has the form of a session id: a UUID. A caller can send any text in its place, also a secret. */
export const isSessionId = (text: unknown): text is string => sessionId.safeParse(text).success;

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
