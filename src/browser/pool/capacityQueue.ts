/** The session slots of this node: a fixed number of slots, and a queue that limits the number and the wait of callers. */
import { Semaphore } from '../../async/semaphore.ts';
import { Failure } from '../../domain/failure/failures.ts';

/** Limits of the node's session slots and of the queue of callers that wait for one. */
export interface CapacityQueueOptions {
  /** Maximum number of sessions at the same time. */
  readonly capacity: number;
  /** Maximum number of callers that wait for a slot; the next caller is refused immediately. */
  readonly maxWaiting: number;
  /** A caller that waits longer than this many milliseconds is refused. */
  readonly waitTimeoutMs: number;
}

/**
 * Creates the semaphore of the node's session slots, for which accounts take turns. Its `acquire` throws Failure AT_CAPACITY, with the seconds to wait
 * before a retry, when the queue is full or the wait takes too long.
 */
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
