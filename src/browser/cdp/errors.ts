/** Errors of the browser as failures that a caller can act on; the limits and marks that the filter on its pipe and the readers of its messages share. */
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import {
  hasLeftView,
  isExecutionTerminated,
  isShadowedElement,
  isTargetGone,
  isTimeout,
} from './playwrightInternals.ts';

/** Maximum length in bytes of a CDP message from the browser: of the response to a call, and of an event. The filter on the pipe drops longer ones. */
interface MessageLimits {
  readonly response: number;
  readonly event: number;
}

/**
 * Default maximum length of CDP messages, in bytes. Reading a response needs about five times its length in memory. The
 * longest events contain two URLs of the maximum length that Chromium allows (2 MB), or a screencast frame.
 */
export const MESSAGE_LIMITS: MessageLimits = { response: 128_000_000, event: 16_000_000 };

const RESPONSE_TOO_LARGE = 'The response of the browser is too large';

export const responseTooLarge = (bytes: number): string => `${RESPONSE_TOO_LARGE}: ${bytes} bytes`;

const isResponseTooLarge = (error: unknown): boolean =>
  error instanceof Error && error.message.includes(RESPONSE_TOO_LARGE);

/** True if a script of the service failed in the page because a text, list or tree of the page is too large for it. */
const isPageTooLarge = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('In the page: RangeError');

/** The domain under which log lines and exceptions of workers and frames arrive: Playwright would keep what those of `Runtime` contain. */
export const CHILD_LOG_DOMAIN = 'PagespaceRuntime';

/** The end of the address of a shared worker, which Playwright takes for a service worker. */
export const SHARED_WORKER_MARK = '#pagespace-shared-worker';

/** Returns the reason of the signal, else OPERATION_TIMEOUT. */
export function deadlineFailure(deadline: Deadline): Failure {
  const reason: unknown = deadline.signal.reason;
  return isFailure(reason)
    ? reason
    : new Failure('OPERATION_TIMEOUT', 'The page did not let the operation finish in time.', {
        cause: reason,
      });
}

export const pageCrashedFailure = (cause?: unknown): Failure =>
  new Failure(
    'BROWSER_CRASHED',
    'The page crashed while the operation ran. Try again, or open another page.',
    {
      cause,
    },
  );

/** Creates the Failure BROWSER_CRASHED of an operation whose page did not answer, so that the service ended it. */
export const pageGivenUpFailure = (): Failure =>
  new Failure(
    'BROWSER_CRASHED',
    'The page did not answer although its scripts were ended again and again, so the service ended the page. Open another page.',
  );

/** The failure for a page that the service has ended because of the windows that it opened. @param count number of windows */
export const windowFloodFailure = (count: number): Failure =>
  new Failure(
    'BROWSER_CRASHED',
    `The page opened ${count} windows at once, which keeps it from answering, so the service ended the page. Open another page.`,
  );

/** A page that has been silent for this long when an operation ends at its deadline is the cause of that. Milliseconds. */
const LONG_SILENCE_MS = 5_000;

/** Returns the Failure of an operation that has ended at its deadline with its cause, if that is a page which does not answer. */
export const withSilence = (failure: Failure, silentMs: number): Failure =>
  silentMs < LONG_SILENCE_MS
    ? failure
    : new Failure(
        'OPERATION_TIMEOUT',
        `${failure.message} The page has not answered for ${Math.round(silentMs / 1_000)} seconds: it is busy with layout or drawing, such as thousands of animations, or with a script. Open another page.`,
        { cause: failure },
      );

/** Converts an error of an operation to a Failure if a caller can act on it; after the deadline to `deadlineFailure`. Others stay. */
export function toFailure(error: unknown, deadline: Deadline): unknown {
  if (isFailure(error)) return error;
  if (deadline.signal.aborted) return deadlineFailure(deadline);
  // The operations that a dialog can interrupt handle that themselves, so Interrupted means here that the page crashed.
  if (isTargetGone(error) || (error instanceof Error && error.name === 'Interrupted'))
    return pageCrashedFailure(error);
  if (isExecutionTerminated(error))
    return new Failure(
      'OPERATION_TIMEOUT',
      'Scripts of the page ran without letting the page answer, and were ended, and with them the operation. Try again, or open another page.',
      { cause: error },
    );
  if (isTimeout(error))
    return new Failure('OPERATION_TIMEOUT', 'The page did not let the operation finish in time.', {
      cause: error,
    });
  if (isShadowedElement(error))
    return new Failure(
      'ACTION_BLOCKED',
      'The element cannot be acted on: form fields of the page hide properties of the element that the browser needs.',
      { cause: error },
    );
  if (hasLeftView(error))
    return new Failure(
      'ACTION_BLOCKED',
      'The element cannot be acted on now: the page moves it out of the view.',
      {
        cause: error,
      },
    );
  if (isPageTooLarge(error))
    return new Failure(
      'NAVIGATION_FAILED',
      'The page was opened, but a text, list or tree of it is too large to be read. Request fewer parts, or open another page.',
      { retryable: false, cause: error },
    );
  if (isResponseTooLarge(error))
    return new Failure(
      'NAVIGATION_FAILED',
      `The page was opened, but the requested data is larger than ${MESSAGE_LIMITS.response / 1e6} MB. Request fewer parts, or a picture of the viewport only.`,
      { cause: error },
    );
  return error;
}
