/** How long a message of the browser may be; the filter on its pipe drops longer ones. */

/** Lengths in bytes: of the response to a call, and of an event. */
export interface MessageLimits {
  readonly response: number;
  readonly event: number;
}

/**
 * Reading a response takes about five times its length in memory. The longest events hold two URLs of the maximum length
 * that Chromium allows (2 MB), or a picture for a watcher.
 */
export const MESSAGE_LIMITS: MessageLimits = { response: 128_000_000, event: 16_000_000 };

const RESPONSE_TOO_LARGE = 'The response of the browser is too large';

/** The error message that replaces a dropped response. */
export const responseTooLarge = (bytes: number): string => `${RESPONSE_TOO_LARGE}: ${bytes} bytes`;

/** True when a call failed because its response was dropped. */
export const isResponseTooLarge = (error: unknown): boolean =>
  error instanceof Error && error.message.includes(RESPONSE_TOO_LARGE);
