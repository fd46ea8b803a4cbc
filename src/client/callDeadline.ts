/** One deadline for a call with all its attempts. */
import { ClientTimeoutError } from './pagespaceError.ts';

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
