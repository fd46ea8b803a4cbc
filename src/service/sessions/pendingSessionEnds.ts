/** Keeps session ends that could not be written. Reads return them already; they are written as soon as the store accepts them. */
import type { Clock } from '../../domain/ports/clock.ts';
import type { EventBus } from '../../domain/ports/eventBus.ts';
import type { SessionChange, SessionStore } from '../../domain/ports/sessionStore.ts';
import type { Session } from '../../domain/session/session.ts';

/** Time between two attempts to write the pending ends, in milliseconds. */
const RETRY_INTERVAL_MS = 5_000;

/**
 * The store that `PendingSessionEnds` writes to, the clock for its retries, and the bus that it notifies after a
 * write.
 */
export interface PendingSessionEndsDeps {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly bus: EventBus;
}

/**
 * Keeps each session end that could not be written, and retries. Without this, a session whose browser has closed would
 * appear active while the disk is full.
 */
export class PendingSessionEnds {
  readonly #deps: PendingSessionEndsDeps;
  /** The changes that are not written yet, by session id. */
  readonly #changes = new Map<string, SessionChange>();
  #cancel: (() => void) | null = null;

  constructor(deps: PendingSessionEndsDeps) {
    this.#deps = deps;
  }

  /** Keeps a change that ends a session, and writes it later. */
  add(change: SessionChange): void {
    this.#changes.set(change.session.id, change);
    this.#schedule();
  }

  /** Returns the ended state of a session whose end is not written yet; null for every other session. */
  get(sessionId: string): Session | null {
    return this.#changes.get(sessionId)?.session ?? null;
  }

  /** Tries to write all pending session ends, and notifies the subscribers of each written one. The others are retried later. */
  async flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    for (const [id, change] of [...this.#changes])
      try {
        const events = await this.#deps.store.commit(change);
        this.#changes.delete(id);
        this.#deps.bus.publish({ session: change.session, events });
        if ((change.ledger ?? []).length > 0) this.#deps.bus.publishLedgerUpdate(change.session.accountId);
      } catch {
        // The session logged the first failed write; the next flush tries again.
      }
    if (this.#changes.size > 0) this.#schedule();
  }

  /** Forgets all pending ends, because this node may no longer write them. */
  clear(): void {
    this.stop();
    this.#changes.clear();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #schedule(): void {
    const { clock } = this.#deps;
    this.#cancel ??= clock.scheduleAfter(RETRY_INTERVAL_MS, () => void this.flush());
  }
}
