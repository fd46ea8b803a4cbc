/**
 * Lets operations of different sessions begin in turns. When many run at once, each gets a small part of the processors and the
 * slowest take a multiple of the mean; a short queue in order of arrival makes them alike and switches less between processes.
 */
import { availableParallelism } from 'node:os';

/** Number of operations that run at once for each processor. An operation waits for its page in between, so one alone does not fill a processor. */
const TURNS_PER_PROCESSOR = 4;
/**
 * Maximum time that an operation waits for its turn, and time after which a running operation is taken for one that waits for its page and does
 * not count, in milliseconds. Operations that wait for slow pages thus delay others by at most this time.
 */
const TURN_MS = 100;

/** Limits how many operations begin at once, each for at most `TURN_MS`. */
export class OperationTurns<Session> {
  readonly #max: number;
  /** The sessions whose operations have a turn, in order of their beginning, and when it began. */
  readonly #running = new Map<Session, number>();
  /** Starts the operations that wait, in order of arrival. */
  readonly #waiting = new Set<() => void>();

  constructor(processors = availableParallelism()) {
    this.#max = TURNS_PER_PROCESSOR * processors;
  }

  /** Runs an operation of a session when it has a turn. An operation within another one of the same session needs none. */
  async run<T>(session: Session, work: () => Promise<T>): Promise<T> {
    if (this.#running.has(session)) return work();
    if (this.#waiting.size > 0 || !this.#hasTurn()) await this.#wait(session);
    else this.#running.set(session, performance.now());
    try {
      return await work();
    } finally {
      this.#running.delete(session);
      this.#startWaiting();
    }
  }

  #hasTurn(): boolean {
    if (this.#running.size < this.#max) return true;
    const since = performance.now() - TURN_MS;
    let recent = 0;
    for (const beganAt of this.#running.values()) if (beganAt > since) recent++;
    return recent < this.#max;
  }

  #wait(session: Session): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const start = (): void => {
      clearTimeout(timer);
      this.#waiting.delete(start);
      this.#running.set(session, performance.now());
      resolve();
    };
    const timer = setTimeout(start, TURN_MS);
    this.#waiting.add(start);
    return promise;
  }

  #startWaiting(): void {
    for (const start of this.#waiting) {
      if (!this.#hasTurn()) return;
      start();
    }
  }
}
