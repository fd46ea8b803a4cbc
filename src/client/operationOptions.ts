/** Options of the operations in a session, and the value of a step. */

import type { CallOptions } from './callDeadline.ts';
import type {
  ContentInput,
  FailureCode,
  ObserveInput,
  ScrapeInput,
  ScreenshotInput,
  StepInput,
} from './generated/operations.ts';
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

/** Options that observe, step and scrape share. */
export interface OperationOptions extends CallOptions {
  /** Take a screenshot; an object says how. Default: none. */
  readonly screenshot?: boolean | ScreenshotInput | undefined;
}

type Without<Input, Names extends string> = Omit<Input, Names | 'sessionId' | 'screenshot'>;

/** Options of `observe`: the fields of the GraphQL input `ObserveInput`. */
export type ObserveOptions = Without<ObserveInput, 'url'> & OperationOptions;
/** Options of `step`: the fields of the GraphQL input `StepInput`. */
export type StepOptions = Without<StepInput, 'actionId' | 'value'> & OperationOptions;
/** Options of `scrape`: the fields of the GraphQL input `ScrapeInput`. `Schema` is the type of `content.extract`. */
export type ScrapeOptions<Schema = unknown> = Omit<Without<ScrapeInput, 'url'>, 'content'> &
  OperationOptions & {
    readonly content?: (Omit<ContentInput, 'extract'> & { readonly extract?: Schema }) | null;
  };
/** Options of `close`: the fields of the GraphQL input `CloseSessionInput`. */
export interface CloseOptions extends CallOptions {
  /** Default: a new key. */
  readonly idempotencyKey?: string;
}

/** A value for an action. Several options of a list are an array. */
export type StepValue = string | number | boolean | readonly string[];
