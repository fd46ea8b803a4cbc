/** The rate limiters on SQLite and on PostgreSQL: one statement counts requests in a window of one minute. */
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { RateLimiter } from '../domain/account/rateLimit.ts';
import { sqliteOpeningError } from './store.ts';
import type { Tables } from './tables.ts';

const WINDOW_MS = 60_000;

const SWEEP_INTERVAL_WRITES = 1_000;

/** Maximum number of windows that a process counts in memory. The least recently used window goes first. */
const MAX_LOCAL_WINDOWS = 100_000;

/** Milliseconds that a write waits for a write of another process. It is far longer than such a write takes. */
const BUSY_TIMEOUT_MS = 1_000;

/** The state of a window after a request: requests counted in it, and milliseconds until it ends. */
interface CountedWindow {
  readonly points: number;
  readonly remainingMs: number;
}

/** Counts requests in the database. `sweep`: also deletes expired counts. */
type CountRequests = (name: string, requests: number, sweep: boolean) => Promise<CountedWindow>;

export interface OpenRateLimiter extends RateLimiter {
  /** Closes the database; idempotent. Later requests are counted in memory. */
  close(): void;
}

/** Remembers exhausted windows, so that a refusal needs no write, and counts in memory while the database fails. */
function limitRequests(count: CountRequests): Pick<RateLimiter, 'consume'> {
  // The ends are times of `performance.now()`, which jumps of the wall clock do not change.
  const local = new LRUCache<string, { points: number; endsAt: number }>({ max: MAX_LOCAL_WINDOWS });
  let writes = 0;

  function countLocally(name: string, requests: number): CountedWindow {
    const now = performance.now();
    const known = local.get(name);
    const open = known !== undefined && known.endsAt > now ? known : { points: 0, endsAt: now + WINDOW_MS };
    local.set(name, { points: open.points + requests, endsAt: open.endsAt });
    return { points: open.points + requests, remainingMs: open.endsAt - now };
  }

  async function countWindow(name: string, requests: number, limit: number): Promise<CountedWindow> {
    const known = local.get(name);
    const remainingMs = (known?.endsAt ?? 0) - performance.now();
    if (known !== undefined && known.points >= limit && remainingMs > 0)
      return { points: limit + requests, remainingMs };
    try {
      const window = await count(name, requests, ++writes % SWEEP_INTERVAL_WRITES === 0);
      if (window.points >= limit)
        local.set(name, { points: window.points, endsAt: performance.now() + window.remainingMs });
      return window;
    } catch {
      // The store reports that its database is away. A limit that each process counts is better than no service.
      return countLocally(name, requests);
    }
  }

  return {
    async consume(name, requests, limit) {
      const { points, remainingMs } = await countWindow(name, requests, limit);
      return {
        limit,
        remaining: Math.max(0, limit - points),
        resetSeconds: Math.max(1, Math.ceil(remainingMs / 1_000)),
        granted: points <= limit,
      };
    },
  };
}

/**
 * Opens the SQLite file that counts requests: a file of its own, so that counting never waits for a transaction of the store.
 * Windows survive a restart, and processes that use the same file share them. Creates the file if it is missing, and replaces
 * a damaged file: it contains only the counts of one minute.
 * Writes do not wait for the disk (synchronous=OFF): a killed process loses nothing, but a power failure can lose the
 * file.
 * @param path a file, or `:memory:`
 * @throws StoreError if the file cannot be written
 */
export function openSqliteRateLimiter(path: string): OpenRateLimiter {
  const database = openOrRecreate(path);
  const shift = database.prepare('update windows set expire = expire + ?');
  const sweepExpired = database.prepare('delete from windows where expire < ?');
  const upsert = database.prepare(`
    insert into windows as w (key, points, expire) values (:name, :requests, :now + ${WINDOW_MS})
    on conflict (key) do update set
      points = case when w.expire <= :now then excluded.points else w.points + excluded.points end,
      expire = case when w.expire <= :now then excluded.expire else w.expire end
    returning points, expire - :now as remainingMs`);
  const { consume } = limitRequests(async (name, requests, sweep) => {
    const now = Date.now();
    if (sweep) sweepExpired.run(now);
    // Safe: the statement returns these columns.
    return onlyRow(upsert.get({ name, requests, now }) as CountedWindow | undefined);
  });
  return {
    consume,
    adjustForClockJump(byMs) {
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

const DATABASE_NOW = sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`;

/** Counts requests in PostgreSQL, by its clock: all nodes share the windows. `runAgain` repeats a statement after a lost connection. */
export function postgresRateLimiter(
  db: Kysely<Tables>,
  runAgain: <Result>(work: () => Promise<Result>) => Promise<Result>,
): RateLimiter {
  const { consume } = limitRequests(async (name, requests, sweep) => {
    // A request that is counted twice after a lost connection costs its caller less than a request that fails.
    const { rows } = await runAgain(() =>
      sql<CountedWindow>`
        insert into rate_limit_windows as w (key, points, expire)
          values (${name}, ${requests}, ${DATABASE_NOW} + ${WINDOW_MS}::int)
        on conflict (key) do update set
          points = case when w.expire <= ${DATABASE_NOW} then excluded.points else w.points + excluded.points end,
          expire = case when w.expire <= ${DATABASE_NOW} then excluded.expire else w.expire end
        returning points, expire - ${DATABASE_NOW} as "remainingMs"`.execute(db),
    );
    if (sweep) await sql`delete from rate_limit_windows where expire < ${DATABASE_NOW}`.execute(db);
    return onlyRow(rows[0]);
  });
  return { consume, adjustForClockJump: () => undefined };
}

function onlyRow(row: CountedWindow | undefined): CountedWindow {
  if (row === undefined) throw new Error('The statement that counts requests returned no row.');
  return row;
}

function openOrRecreate(path: string): DatabaseSync {
  try {
    return openFile(path);
  } catch (error) {
    if (!isDamaged(error)) throw sqliteOpeningError('file', path, error);
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
    return openFile(path);
  }
}

/** SQLITE_ERROR (other columns), SQLITE_CORRUPT and SQLITE_NOTADB, with their extended codes (https://www.sqlite.org/rescode.html). */
const DAMAGED_CODES = [1, 11, 26];
const isDamaged = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && DAMAGED_CODES.includes(Number(error.errcode) & 0xff);

function openFile(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    // A window that ends later than in a minute was written before the wall clock was set back.
    database.exec(`pragma journal_mode = wal; pragma synchronous = off;
      create table if not exists windows (
        key text primary key, points integer not null default 0, expire integer
      ) without rowid;
      delete from windows where expire not between ${Date.now()} and ${Date.now() + WINDOW_MS}`);
    return database;
  } catch (cause) {
    database.close();
    throw cause;
  }
}
