import { afterMs, race } from '../../async/race.ts';

/**
 * Tracks the running requests, so that shutdown can wait for them. A request with a stream as its response counts
 * until the stream starts.
 */
export class InFlightRequests {
  readonly #requests = new Set<Promise<unknown>>();

  /** Counts `work` as a running request until it settles. Returns `work`. */
  track<T>(work: Promise<T>): Promise<T> {
    this.#requests.add(work);
    const done = () => this.#requests.delete(work);
    work.then(done, done);
    return work;
  }

  /** Resolves when the requests that run now have settled, or after `ms` milliseconds. */
  async waitUntilIdle(ms: number): Promise<void> {
    await race(Promise.allSettled(this.#requests), afterMs(ms));
  }
}
