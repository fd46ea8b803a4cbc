/** The data folder of the service. Only its owner can read it, and one service at a time uses it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

/** The folder cannot be used; the message says why and what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/** An existing data folder. */
export interface DataFolder {
  /** Absolute path of the folder. */
  readonly path: string;
  /** Path of the embedded store's file. */
  readonly databasePath: string;
  /** Path of the request counters' file. */
  readonly rateLimitsPath: string;
  /** Path of the folder with the session files. */
  readonly sessionsPath: string;
  /** Path of the browser process registry. */
  readonly browsersPath: string;
  /**
   * Locks the folder until this process ends.
   * @returns a function that unlocks the folder; idempotent
   * @throws DataFolderError with the process that holds the lock
   */
  lock(): () => void;
}

const lockOwnerSchema = z.object({ pid: z.int(), startedAt: z.iso.datetime() });

/** The process that holds the lock, for the error message of another process. */
export type LockOwner = z.infer<typeof lockOwnerSchema>;

/**
 * Creates the folder if it is missing, readable only by its owner.
 * @param dir absolute, or relative to the working directory
 * @throws DataFolderError if it cannot be created or is not a folder
 */
export function dataFolder(dir: string): DataFolder {
  const path = resolve(dir);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw unusableFolder(path, cause);
  }
  return {
    path,
    databasePath: join(path, 'store.sqlite'),
    rateLimitsPath: join(path, 'limits.sqlite'),
    sessionsPath: join(path, 'sessions'),
    browsersPath: join(path, 'browsers'),
    lock: () => lockFolder(path),
  };
}

/**
 * Uses an SQLite lock on a separate file: the system releases it when the process ends. So a lock is never stale, and
 * no pid is needed, which another process may have received since. The record beside the lock only names its owner.
 */
function lockFolder(path: string): () => void {
  const recordPath = join(path, 'process.json');
  let held: DatabaseSync | undefined;
  try {
    held = new DatabaseSync(join(path, 'lock.sqlite'), { timeout: 0 });
    held.exec('begin exclusive');
  } catch (cause) {
    held?.close();
    if (isBusy(cause)) throw new DataFolderError(lockedMessage(path, readLockOwner(recordPath)), { cause });
    throw unusableFolder(path, cause);
  }
  const lockFile = held;
  const release = () => {
    if (lockFile.isOpen) lockFile.close();
  };
  try {
    const startedAt = new Date(Date.now() - process.uptime() * 1_000).toISOString();
    const record: LockOwner = { pid: process.pid, startedAt };
    writeFileSync(recordPath, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  } catch (cause) {
    release();
    throw unusableFolder(path, cause);
  }
  return release;
}

/** SQLITE_BUSY (https://www.sqlite.org/rescode.html#busy). */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === 5;

const lockedMessage = (path: string, record: LockOwner | null): string => {
  const owner =
    record === null ? 'another process' : `process ${record.pid}, running since ${record.startedAt}`;
  return `The data folder ${path} is in use by ${owner}. Stop it, or set PAGESPACE_DATA_DIR to another folder.`;
};

function readLockOwner(recordPath: string): LockOwner | null {
  try {
    return lockOwnerSchema.parse(JSON.parse(readFileSync(recordPath, 'utf8')));
  } catch {
    // The owner of the lock has not written its record yet.
    return null;
  }
}

function unusableFolder(path: string, cause: unknown): DataFolderError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DataFolderError(
    `The data folder ${path} cannot be used: ${reason}. Set PAGESPACE_DATA_DIR to a writable folder.`,
    {
      cause,
    },
  );
}
