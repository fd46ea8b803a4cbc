/** The places for sessions on this node: a fixed number, and a line of bounded length and patience before it. */
import { Failure } from '../../domain/failures.ts';

export interface PlacesOptions {
  /** Sessions at once. */
  readonly capacity: number;
  /** Callers that may wait for a place; the next is refused at once. */
  readonly line: number;
  /** How long a caller waits before it is refused. */
  readonly patienceMs: number;
}

interface Waiting {
  readonly take: () => void;
  readonly refuse: (reason: unknown) => void;
}

export class Places {
  readonly #options: PlacesOptions;
  readonly #line: Waiting[] = [];
  #taken = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  get taken(): number {
    return this.#taken;
  }

  get free(): number {
    return Math.max(0, this.#options.capacity - this.#taken);
  }

  /**
   * Takes a place, in order of arrival.
   * @param signal aborts when the caller has gone: its place in the line is free then
   * @returns gives the place back; idempotent
   * @throws Failure AT_CAPACITY with a time to try again; the signal's reason
   */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#taken >= this.#options.capacity) await this.#wait(signal);
    else this.#taken++;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const next = this.#line.shift();
      // The place goes on to who waits longest, without ever being free in between.
      if (next === undefined) this.#taken--;
      else next.take();
    };
  }

  /** Sends everybody in the line away. */
  refuseAll(failure: Failure): void {
    for (const waiting of this.#line.splice(0)) waiting.refuse(failure);
  }

  #wait(signal: AbortSignal): Promise<void> {
    const { line, patienceMs } = this.#options;
    if (this.#line.length >= line) throw this.#full();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { take: resolve, refuse: reject };
    const leave = (reason: unknown) => {
      const index = this.#line.indexOf(waiting);
      if (index < 0) return;
      this.#line.splice(index, 1);
      reject(reason);
    };
    const gone = () => leave(signal.reason);
    const timer = setTimeout(() => leave(this.#full()), patienceMs);
    signal.addEventListener('abort', gone, { once: true });
    this.#line.push(waiting);
    return promise.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', gone);
    });
  }

  #full(): Failure {
    const { capacity, patienceMs } = this.#options;
    return new Failure(
      'AT_CAPACITY',
      `All ${capacity} browser sessions of this service are taken. Try again soon.`,
      {
        retryAfterSeconds: Math.max(1, Math.ceil(patienceMs / 1000)),
      },
    );
  }
}
