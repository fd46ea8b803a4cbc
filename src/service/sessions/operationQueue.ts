/** Runs the operations of one session one after another, in order of arrival. Limits the number that wait. */
import { type Release, Semaphore } from '../../async/semaphore.ts';
import { Failure } from '../../domain/failure/failures.ts';

/** Maximum number of operations that wait in one session; the next one gets SESSION_BUSY. Part of the API contract. */
const MAX_WAITING_OPERATIONS = 8;

/** Runs the operations of one session one after another, in order of arrival. */
export class OperationQueue {
  readonly #semaphore = new Semaphore({
    permits: 1,
    maxWaiting: MAX_WAITING_OPERATIONS,
    refusal: () =>
      new Failure(
        'SESSION_BUSY',
        `${MAX_WAITING_OPERATIONS} operations already wait in this session. Wait for their responses.`,
      ),
  });

  /**
   * Waits until no other operation of the session runs.
   * @returns a function that the caller must call when its operation has ended
   * @throws Failure SESSION_BUSY if too many operations wait already; the failure of `rejectAll`; the signal's reason
   */
  acquire(signal: AbortSignal): Promise<Release> {
    return this.#semaphore.acquire(signal);
  }

  /** Rejects every waiting operation with this failure. The running operation continues. */
  rejectAll(failure: Failure): void {
    this.#semaphore.rejectAll(failure);
  }
}
