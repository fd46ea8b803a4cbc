/** The event bus: publishes changes of sessions and ledgers to subscribers. */
import type { Session } from '../session.ts';
import type { StoredEvent } from '../sessionEvent.ts';

/** A change of a session. */
export interface SessionUpdate {
  /** The session after the change. */
  readonly session: Session;
  readonly events: readonly StoredEvent[];
  /** Number of matching updates that were dropped before this one, because the subscriber's queue was full; absent for none. */
  readonly missed?: number;
}

/** Selects the updates of a subscription. */
export interface SubscribeOptions {
  /** Ends the subscription when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Selects the updates of this session. */
  readonly sessionId?: string | undefined;
  /** Selects the updates for which this returns true. Other updates do not enter the queue. */
  readonly filter?: ((update: SessionUpdate) => boolean) | undefined;
}

/** Each subscriber has its own queue of limited length. */
export interface EventBus {
  publish(update: SessionUpdate): void;
  /**
   * Yields the updates of one account from now on. When the queue of a slow subscriber is full, its oldest updates are
   * dropped and counted in `missed`. The newest update is never dropped; for one session, the newest is finally its
   * end.
   * @returns an iterator that ends when `return()` is called or the signal aborts
   */
  subscribe(accountId: string, options?: SubscribeOptions): AsyncIterableIterator<SessionUpdate>;
  /** Announces a new row in the ledger of the account. */
  publishLedgerUpdate(accountId: string): void;
  /**
   * Yields the account id when its ledger has new rows. Updates that arrive while the reader is busy are merged into
   * one. Ends like `subscribe`.
   */
  subscribeLedger(accountId: string, signal?: AbortSignal): AsyncIterableIterator<string>;
}
