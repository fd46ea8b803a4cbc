/** The request counters: a separate SQLite file, so that counting never waits for a transaction of the store. */
import { rmSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { CounterStatement, RateLimitCounters } from '../../domain/ports/rateLimiter.ts';
import { sqliteOpeningError } from '../openingError.ts';

/** Milliseconds that a write waits for a write of another process. It is far longer than such a write takes. */
const BUSY_TIMEOUT_MS = 1_000;

/** A window that ends later than this was written before the wall clock was set back. Milliseconds. */
const MAX_WINDOW_MS = 60_000;

/** Number of writes between two deletions of expired counts. */
const SWEEP_INTERVAL_WRITES = 1_000;

/**
 * Opens the SQLite file that counts requests for the rate limits. Creates it if it is missing, and replaces a damaged
 * file: it contains only the counts of one minute.
 * Writes do not wait for the disk (synchronous=OFF): a killed process loses nothing, but a power failure can lose the
 * file.
 * @param path a file, or `:memory:`
 * @throws StoreError if the file cannot be written
 */
export function openRateLimitCounters(path: string): RateLimitCounters {
  const database = openOrRecreate(path);
  const prepared = new Map<string, CounterStatement>();
  const shift = database.prepare('update windows set expire = expire + ?');
  const sweep = database.prepare('delete from windows where expire < ?');
  let writes = 0;
  return {
    tableName: 'windows',
    prepare(sql) {
      if (++writes % SWEEP_INTERVAL_WRITES === 0) sweep.run(Date.now());
      const known = prepared.get(sql) ?? toCounterStatement(database.prepare(sql));
      prepared.set(sql, known);
      return known;
    },
    // Each count is one statement, which is its own transaction.
    transaction: work => work,
    shiftWindows(byMs) {
      try {
        shift.run(byMs);
      } catch {
        // Without the shift, a window lasts too long or ends early once.
      }
    },
    close() {
      if (database.isOpen) database.close();
    },
  };
}

const toCounterStatement = (statement: StatementSync): CounterStatement => ({
  get: (...values: SQLInputValue[]) => statement.get(...values),
  run: (...values: SQLInputValue[]) => ({ changes: Number(statement.run(...values).changes) }),
});

function openOrRecreate(path: string): DatabaseSync {
  try {
    return open(path);
  } catch (error) {
    if (!isDamaged(error)) throw sqliteOpeningError('file', path, error);
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
    return open(path);
  }
}

/**
 * SQLITE_ERROR (its table has other columns), SQLITE_CORRUPT and SQLITE_NOTADB, with all their extended codes
 * (https://www.sqlite.org/rescode.html).
 */
const DAMAGED_CODES = [1, 11, 26];
const isDamaged = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && DAMAGED_CODES.includes(Number(error.errcode) & 0xff);

function open(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    database.exec(`pragma journal_mode = wal; pragma synchronous = off;
      create table if not exists windows (
        key text primary key, points integer not null default 0, expire integer
      ) without rowid;
      delete from windows where expire not between ${Date.now()} and ${Date.now() + MAX_WINDOW_MS}`);
    return database;
  } catch (cause) {
    database.close();
    throw cause;
  }
}
