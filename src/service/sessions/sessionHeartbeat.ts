/** Writes down now and then that sessions live: should the service be killed, their time is charged up to then. */
import type { Clock } from '../../domain/ports/clock.ts';
import type { SessionStore } from '../../domain/ports/sessionStore.ts';

/** Milliseconds. */
const HEARTBEAT_INTERVAL_MS = 10_000;

export class SessionHeartbeat {
  readonly #store: SessionStore;
  readonly #clock: Clock;
  readonly #liveSessionIds: () => readonly string[];
  #writing = false;
  #cancel: (() => void) | null = null;

  /** @param liveSessionIds ids of the sessions that live now */
  constructor(store: SessionStore, clock: Clock, liveSessionIds: () => readonly string[]) {
    this.#store = store;
    this.#clock = clock;
    this.#liveSessionIds = liveSessionIds;
  }

  /** Beats from now on, as long as any session lives. Idempotent. */
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
    if (this.#writing) return;
    this.#writing = true;
    // A beat that cannot be written is made up for by the next.
    void this.#store
      .recordSeen(ids, this.#clock.now())
      .catch(() => undefined)
      .finally(() => {
        this.#writing = false;
      });
  }
}
