/** Operations in one session run one after another, in order of arrival; a bounded number waits. */
import { Failure } from '../../domain/failures.ts';

/** Contract: at most this many wait. */
const MAX_WAITING_OPERATIONS = 8;

interface QueuedOperation {
  readonly start: () => void;
  readonly reject: (failure: Failure) => void;
}

export class OperationQueue {
  readonly #waiting: QueuedOperation[] = [];
  #isBusy = false;

  /**
   * Waits for this operation's turn; the caller must end it with the returned function.
   * @throws Failure SESSION_BUSY, or what `refuseAll` or the signal's reason says
   */
  async acquire(signal: AbortSignal): Promise<() => void> {
    if (this.#isBusy) {
      if (this.#waiting.length >= MAX_WAITING_OPERATIONS)
        throw new Failure(
          'SESSION_BUSY',
          `${MAX_WAITING_OPERATIONS} operations wait in this session already. Wait for their answers.`,
        );
      await this.#wait(signal);
    }
    this.#isBusy = true;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      const next = this.#waiting.shift();
      if (next === undefined) this.#isBusy = false;
      else next.start();
    };
  }

  /** Sends everybody who waits away. */
  rejectAll(failure: Failure): void {
    for (const waiting of this.#waiting.splice(0)) waiting.reject(failure);
  }

  #wait(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      const index = this.#waiting.indexOf(waiting);
      if (index >= 0) this.#waiting.splice(index, 1);
      reject(signal.reason);
    };
    const waiting: QueuedOperation = { start: resolve, reject: reject };
    this.#waiting.push(waiting);
    signal.addEventListener('abort', leave, { once: true });
    return promise.finally(() => signal.removeEventListener('abort', leave));
  }
}
