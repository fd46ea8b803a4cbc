/** Records at intervals which sessions are running. If the service is killed, their time is charged until the last record. */
import type { SessionMeter } from '../../domain/account/ledger.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { SessionStore } from '../../domain/ports/sessionStore.ts';

/** Time between two records of the running sessions, in milliseconds. */
const HEARTBEAT_INTERVAL_MS = 10_000;

/**
 * Writes to the store, every ten seconds, which sessions run and their browser time. If the process is killed, the next
 * one charges the time of each session that its last record has.
 */
export class SessionHeartbeat {
  readonly #store: SessionStore;
  readonly #clock: Clock;
  readonly #meters: () => ReadonlyMap<string, SessionMeter> | null;
  #isWriting = false;
  #cancel: (() => void) | null = null;

  /** @param meters returns the browser time of the sessions to record, by session id; null when no session runs in this process */
  constructor(store: SessionStore, clock: Clock, meters: () => ReadonlyMap<string, SessionMeter> | null) {
    this.#store = store;
    this.#clock = clock;
    this.#meters = meters;
  }

  /** Starts to record the running sessions. Stops by itself when no session runs. Idempotent. */
  start(): void {
    this.#cancel ??= this.#clock.scheduleAfter(HEARTBEAT_INTERVAL_MS, () => this.#beat());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #beat(): void {
    this.#cancel = null;
    const meters = this.#meters();
    if (meters === null) return;
    this.start();
    if (this.#isWriting || meters.size === 0) return;
    this.#isWriting = true;
    // A failed write needs no retry: the next heartbeat replaces it.
    void this.#store
      .recordSeen(meters, this.#clock.now())
      .catch(() => undefined)
      .finally(() => {
        this.#isWriting = false;
      });
  }
}
