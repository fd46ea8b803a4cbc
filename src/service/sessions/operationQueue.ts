/** Runs the operations of one session one after another, in order of arrival. Limits the number that wait. */
import { type Release, Semaphore } from '../../async/semaphore.ts';
import { Failure } from '../../domain/failures.ts';

/** Maximum number of waiting operations (contract). */
const MAX_WAITING_OPERATIONS = 8;

/** The queue of one session. */
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
   * Waits until the operation may run. The caller must call the returned function when it has ended.
   * @throws Failure SESSION_BUSY; the failure of `rejectAll`; the signal's reason
   */
  acquire(signal: AbortSignal): Promise<Release> {
    return this.#semaphore.acquire(signal);
  }

  /** Rejects every waiting operation. */
  rejectAll(failure: Failure): void {
    this.#semaphore.rejectAll(failure);
  }
}
