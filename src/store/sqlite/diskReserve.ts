/** A file that keeps space on the disk, for the moment when the disk is full. */
import { rmSync, statSync, writeFileSync } from 'node:fs';

/**
 * Size of the reserve in bytes. SQLite starts to move the write-ahead log into the database at 1,000 pages (4 MB), and
 * needs at most as much space for that.
 */
const RESERVE_BYTES = 5_000_000;

/** Space on the disk of the database. */
export class DiskReserve {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Takes the space if it is not taken yet. Does nothing if the disk does not have it. */
  take(): void {
    if (statSync(this.#path, { throwIfNoEntry: false })?.size === RESERVE_BYTES) return;
    try {
      writeFileSync(this.#path, new Uint8Array(RESERVE_BYTES), { mode: 0o600 });
    } catch {
      this.release();
    }
  }

  /** Gives the space back to the disk. */
  release(): void {
    rmSync(this.#path, { force: true });
  }
}
