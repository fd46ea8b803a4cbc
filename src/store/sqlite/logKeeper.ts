/** Keeps the write-ahead log of an SQLite file short and on the disk, from a connection that writes nothing else. */
import { closeSync, fdatasyncSync, fstatSync, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

/**
 * Pages of the log (4 kB each) that are not in the database yet, at which a checkpoint moves them: 4 MB, SQLite's own default. A commit
 * that follows a complete checkpoint begins the log anew, and waits for the disk to do so (3 ms on a fast one): with a checkpoint
 * after each pause, every operation that follows a pause would wait.
 */
export const CHECKPOINT_PAGES = 1_000;

/** File systems state the time of a change in steps of some milliseconds: a commit so soon after another can have the same time. */
const MTIME_STEP_MS = 100;

export type LogTurn = 'checkpoint' | 'sync' | 'nothing';

/** Moves the log into the database when it is long, and else sees to it that the disk has it. */
export class LogKeeper {
  readonly #database: DatabaseSync;
  readonly #logPath: string;
  #log: number | null = null;
  /** The time of the last change of the log that the disk has for certain, in milliseconds since the epoch. */
  #syncedAt: number | null = null;

  constructor(database: DatabaseSync, path: string) {
    this.#database = database;
    this.#logPath = `${path}-wal`;
  }

  /**
   * Makes a checkpoint if the log is long. Otherwise writes the commits since the last turn to the disk, so that a power cut can lose
   * only those after it. Neither makes a reader or a writer wait.
   * @throws Error when the disk is full, or another connection makes a checkpoint
   */
  turn(): LogTurn {
    if (this.#waitingPages() >= CHECKPOINT_PAGES) {
      this.#database.exec('pragma wal_checkpoint(passive)');
      return 'checkpoint';
    }
    return this.#syncLog() ? 'sync' : 'nothing';
  }

  /** Not the database. */
  close(): void {
    if (this.#log !== null) closeSync(this.#log);
    this.#log = null;
  }

  #waitingPages(): number {
    const row = this.#database.prepare('pragma wal_checkpoint(noop)').get();
    return Number(row?.log ?? 0) - Number(row?.checkpointed ?? 0);
  }

  #syncLog(): boolean {
    this.#log ??= openSync(this.#logPath, 'r+');
    const { mtimeMs } = fstatSync(this.#log);
    if (mtimeMs === this.#syncedAt) return false;
    fdatasyncSync(this.#log);
    this.#syncedAt = Date.now() - mtimeMs > MTIME_STEP_MS ? mtimeMs : null;
    return true;
  }
}
