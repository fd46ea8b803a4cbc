import { Failure } from '../../domain/failure/failures.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { NodeEpoch } from '../../domain/ports/nodes.ts';

/** Milliseconds for which a renewal is valid, from the time at which it was sent. Shorter than `EXPIRY_MS`: a node stops before another takes its sessions. */
export const VALIDITY_MS = 3_000;

/** Milliseconds without a renewal after which other nodes end the epoch of a node, by the clock of the database. */
export const EXPIRY_MS = 4_000;

/** Knows whether this node may write. The stores ask it before each write, so that no timer has to fire first. */
export class NodeAuthority {
  readonly #clock: Pick<Clock, 'monotonicNow'>;
  #node: NodeEpoch | null = null;
  #validUntil = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, 'monotonicNow'>) {
    this.#clock = clock;
  }

  /** The epoch under which this node may write now; null without a valid lease. */
  get current(): NodeEpoch | null {
    return this.remainingMs > 0 ? this.#node : null;
  }

  /** Milliseconds until the authority ends without another renewal; 0 without a valid lease. */
  get remainingMs(): number {
    return this.#node === null ? 0 : Math.max(0, this.#validUntil - this.#clock.monotonicNow());
  }

  /** Returns the epoch under which this node may write now. @throws Failure DEPENDENCY_UNAVAILABLE */
  assert(): NodeEpoch {
    const { current } = this;
    if (current !== null) return current;
    throw new Failure(
      'DEPENDENCY_UNAVAILABLE',
      'This node has lost its lease, because it could not reach the database. Try again soon.',
      { retryAfterSeconds: 5 },
    );
  }

  /** Extends the authority. @param sentAt time of the monotonic clock at which the renewal was sent */
  grant(node: NodeEpoch, sentAt: number): void {
    const isNew = this.#node?.epoch !== node.epoch;
    this.#validUntil = isNew ? sentAt + VALIDITY_MS : Math.max(this.#validUntil, sentAt + VALIDITY_MS);
    this.#node = node;
  }

  revoke(): void {
    this.#node = null;
  }
}
