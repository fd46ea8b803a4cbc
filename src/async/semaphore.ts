/**
 * A counting semaphore with a limited queue. Own code, because async-mutex and p-queue cannot remove one waiting caller
 * on its AbortSignal, refuse a caller when the queue is full, and give permits by acquire and release.
 */
import { afterMs, type Outcome, onAbort, race, type StopWhen } from './race.ts';

/** Options of `Semaphore`. */
export interface SemaphoreOptions {
  /** Maximum number of permits in use at the same time. */
  readonly permits: number;
  /** Maximum number of callers that wait; the next caller is refused immediately. Default: any number. */
  readonly maxWaiting?: number;
  /** A caller that waits longer than this many milliseconds is refused. Default: no limit. */
  readonly waitTimeoutMs?: number;
  /** Creates the error for a caller that is refused because the queue is full or its wait was too long. */
  readonly refusal?: () => Error;
}

/** Gives a permit back to the semaphore, which passes it to the caller that has waited longest; idempotent. */
export type Release = () => void;

/** Limits how many callers run at the same time: gives a fixed number of permits to callers, in order of arrival. */
export class Semaphore {
  readonly #options: SemaphoreOptions;
  readonly #queue: Outcome<void>[] = [];
  #acquired = 0;

  constructor(options: SemaphoreOptions) {
    this.#options = options;
  }

  /** Number of permits in use. */
  get acquired(): number {
    return this.#acquired;
  }

  /** Number of permits that can be acquired without waiting. */
  get available(): number {
    return Math.max(0, this.#options.permits - this.#acquired);
  }

  /** Number of callers that wait for a permit. */
  get waiting(): number {
    return this.#queue.length;
  }

  /**
   * Acquires a permit; waits in order of arrival if all are in use.
   * @param signal removes the caller from the queue when it aborts
   * @returns a function that gives the permit back
   * @throws the options' `refusal`; the error of `rejectAll`; the signal's reason
   */
  async acquire(signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted();
    if (this.available === 0) await this.#wait(signal);
    else this.#acquired++;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const next = this.#queue.shift();
      // The permit passes directly to the next caller: a caller that arrives now must wait behind it.
      if (next === undefined) this.#acquired--;
      else next.resolve();
    };
  }

  /** Acquires a permit, runs `task` and gives the permit back. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await task();
    } finally {
      release();
    }
  }

  /** Rejects every waiting caller with this error. Callers that have a permit keep it. */
  rejectAll(error: unknown): void {
    for (const waiter of this.#queue.splice(0)) waiter.reject(error);
  }

  #wait(signal?: AbortSignal): Promise<void> {
    const { maxWaiting = Number.POSITIVE_INFINITY, waitTimeoutMs } = this.#options;
    if (this.#queue.length >= maxWaiting) throw this.#refusal();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Outcome<void> = { resolve, reject };
    this.#queue.push(waiter);
    // A caller that already has its permit keeps it, even if a stop happens before the caller continues.
    const leave = (error: unknown): void => {
      const index = this.#queue.indexOf(waiter);
      if (index < 0) return;
      this.#queue.splice(index, 1);
      reject(error);
    };
    const whileQueued =
      (stop: StopWhen<never>): StopWhen<void> =>
      () =>
        stop({ resolve, reject: leave });
    const stops: StopWhen<never>[] = [];
    if (signal !== undefined) stops.push(onAbort(signal));
    if (waitTimeoutMs !== undefined)
      stops.push(
        afterMs(waitTimeoutMs, () => {
          throw this.#refusal();
        }),
      );
    return race(promise, ...stops.map(whileQueued));
  }

  #refusal(): Error {
    return this.#options.refusal?.() ?? new Error('All permits are in use.');
  }
}
