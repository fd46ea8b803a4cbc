/** Records at intervals which sessions are running. If the service is killed, their time is charged until the last record. */
import type { Clock } from '../../domain/ports/clock.ts';
import type { SessionStore } from '../../domain/ports/sessionStore.ts';

/** Time between two records of the running sessions, in milliseconds. */
const HEARTBEAT_INTERVAL_MS = 10_000;

/**
 * Writes to the store, every ten seconds, which sessions run. If the process is killed, the next one charges each
 * session until its last record.
 */
export class SessionHeartbeat {
  readonly #store: SessionStore;
  readonly #clock: Clock;
  readonly #liveSessionIds: () => readonly string[];
  #isWriting = false;
  #cancel: (() => void) | null = null;

  /** @param liveSessionIds returns the ids of the sessions that run in this process */
  constructor(store: SessionStore, clock: Clock, liveSessionIds: () => readonly string[]) {
    this.#store = store;
    this.#clock = clock;
    this.#liveSessionIds = liveSessionIds;
  }

  /** Starts to record the running sessions. Stops by itself when no session runs. Idempotent. */
  start(): void {
    this.#cancel ??= this.#clock.scheduleAt(this.#clock.now() + HEARTBEAT_INTERVAL_MS, () => this.#beat());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #beat(): void {
    this.#cancel = null;
    const ids = this.#liveSessionIds();
    if (ids.length === 0) return;
    this.start();
    if (this.#isWriting) return;
    this.#isWriting = true;
    // A failed write needs no retry: the next heartbeat replaces it.
    void this.#store
      .recordSeen(ids, this.#clock.now())
      .catch(() => undefined)
      .finally(() => {
        this.#isWriting = false;
      });
  }
}
