/** Ended sessions are kept for a time, and then removed with their events, observations and files. */
import type { Clock } from '../../domain/ports/clock.ts';
import type { SessionFileStore } from '../../domain/ports/sessionFileStore.ts';
import type { SessionStore } from '../../domain/ports/sessionStore.ts';

const MS_PER_DAY = 86_400_000;
/** How often it is looked. Milliseconds. */
const RETENTION_INTERVAL_MS = 3_600_000;
/** So many sessions are removed in one go: a few milliseconds for which the store answers nobody else. */
const REMOVAL_BATCH_SIZE = 50;

/** What retention needs. */
export interface SessionRetentionDeps {
  readonly store: SessionStore;
  readonly files: SessionFileStore;
  readonly clock: Clock;
  /** Days that an ended session is kept; null for ever. */
  readonly retentionDays: number | null;
  readonly warn: (message: string, error?: unknown) => void;
}

export class SessionRetention {
  readonly #deps: SessionRetentionDeps;
  #cancel: (() => void) | null = null;
  #removal: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(deps: SessionRetentionDeps) {
    this.#deps = deps;
  }

  /** Looks now, and then every hour. */
  start(): void {
    const { clock, retentionDays, warn } = this.#deps;
    if (retentionDays === null || this.#stopped) return;
    this.#removal = this.removeEndedBefore(clock.now() - retentionDays * MS_PER_DAY).then(
      () => {},
      error => warn('Old sessions could not be removed', error),
    );
    this.#cancel = clock.scheduleAt(clock.now() + RETENTION_INTERVAL_MS, () => this.start());
  }

  /** Removes every session that ended before this time. @returns how many */
  async removeEndedBefore(time: number): Promise<number> {
    const { store, files } = this.#deps;
    let removed = 0;
    while (!this.#stopped) {
      const ids = await store.endedBefore(time, REMOVAL_BATCH_SIZE);
      // Files first: where the process dies in between, the row is there for the next time to find them by.
      for (const id of ids) await files.remove(id);
      await store.remove(ids);
      removed += ids.length;
      if (ids.length < REMOVAL_BATCH_SIZE) break;
    }
    return removed;
  }

  /** Resolves when nothing is being removed any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    await this.#removal;
  }
}
