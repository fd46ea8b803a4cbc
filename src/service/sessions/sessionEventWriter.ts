import { setTimeout as delay } from 'node:timers/promises';
import { isFailure } from '../../domain/failure/failures.ts';
import type { SessionUpdate } from '../../domain/ports/eventBus.ts';
import type { SessionChange, SessionStore } from '../../domain/ports/sessionStore.ts';
import type { SessionEvent, StoredEvent } from '../../domain/session/sessionEvent.ts';
import type { SessionCharges } from '../billing/sessionCharges.ts';

export interface SessionEventWriterDeps {
  readonly store: SessionStore;
  readonly publish: (update: SessionUpdate) => void;
  readonly publishLedgerUpdate: (accountId: string) => void;
  readonly warn: (message: string, error?: unknown) => void;
}

/** After a failed write, older events are dropped, so that a full disk does not fill the memory. */
const MAX_BUFFERED_EVENTS = 1_000;

/** Attempts to learn the outcome of a write, and the milliseconds between two of them: a node loses its lease after as long. */
const OUTCOME_ATTEMPTS = 6;
const OUTCOME_INTERVAL_MS = 500;

/** Writes each change of a session to the store, together with the buffered events, then notifies the subscribers. */
export class SessionEventWriter {
  readonly #charges: SessionCharges;
  readonly #deps: SessionEventWriterDeps;
  #buffered: SessionEvent[] = [];
  /** Number of the last event that is stored. Nothing else writes events of a running session. */
  #lastSeq = 0;
  readonly #running = new Set<Promise<void>>();

  constructor(charges: SessionCharges, deps: SessionEventWriterDeps) {
    this.#charges = charges;
    this.#deps = deps;
  }

  buffer(event: SessionEvent): void {
    this.#buffered.push(event);
  }

  takeBuffered(): SessionEvent[] {
    return this.#buffered.splice(0);
  }

  /**
   * Writes the change and the buffered events to the store, then notifies the subscribers. If the write fails, keeps the
   * buffered events for the next write, and reverts the charges of the change.
   * @throws Failure STORAGE_FULL; every other error of the store
   */
  write(change: SessionChange): Promise<void> {
    const work = this.#write(change).finally(() => this.#running.delete(work));
    this.#running.add(work);
    return work;
  }

  /** True while a write runs: until its end the service does not know whether the ledger has what it charges. */
  get isWriting(): boolean {
    return this.#running.size > 0;
  }

  /** Resolves when no write runs. Never rejects. */
  async settled(): Promise<void> {
    while (this.isWriting) await Promise.allSettled(this.#running);
  }

  async #write(change: SessionChange): Promise<void> {
    const { session, ledger = [] } = change;
    const buffered = this.takeBuffered();
    using _writing = this.#charges.beginWrite();
    try {
      const events = [...buffered, ...change.events];
      const stored = await this.#deps.store
        .commit({ ...change, events })
        .catch(error => this.#storedAfterAll(session.id, events, error));
      this.#lastSeq = stored.at(-1)?.seq ?? this.#lastSeq;
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

  /** Returns the events of a write whose outcome the store does not know, if they are stored. @throws `error` if they are not */
  async #storedAfterAll(
    sessionId: string,
    events: readonly SessionEvent[],
    error: unknown,
  ): Promise<readonly StoredEvent[]> {
    if (!isFailure(error, 'OUTCOME_UNKNOWN') || events.length === 0) throw error;
    for (let attempt = 0; attempt < OUTCOME_ATTEMPTS; attempt++) {
      const [newest] = await this.#deps.store.lastSeqs([sessionId]).catch(() => []);
      if (newest === this.#lastSeq + events.length)
        return events.map((event, index) => ({ sessionId, seq: this.#lastSeq + 1 + index, event }));
      if (newest !== undefined) throw error;
      await delay(OUTCOME_INTERVAL_MS);
    }
    throw error;
  }
}
