/** Writes what happens to one session, then tells of it; what could not be written goes along with the next. */
import type { SessionEvent } from '../domain/events.ts';
import { isFailure } from '../domain/failures.ts';
import type { SessionChange, SessionNotice, SessionStore } from '../domain/ports.ts';
import type { SessionMeter } from './sessionMeter.ts';

export interface SessionPenSurroundings {
  readonly store: SessionStore;
  readonly publish: (notice: SessionNotice) => void;
  /** Told when the account's ledger has a new row. */
  readonly booked: (accountId: string) => void;
  readonly warn: (message: string, error?: unknown) => void;
}

/** Of more notes than this the oldest is given up: a store that stays full must not fill the memory. */
const MOST_NOTES = 1_000;

export class SessionPen {
  readonly #meter: SessionMeter;
  readonly #around: SessionPenSurroundings;
  #notes: SessionEvent[] = [];

  constructor(meter: SessionMeter, around: SessionPenSurroundings) {
    this.#meter = meter;
    this.#around = around;
  }

  /** Notes an event for the next change that is written. */
  note(event: SessionEvent): void {
    this.#notes.push(event);
  }

  /** The events noted so far, which are the caller's to write now. */
  takeNotes(): SessionEvent[] {
    return this.#notes.splice(0);
  }

  /**
   * Writes the change, the noted events before its own.
   * @throws Failure STORAGE_FULL, Error; the noted events wait for the next change then, and the charges are taken back
   */
  async write(change: SessionChange): Promise<void> {
    const { session, ledger = [] } = change;
    const noted = this.takeNotes();
    try {
      const stored = await this.#around.store.commit({ ...change, events: [...noted, ...change.events] });
      this.#around.publish({ session, events: stored });
      if (ledger.length > 0) this.#around.booked(session.accountId);
    } catch (error) {
      // The caller is told; whoever runs the service has to be told as well.
      if (isFailure(error, 'STORAGE_FULL'))
        this.#around.warn(`Session ${session.id} could not be written`, error);
      for (const charge of ledger) this.#meter.takeBack(charge);
      this.#notes = [...noted, ...this.#notes].slice(-MOST_NOTES);
      throw error;
    }
  }
}
