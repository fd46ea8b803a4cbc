/** Removes ended sessions with their events, observations and files when the retention time is over. */
import type { Clock } from '../../domain/ports/clock.ts';
import type { SessionFileStore } from '../../domain/ports/sessionFileStore.ts';
import type { SessionRecordStore } from '../../domain/ports/sessionRecordStore.ts';
import type { SessionStore } from '../../domain/ports/sessionStore.ts';

const MS_PER_DAY = 86_400_000;
/** Time between two removals, in milliseconds. */
const RETENTION_INTERVAL_MS = 3_600_000;
/** Number of sessions that one transaction removes. Such a transaction blocks the store for a few milliseconds. */
const REMOVAL_BATCH_SIZE = 50;

/** Stores, clock and retention time of `SessionRetention`. */
export interface SessionRetentionDeps {
  readonly store: SessionStore;
  readonly files: SessionFileStore;
  readonly records: SessionRecordStore;
  readonly clock: Clock;
  /** Days for which an ended session is kept; null to keep it forever. */
  readonly retentionDays: number | null;
  /** Days for which the record of an ended session is kept; null to keep it as long as the session. */
  readonly recordRetentionDays: number | null;
  /** Called after each removal: other nodes may have files of these sessions. */
  readonly onSessionsRemoved?: (sessionIds: readonly string[]) => void;
  readonly warn: (message: string, error?: unknown) => void;
}

export async function removeFilesOf(
  sessionId: string,
  { files, records }: Pick<SessionRetentionDeps, 'files' | 'records'>,
): Promise<void> {
  await records.remove(sessionId);
  await files.remove(sessionId);
}

/** Every hour, removes sessions that ended more than `retentionDays` ago. */
export class SessionRetention {
  readonly #deps: SessionRetentionDeps;
  #cancel: (() => void) | null = null;
  #removal: Promise<void> = Promise.resolve();
  #isStopped = false;
  /** The wall-clock time minus the monotonic time, as of the construction. */
  readonly #wallOffset: number;

  constructor(deps: SessionRetentionDeps) {
    this.#deps = deps;
    this.#wallOffset = deps.clock.now() - deps.clock.monotonicNow();
  }

  /** Removes old sessions now, and then every hour. Does nothing if `retentionDays` is null. */
  start(): void {
    const { clock, retentionDays, recordRetentionDays, warn } = this.#deps;
    if ((retentionDays === null && recordRetentionDays === null) || this.#isStopped) return;
    // A wall clock that is set far forwards by mistake must not remove sessions: at most the time that has passed counts.
    const now = Math.min(clock.now(), this.#wallOffset + clock.monotonicNow());
    const before = (days: number) => now - days * MS_PER_DAY;
    this.#removal = (async () => {
      if (recordRetentionDays !== null) await this.removeRecordsBefore(before(recordRetentionDays));
      if (retentionDays === null) return;
      await this.removeEndedBefore(before(retentionDays));
      await this.removeFilesBefore(before(retentionDays));
    })().catch(error => warn('Old sessions could not be removed', error));
    this.#cancel = clock.scheduleAfter(RETENTION_INTERVAL_MS, () => this.start());
  }

  /**
   * Removes every session that ended before this time, with its events, observation and files.
   * @param time milliseconds since the epoch
   * @returns the number of removed sessions
   */
  async removeEndedBefore(time: number): Promise<number> {
    const { store } = this.#deps;
    let removed = 0;
    while (!this.#isStopped) {
      const ids = await store.endedBefore(time, REMOVAL_BATCH_SIZE);
      // Remove the files first: if the process dies meanwhile, the row still exists, and the next run finds the files through it.
      for (const id of ids) await removeFilesOf(id, this.#deps);
      await store.remove(ids);
      if (ids.length > 0) this.#deps.onSessionsRemoved?.(ids);
      removed += ids.length;
      if (ids.length < REMOVAL_BATCH_SIZE) break;
    }
    return removed;
  }

  /**
   * Removes the files of sessions that are not in the store any more: another node removed the session, and its announcement was lost.
   * @param time files of which one was added after it stay, in milliseconds since the epoch
   */
  async removeFilesBefore(time: number): Promise<void> {
    const { store, files, records } = this.#deps;
    const ids = [
      ...new Set([...(await files.unchangedSince(time)), ...(await records.unchangedSince(time))]),
    ];
    for (let start = 0; start < ids.length && !this.#isStopped; start += REMOVAL_BATCH_SIZE) {
      const batch = ids.slice(start, start + REMOVAL_BATCH_SIZE);
      const numbers = await store.lastSeqs(batch);
      for (const [index, id] of batch.entries())
        if (numbers[index] === 0) await removeFilesOf(id, this.#deps);
    }
  }

  /** Removes the records that were written last before this time, in milliseconds since the epoch. */
  async removeRecordsBefore(time: number): Promise<void> {
    const { records } = this.#deps;
    for (const id of await records.unchangedSince(time)) if (!this.#isStopped) await records.remove(id);
  }

  /** Stops the removals for good. Resolves when a running removal has stopped. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel?.();
    await this.#removal;
  }
}
