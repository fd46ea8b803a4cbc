/** The session slots of this node: a fixed number of sessions, and a queue of limited length and waiting time. */
import { Semaphore } from '../../async/semaphore.ts';
import { Failure } from '../../domain/failures.ts';

/** How many sessions run, and how many callers wait. */
export interface CapacityQueueOptions {
  /** Sessions at the same time. */
  readonly capacity: number;
  /** Callers that may wait for a slot; the next one is refused at once. */
  readonly maxWaiting: number;
  /** Milliseconds that a caller waits before it is refused. */
  readonly waitTimeoutMs: number;
}

/** A semaphore whose `acquire` throws Failure AT_CAPACITY with the seconds after which to retry. */
export function createCapacityQueue({
  capacity,
  maxWaiting,
  waitTimeoutMs,
}: CapacityQueueOptions): Semaphore {
  const refusal = (): Failure =>
    new Failure(
      'AT_CAPACITY',
      `All ${capacity} browser sessions of this service are in use. Try again soon.`,
      { retryAfterSeconds: Math.max(1, Math.ceil(waitTimeoutMs / 1_000)) },
    );
  return new Semaphore({ permits: capacity, maxWaiting, waitTimeoutMs, refusal });
}
