/** The places for sessions on this node: a fixed number, and a line of bounded length and patience before it. */
import { Failure } from '../../domain/failures.ts';

export interface CapacityQueueOptions {
  /** Sessions at once. */
  readonly capacity: number;
  /** Callers that may wait for a place; the next is refused at once. */
  readonly maxWaiting: number;
  /** How long a caller waits before it is refused. */
  readonly waitTimeoutMs: number;
}

interface Waiter {
  readonly acquire: () => void;
  readonly reject: (reason: unknown) => void;
}

export class CapacityQueue {
  readonly #options: CapacityQueueOptions;
  readonly #queue: Waiter[] = [];
  #acquired = 0;

  constructor(options: CapacityQueueOptions) {
    this.#options = options;
  }

  get acquired(): number {
    return this.#acquired;
  }

  get free(): number {
    return Math.max(0, this.#options.capacity - this.#acquired);
  }

  /**
   * Takes a place, in order of arrival.
   * @param signal aborts when the caller has gone: its place in the line is free then
   * @returns gives the place back; idempotent
   * @throws Failure AT_CAPACITY with a time to try again; the signal's reason
   */
  async acquire(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#acquired >= this.#options.capacity) await this.#wait(signal);
    else this.#acquired++;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const next = this.#queue.shift();
      // The place goes on to who waits longest, without ever being free in between.
      if (next === undefined) this.#acquired--;
      else next.acquire();
    };
  }

  /** Sends everybody in the line away. */
  rejectAll(failure: Failure): void {
    for (const waiting of this.#queue.splice(0)) waiting.reject(failure);
  }

  #wait(signal: AbortSignal): Promise<void> {
    const { maxWaiting, waitTimeoutMs } = this.#options;
    if (this.#queue.length >= maxWaiting) throw this.#atCapacity();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiter = { acquire: resolve, reject: reject };
    const leave = (reason: unknown) => {
      const index = this.#queue.indexOf(waiting);
      if (index < 0) return;
      this.#queue.splice(index, 1);
      reject(reason);
    };
    const gone = () => leave(signal.reason);
    const timer = setTimeout(() => leave(this.#atCapacity()), waitTimeoutMs);
    signal.addEventListener('abort', gone, { once: true });
    this.#queue.push(waiting);
    return promise.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', gone);
    });
  }

  #atCapacity(): Failure {
    const { capacity, waitTimeoutMs } = this.#options;
    return new Failure(
      'AT_CAPACITY',
      `All ${capacity} browser sessions of this service are taken. Try again soon.`,
      {
        retryAfterSeconds: Math.max(1, Math.ceil(waitTimeoutMs / 1000)),
      },
    );
  }
}
