/** Knows whether the store has space for a session. */
import { isFailure } from '../../domain/failure/failures.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { SessionChange, SessionStore } from '../../domain/ports/sessionStore.ts';
import type { StoredEvent } from '../../domain/session/sessionEvent.ts';

/** Time between two checks whether a full store has space again, in milliseconds. */
const CHECK_INTERVAL_MS = 2_000;

/**
 * Observes the writes of a store. After a write that failed because the disk is full, it checks every two seconds
 * whether there is space again.
 */
export class StorageMonitor {
  readonly #store: SessionStore;
  readonly #clock: Clock;
  #cancel: (() => void) | null = null;
  #isStopped = false;

  constructor(store: SessionStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** True since the first write that found the disk full, until a check finds space. */
  get isFull(): boolean {
    return this.#cancel !== null;
  }

  /** Returns the store, with a `commit` that this monitor observes. */
  observedStore(): SessionStore {
    return { ...this.#store, commit: change => this.#commit(change) };
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
    this.#cancel = null;
  }

  async #commit(change: SessionChange): Promise<readonly StoredEvent[]> {
    try {
      return await this.#store.commit(change);
    } catch (error) {
      if (isFailure(error, 'STORAGE_FULL')) this.#schedule();
      throw error;
    }
  }

  #schedule(): void {
    if (this.#isStopped) return;
    this.#cancel ??= this.#clock.scheduleAfter(CHECK_INTERVAL_MS, () => void this.#check());
  }

  async #check(): Promise<void> {
    const hasSpace = await this.#store.assertWritable().then(
      () => true,
      () => false,
    );
    this.#cancel = null;
    if (!hasSpace) this.#schedule();
  }
}
