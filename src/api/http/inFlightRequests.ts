import { afterMs, race } from '../../async/race.ts';

/** Requests whose answers are being made. A stream is answered once it has begun. */
export class InFlightRequests {
  readonly #requests = new Set<Promise<unknown>>();

  /** Counts the work until it is done, however it ends. */
  track<T>(work: Promise<T>): Promise<T> {
    this.#requests.add(work);
    const done = () => this.#requests.delete(work);
    work.then(done, done);
    return work;
  }

  /** Resolves when none is left of those that run now, at the latest after `ms`. */
  async waitUntilIdle(ms: number): Promise<void> {
    await race(Promise.allSettled(this.#requests), afterMs(ms));
  }
}
