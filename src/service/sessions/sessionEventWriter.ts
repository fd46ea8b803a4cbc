/** Writes what happens to one session, then tells of it; what could not be written goes along with the next. */

import { isFailure } from '../../domain/failures.ts';
import type { SessionUpdate } from '../../domain/ports/eventBus.ts';
import type { SessionChange, SessionStore } from '../../domain/ports/sessionStore.ts';
import type { SessionEvent } from '../../domain/sessionEvent.ts';
import type { SessionMeter } from '../billing/sessionMeter.ts';

export interface SessionEventWriterDeps {
  readonly store: SessionStore;
  readonly publish: (notice: SessionUpdate) => void;
  /** Told when the account's ledger has a new row. */
  readonly publishLedgerUpdate: (accountId: string) => void;
  readonly warn: (message: string, error?: unknown) => void;
}

/** Of more notes than this the oldest is given up: a store that stays full must not fill the memory. */
const MAX_BUFFERED_EVENTS = 1_000;

export class SessionEventWriter {
  readonly #meter: SessionMeter;
  readonly #deps: SessionEventWriterDeps;
  #buffered: SessionEvent[] = [];

  constructor(meter: SessionMeter, deps: SessionEventWriterDeps) {
    this.#meter = meter;
    this.#deps = deps;
  }

  /** Notes an event for the next change that is written. */
  buffer(event: SessionEvent): void {
    this.#buffered.push(event);
  }

  /** The events noted so far, which are the caller's to write now. */
  takeBuffered(): SessionEvent[] {
    return this.#buffered.splice(0);
  }

  /**
   * Writes the change, the noted events before its own.
   * @throws Failure STORAGE_FULL, Error; the noted events wait for the next change then, and the charges are taken back
   */
  async write(change: SessionChange): Promise<void> {
    const { session, ledger = [] } = change;
    const buffered = this.takeBuffered();
    try {
      const stored = await this.#deps.store.commit({ ...change, events: [...buffered, ...change.events] });
      this.#deps.publish({ session, events: stored });
      if (ledger.length > 0) this.#deps.publishLedgerUpdate(session.accountId);
    } catch (error) {
      // The caller is told; whoever runs the service has to be told as well.
      if (isFailure(error, 'STORAGE_FULL'))
        this.#deps.warn(`Session ${session.id} could not be written`, error);
      for (const charge of ledger) this.#meter.revertCharge(charge);
      this.#buffered = [...buffered, ...this.#buffered].slice(-MAX_BUFFERED_EVENTS);
      throw error;
    }
  }
}
