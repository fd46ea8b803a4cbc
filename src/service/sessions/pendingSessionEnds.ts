/** Ends of sessions that could not be written: told to whoever asks, and written when the store takes them again. */
import type { Clock } from '../../domain/ports/clock.ts';
import type { EventBus } from '../../domain/ports/eventBus.ts';
import type { SessionChange, SessionStore } from '../../domain/ports/sessionStore.ts';
import type { Session } from '../../domain/session.ts';

/** How often it is tried again. Milliseconds. */
const RETRY_INTERVAL_MS = 5_000;

/** What it needs of the service. */
export interface PendingSessionEndsDeps {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly bus: EventBus;
}

/** A session whose browser is gone must not look alive because a disk was full for a minute. */
export class PendingSessionEnds {
  readonly #deps: PendingSessionEndsDeps;
  readonly #changes = new Map<string, SessionChange>();
  #cancel: (() => void) | null = null;

  constructor(deps: PendingSessionEndsDeps) {
    this.#deps = deps;
  }

  add(change: SessionChange): void {
    this.#changes.set(change.session.id, change);
    this.#schedule();
  }

  /** A session whose end is not written yet, as it really is. */
  get(sessionId: string): Session | null {
    return this.#changes.get(sessionId)?.session ?? null;
  }

  /** Tries to write all that is owed; what fails stays owed. */
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
        // Told when it failed first; it is tried until it succeeds.
      }
    if (this.#changes.size > 0) this.#schedule();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #schedule(): void {
    const { clock } = this.#deps;
    this.#cancel ??= clock.scheduleAt(clock.now() + RETRY_INTERVAL_MS, () => void this.flush());
  }
}
