/** Writes the changes of one session and publishes them. Keeps events that cannot be written, and writes them with the next change. */
import { isFailure } from '../../domain/failures.ts';
import type { SessionUpdate } from '../../domain/ports/eventBus.ts';
import type { SessionChange, SessionStore } from '../../domain/ports/sessionStore.ts';
import type { SessionEvent } from '../../domain/sessionEvent.ts';
import type { SessionCharges } from '../billing/sessionCharges.ts';

/** Store and callbacks of the writer. */
export interface SessionEventWriterDeps {
  readonly store: SessionStore;
  readonly publish: (update: SessionUpdate) => void;
  readonly publishLedgerUpdate: (accountId: string) => void;
  readonly warn: (message: string, error?: unknown) => void;
}

/** Maximum number of kept events. Older events are dropped, so that a full disk does not fill the memory. */
const MAX_BUFFERED_EVENTS = 1_000;

/** Commits each change with the buffered events, then publishes it. */
export class SessionEventWriter {
  readonly #charges: SessionCharges;
  readonly #deps: SessionEventWriterDeps;
  #buffered: SessionEvent[] = [];

  constructor(charges: SessionCharges, deps: SessionEventWriterDeps) {
    this.#charges = charges;
    this.#deps = deps;
  }

  /** Keeps an event. The next `write` stores it. */
  buffer(event: SessionEvent): void {
    this.#buffered.push(event);
  }

  /** Removes and returns the buffered events. */
  takeBuffered(): SessionEvent[] {
    return this.#buffered.splice(0);
  }

  /**
   * Writes the buffered events and the change. On failure it buffers the events again and reverts the charges.
   * @throws Failure STORAGE_FULL; Error
   */
  async write(change: SessionChange): Promise<void> {
    const { session, ledger = [] } = change;
    const buffered = this.takeBuffered();
    try {
      const stored = await this.#deps.store.commit({ ...change, events: [...buffered, ...change.events] });
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
