/** Ended sessions are kept for a time, and then removed with their events, observations and files. */
import type { Clock, SessionFiles, SessionStore } from '../domain/ports.ts';

const DAY_MS = 86_400_000;
/** How often it is looked. Milliseconds. */
const LOOK_EVERY_MS = 3_600_000;
/** So many sessions are removed in one go: a few milliseconds for which the store answers nobody else. */
const BATCH = 50;

/** What retention needs. */
export interface RetentionParts {
  readonly store: SessionStore;
  readonly files: SessionFiles;
  readonly clock: Clock;
  /** Days that an ended session is kept; null for ever. */
  readonly retentionDays: number | null;
  readonly warn: (message: string, error?: unknown) => void;
}

export class Retention {
  readonly #parts: RetentionParts;
  #cancel: (() => void) | null = null;
  #trimming: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
  }

  /** Looks now, and then every hour. */
  start(): void {
    const { clock, retentionDays, warn } = this.#parts;
    if (retentionDays === null || this.#stopped) return;
    this.#trimming = this.trim(clock.now() - retentionDays * DAY_MS).then(
      () => {},
      error => warn('Old sessions could not be removed', error),
    );
    this.#cancel = clock.wakeAt(clock.now() + LOOK_EVERY_MS, () => this.start());
  }

  /** Removes every session that ended before this time. @returns how many */
  async trim(endedBefore: number): Promise<number> {
    const { store, files } = this.#parts;
    let removed = 0;
    while (!this.#stopped) {
      const ids = await store.endedBefore(endedBefore, BATCH);
      // Files first: where the process dies in between, the row is there for the next time to find them by.
      for (const id of ids) await files.remove(id);
      await store.remove(ids);
      removed += ids.length;
      if (ids.length < BATCH) break;
    }
    return removed;
  }

  /** Resolves when nothing is being removed any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    await this.#trimming;
  }
}
