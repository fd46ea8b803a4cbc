/** The failures that the client retries by itself, and the time that it waits before. */
import type { FailureCode } from './generated/operations.ts';
import { type ClientErrorCode, PagespaceError } from './pagespaceError.ts';

/**
 * Failures that happen before the service does anything, and that pass. Each request of the client has an idempotency
 * key or only reads, so a broken connection can be retried too: the service does not run an operation twice.
 */
const RETRIED: ReadonlySet<FailureCode | ClientErrorCode> = new Set([
  'AT_CAPACITY',
  'CONCURRENCY_LIMIT',
  'CONNECTION_FAILED',
  'RATE_LIMITED',
  'REQUEST_TIMEOUT',
  'SESSION_BUSY',
  'SHUTTING_DOWN',
  'TOO_MANY_CONNECTIONS',
]);

const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 5_000;

/** Returns true if the client repeats a request that failed with this error. */
export const isRetried = (error: unknown): error is PagespaceError =>
  error instanceof PagespaceError &&
  (RETRIED.has(error.code) || (error.code === 'UNEXPECTED_RESPONSE' && error.retryable));

/**
 * Returns how long to wait before the next attempt, in milliseconds: what Retry-After says, otherwise 0.2 s doubled for
 * each attempt up to 5 s, of which a random part up to a half is left out.
 * @param attempt 0 after the first attempt
 */
export function retryDelayMs({ retryAfterSeconds }: PagespaceError, attempt: number): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds * 1_000;
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt) * (1 - Math.random() / 2);
}
