import type {
  ContentInput,
  FailureCode,
  ObserveInput,
  ScrapeInput,
  ScreenshotInput,
  StepInput,
} from './generated/operations.ts';
import { type ClientErrorCode, ClientTimeoutError, PagespaceError } from './pagespaceError.ts';

/** Options that every call takes. */
export interface CallOptions {
  /** Cancels the call. It then rejects with the reason of the signal. An operation that has begun continues in the service. */
  readonly signal?: AbortSignal;
  /** Maximum time for the call with its retries, in milliseconds. Default: that of the client. */
  readonly timeoutMs?: number;
}

/** Limits one call: aborts its requests and waits when the time is over or the caller cancels. */
export class CallDeadline {
  readonly #endsAt: number;
  readonly #timeoutMs: number;
  readonly #caller: AbortSignal | undefined;
  /** Timers can fire a moment before the clock says so. */
  #isOver = false;

  constructor({ signal, timeoutMs }: CallOptions, defaultTimeoutMs: number) {
    this.#timeoutMs = timeoutMs ?? defaultTimeoutMs;
    this.#endsAt = Date.now() + this.#timeoutMs;
    this.#caller = signal;
  }

  /** Milliseconds until the deadline, at least 0. */
  get remainingMs(): number {
    return this.#isOver ? 0 : Math.max(0, this.#endsAt - Date.now());
  }

  /** Throws the caller's reason after it cancelled, and ClientTimeoutError after the deadline. */
  throwIfEnded(cause?: unknown): void {
    this.#caller?.throwIfAborted();
    if (this.remainingMs === 0) throw new ClientTimeoutError(this.#timeoutMs, cause);
  }

  /** Runs `work` with a signal that aborts at the deadline or when the caller cancels. */
  async run<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    this.throwIfEnded();
    const controller = new AbortController();
    const cancel = () => controller.abort(this.#caller?.reason);
    const timer = setTimeout(() => {
      this.#isOver = true;
      controller.abort();
    }, this.remainingMs);
    this.#caller?.addEventListener('abort', cancel, { once: true });
    try {
      return await work(controller.signal);
    } finally {
      clearTimeout(timer);
      this.#caller?.removeEventListener('abort', cancel);
    }
  }

  /** Waits. @throws the caller's reason, ClientTimeoutError */
  async wait(ms: number): Promise<void> {
    await this.run(signal => abortableDelay(ms, signal));
    this.throwIfEnded();
  }
}

/** Resolves after this time, or at once when the signal aborts. */
export function abortableDelay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}

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
