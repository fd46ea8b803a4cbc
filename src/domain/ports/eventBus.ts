import type { Session } from '../session/session.ts';
import type { StoredEvent } from '../session/sessionEvent.ts';

export interface SessionUpdate {
  readonly session: Session;
  readonly events: readonly StoredEvent[];
  /** Number of matching updates that were dropped before this one, because the subscriber's queue was full; absent for none. */
  readonly missed?: number;
}

export interface SubscribeOptions {
  readonly signal?: AbortSignal | undefined;
  /** Yields only the updates of this session. Default: all sessions of the account. */
  readonly sessionId?: string | undefined;
  /** Returns true for each update to yield. Other updates do not enter the subscriber's queue. Default: all updates. */
  readonly filter?: ((update: SessionUpdate) => boolean) | undefined;
}

export interface Subscription<Update> extends AsyncIterableIterator<Update> {
  /** Resolves when every later update will arrive: read the present state after it. Absent: from the beginning. */
  readonly started?: Promise<void>;
}

/** Sends changes of sessions and ledgers to subscribers. Each subscriber has its own queue of limited length. */
export interface EventBus {
  /** Adds the update to the queue of each matching subscriber. Does not wait for subscribers. */
  publish(update: SessionUpdate): void;
  /**
   * Yields the updates of one account from now on, those of one session in order of `seq` and each event once. When the queue of a slow subscriber is full, its oldest updates are
   * dropped and counted in `missed`. The newest update is never dropped, so a subscriber of one session always receives
   * the end of the session.
   * @returns an iterator that ends when `return()` is called or the signal aborts
   */
  subscribe(accountId: string, options?: SubscribeOptions): Subscription<SessionUpdate>;
  /** Announces a new row in the ledger of the account. */
  publishLedgerUpdate(accountId: string): void;
  /** Yields the account id when its ledger has new rows; merges updates that come while the reader is busy. Ends like `subscribe`. */
  subscribeLedger(accountId: string, signal?: AbortSignal): Subscription<string>;
}
