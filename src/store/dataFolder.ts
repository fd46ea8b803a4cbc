/** The folder that holds what the service keeps: made private, used by one service at a time. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

/** The folder cannot be used; the message says why and what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/** A data folder that is there. */
export interface DataFolder {
  /** Absolute. */
  readonly path: string;
  /** Where the embedded store's file is. */
  readonly databasePath: string;
  /** Where requests are counted. */
  readonly rateLimitsPath: string;
  /** Where sessions keep their files. */
  readonly sessionsPath: string;
  /** Where the record of started browsers is. */
  readonly browsersPath: string;
  /**
   * Keeps every other service out until the returned function is called (idempotent) or this process is gone, however it ends.
   * @throws DataFolderError naming the process that holds it
   */
  lock(): () => void;
}

const lockOwnerSchema = z.object({ pid: z.int(), startedAt: z.iso.datetime() });

/** Which service holds the folder, for whoever finds it held. */
export type LockOwner = z.infer<typeof lockOwnerSchema>;

/**
 * Makes the folder where it is missing, readable by its owner alone.
 * @param dir relative to the working directory, or absolute
 * @throws DataFolderError when it cannot be made or is no folder
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
 * The lock is one that the system itself drops when the process ends (SQLite's, on a file of its own): there is no stale
 * lock to judge, no process number that may have been given to another since. The record beside it only tells who.
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
  const holder = held;
  const release = () => {
    if (holder.isOpen) holder.close();
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
  const who =
    record === null ? 'another process' : `process ${record.pid}, running since ${record.startedAt}`;
  return `The data folder ${path} is in use by ${who}. Stop it, or set PAGESPACE_DATA_DIR to another folder.`;
};

function readLockOwner(recordPath: string): LockOwner | null {
  try {
    return lockOwnerSchema.parse(JSON.parse(readFileSync(recordPath, 'utf8')));
  } catch {
    // Whoever holds the lock has not written its record yet: it goes unnamed.
    return null;
  }
}

function unusableFolder(path: string, cause: unknown): DataFolderError {
  const said = cause instanceof Error ? cause.message : String(cause);
  return new DataFolderError(
    `The data folder ${path} cannot be used: ${said}. Set PAGESPACE_DATA_DIR to a folder that can be written.`,
    {
      cause,
    },
  );
}
