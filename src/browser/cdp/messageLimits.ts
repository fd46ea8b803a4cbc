/** Maximum length of a message from the browser. The filter on the browser's pipe drops longer ones. */

/** Maximum length in bytes of a CDP message from the browser: of the response to a call, and of an event. */
export interface MessageLimits {
  readonly response: number;
  readonly event: number;
}

/**
 * Default maximum length of CDP messages, in bytes. Reading a response needs about five times its length in memory. The
 * longest events contain two URLs of the maximum length that Chromium allows (2 MB), or a screencast frame.
 */
export const MESSAGE_LIMITS: MessageLimits = { response: 128_000_000, event: 16_000_000 };

const RESPONSE_TOO_LARGE = 'The response of the browser is too large';

/** Returns the error message of a call whose response was dropped. @param bytes length of the response */
export const responseTooLarge = (bytes: number): string => `${RESPONSE_TOO_LARGE}: ${bytes} bytes`;

/** Returns true if a CDP call failed because its response was too long and was dropped. */
export const isResponseTooLarge = (error: unknown): boolean =>
  error instanceof Error && error.message.includes(RESPONSE_TOO_LARGE);

/** True if a script of the service failed in the page because a text, list or tree of the page is too large for it. */
export const isPageTooLarge = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('In the page: RangeError');

/** The domain under which log lines and exceptions of workers and frames arrive: Playwright would keep what those of `Runtime` contain. */
export const CHILD_LOG_DOMAIN = 'PagespaceRuntime';

/** The end of the address of a shared worker, which Playwright takes for a service worker. */
export const SHARED_WORKER_MARK = '#pagespace-shared-worker';
