/** Maximum lengths of the messages that a browser sends on its pipe. */

/** Bytes. */
export interface MessageLimits {
  /** Of the response to a call. */
  readonly response: number;
  readonly event: number;
}

/**
 * Reading a response takes about five times its length of memory. An event contains at most two addresses of the maximum
 * length that Chromium accepts (2 MB), or one screencast frame.
 */
export const MESSAGE_LIMITS: MessageLimits = { response: 128_000_000, event: 16_000_000 };

const RESPONSE_TOO_LARGE = 'The response of the browser is too large';

/** The message of the error that replaces a response over the limit. */
export const responseTooLarge = (bytes: number): string => `${RESPONSE_TOO_LARGE}: ${bytes} bytes`;

/** Returns true if a call failed because its response was over the limit. */
export const isResponseTooLarge = (error: unknown): boolean =>
  error instanceof Error && error.message.includes(RESPONSE_TOO_LARGE);
