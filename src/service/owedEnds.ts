/** Ends of sessions that could not be written: told to whoever asks, and written when the store takes them again. */
import type { Clock, EventBus, SessionChange, SessionStore } from '../domain/ports.ts';
import type { Session } from '../domain/session.ts';

/** How often it is tried again. Milliseconds. */
const TRY_EVERY_MS = 5_000;

/** What it needs of the service. */
export interface OwedParts {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly bus: EventBus;
}

/** A session whose browser is gone must not look alive because a disk was full for a minute. */
export class OwedEnds {
  readonly #parts: OwedParts;
  readonly #owed = new Map<string, SessionChange>();
  #cancel: (() => void) | null = null;

  constructor(parts: OwedParts) {
    this.#parts = parts;
  }

  owe(change: SessionChange): void {
    this.#owed.set(change.session.id, change);
    this.#arm();
  }

  /** A session whose end is not written yet, as it really is. */
  peek(sessionId: string): Session | null {
    return this.#owed.get(sessionId)?.session ?? null;
  }

  /** Tries to write all that is owed; what fails stays owed. */
  async settle(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    for (const [id, change] of [...this.#owed])
      try {
        const events = await this.#parts.store.commit(change);
        this.#owed.delete(id);
        this.#parts.bus.publish({ session: change.session, events });
        if ((change.ledger ?? []).length > 0) this.#parts.bus.booked(change.session.accountId);
      } catch {
        // Told when it failed first; it is tried until it succeeds.
      }
    if (this.#owed.size > 0) this.#arm();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #arm(): void {
    const { clock } = this.#parts;
    this.#cancel ??= clock.wakeAt(clock.now() + TRY_EVERY_MS, () => void this.settle());
  }
}
