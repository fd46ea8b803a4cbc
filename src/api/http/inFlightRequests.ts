import { afterMs, race } from '../../async/race.ts';

/** Tracks the requests that are being handled, so that shutdown can wait for them. A stream counts until it starts. */
export class InFlightRequests {
  readonly #requests = new Set<Promise<unknown>>();

  /** Returns the same promise and tracks it until it settles. */
  track<T>(work: Promise<T>): Promise<T> {
    this.#requests.add(work);
    const done = () => this.#requests.delete(work);
    work.then(done, done);
    return work;
  }

  /** Resolves when the requests that run now have settled, or after `ms`. */
  async waitUntilIdle(ms: number): Promise<void> {
    await race(Promise.allSettled(this.#requests), afterMs(ms));
  }
}
