export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Formats a time (milliseconds since the epoch) as the API does: ISO 8601, UTC, with milliseconds. */
export const formatTime = (at: number): string => new Date(at).toISOString();
