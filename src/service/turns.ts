/** Operations in one session run one after another, in order of arrival; a bounded number waits. */
import { Failure } from '../domain/failures.ts';

/** Contract: at most this many wait. */
const MOST_WAITING = 8;

interface Waiting {
  readonly go: () => void;
  readonly refuse: (failure: Failure) => void;
}

export class Turns {
  readonly #waiting: Waiting[] = [];
  #taken = false;

  /**
   * Waits for this operation's turn; the caller must end it with the returned function.
   * @throws Failure SESSION_BUSY, or what `refuseAll` or the signal's reason says
   */
  async take(signal: AbortSignal): Promise<() => void> {
    if (this.#taken) {
      if (this.#waiting.length >= MOST_WAITING)
        throw new Failure(
          'SESSION_BUSY',
          `${MOST_WAITING} operations wait in this session already. Wait for their answers.`,
        );
      await this.#wait(signal);
    }
    this.#taken = true;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      const next = this.#waiting.shift();
      if (next === undefined) this.#taken = false;
      else next.go();
    };
  }

  /** Sends everybody who waits away. */
  refuseAll(failure: Failure): void {
    for (const waiting of this.#waiting.splice(0)) waiting.refuse(failure);
  }

  #wait(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      const index = this.#waiting.indexOf(waiting);
      if (index >= 0) this.#waiting.splice(index, 1);
      reject(signal.reason);
    };
    const waiting: Waiting = { go: resolve, refuse: reject };
    this.#waiting.push(waiting);
    signal.addEventListener('abort', leave, { once: true });
    return promise.finally(() => signal.removeEventListener('abort', leave));
  }
}
