/** Writes down now and then that sessions live: should the service be killed, their time is charged up to then. */
import type { Clock, SessionStore } from '../domain/ports.ts';

/** Milliseconds. */
const BEAT_EVERY_MS = 10_000;

export class Heartbeat {
  readonly #store: SessionStore;
  readonly #clock: Clock;
  readonly #living: () => readonly string[];
  #writing = false;
  #cancel: (() => void) | null = null;

  /** @param living ids of the sessions that live now */
  constructor(store: SessionStore, clock: Clock, living: () => readonly string[]) {
    this.#store = store;
    this.#clock = clock;
    this.#living = living;
  }

  /** Beats from now on, as long as any session lives. Idempotent. */
  start(): void {
    this.#cancel ??= this.#clock.wakeAt(this.#clock.now() + BEAT_EVERY_MS, () => this.#beat());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #beat(): void {
    this.#cancel = null;
    const ids = this.#living();
    if (ids.length === 0) return;
    this.start();
    if (this.#writing) return;
    this.#writing = true;
    // A beat that cannot be written is made up for by the next.
    void this.#store
      .seen(ids, this.#clock.now())
      .catch(() => undefined)
      .finally(() => {
        this.#writing = false;
      });
  }
}
