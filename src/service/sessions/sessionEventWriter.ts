/** Writes the changes of one session and publishes them. Keeps events that cannot be written, and writes them with the next change. */
import { isFailure } from '../../domain/failures.ts';
import type { SessionUpdate } from '../../domain/ports/eventBus.ts';
import type { SessionChange, SessionStore } from '../../domain/ports/sessionStore.ts';
import type { SessionEvent } from '../../domain/sessionEvent.ts';
import type { SessionCharges } from '../billing/sessionCharges.ts';

/** The store that `SessionEventWriter` writes to, and the callbacks that it calls after a write. */
export interface SessionEventWriterDeps {
  readonly store: SessionStore;
  readonly publish: (update: SessionUpdate) => void;
  readonly publishLedgerUpdate: (accountId: string) => void;
  readonly warn: (message: string, error?: unknown) => void;
}

/**
 * Maximum number of unwritten events that a session keeps after a failed write. Older events are dropped, so that a
 * full disk does not fill the memory.
 */
const MAX_BUFFERED_EVENTS = 1_000;

/** Writes each change of a session to the store, together with the buffered events, then notifies the subscribers. */
export class SessionEventWriter {
  readonly #charges: SessionCharges;
  readonly #deps: SessionEventWriterDeps;
  #buffered: SessionEvent[] = [];

  constructor(charges: SessionCharges, deps: SessionEventWriterDeps) {
    this.#charges = charges;
    this.#deps = deps;
  }

  /** Keeps an event in memory until the next `write` stores it. */
  buffer(event: SessionEvent): void {
    this.#buffered.push(event);
  }

  /** Removes the events that no `write` has stored yet, and returns them. */
  takeBuffered(): SessionEvent[] {
    return this.#buffered.splice(0);
  }

  /**
   * Writes the change and the buffered events to the store, then notifies the subscribers. If the write fails, keeps the
   * buffered events for the next write, and reverts the charges of the change.
   * @throws Failure STORAGE_FULL; every other error of the store
   */
  async write(change: SessionChange): Promise<void> {
    const { session, ledger = [] } = change;
    const buffered = this.takeBuffered();
    try {
      const events = [...buffered, ...change.events];
      const stored = await this.#deps.store.commit({ ...change, events });
      this.#deps.publish({ session, events: stored });
      if (ledger.length > 0) this.#deps.publishLedgerUpdate(session.accountId);
    } catch (error) {
      // The caller receives the failure; the operator must find it in the log.
      if (isFailure(error, 'STORAGE_FULL'))
        this.#deps.warn(`Session ${session.id} could not be written`, error);
      for (const charge of ledger) this.#charges.revertCharge(charge);
      this.#buffered = [...buffered, ...this.#buffered].slice(-MAX_BUFFERED_EVENTS);
      throw error;
    }
  }
}
