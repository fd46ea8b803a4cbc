/** RateLimiter with rate-limiter-flexible on PostgreSQL: one count for all nodes. */
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import type { RateLimiter, RateLimitQueries } from '../domain/ports/rateLimiter.ts';
import { limiterPerLimit, type RateLimitWindow } from './limiterPerLimit.ts';

/** Number of writes between two deletions of expired counts. */
const SWEEP_INTERVAL_WRITES = 1_000;

/**
 * Creates a rate limiter that counts requests in PostgreSQL, in windows of one minute that all nodes share. Times are
 * those of the database, so the clocks of the nodes do not matter. A node remembers exhausted windows in memory, so a
 * refusal needs no write. While the database is away, a node counts in memory.
 */
export function postgresRateLimiter(queries: RateLimitQueries): RateLimiter {
  const limiters = limiterPerLimit(window => new DatabaseTimeLimiter(queries, window));
  return { consume: limiters.consume, adjustForClockJump: limiters.forget };
}

/** The current time of the database, in milliseconds since the epoch. */
const NOW = '(extract(epoch from statement_timestamp()) * 1000)::bigint';

/** The library's limiter, with times of the database: the library sends the time of the node. */
class DatabaseTimeLimiter extends RateLimiterPostgres {
  readonly #queries: RateLimitQueries;
  #writes = 0;

  constructor(queries: RateLimitQueries, window: RateLimitWindow) {
    super({
      ...window,
      storeClient: queries,
      storeType: 'pool',
      tableName: queries.tableName,
      tableCreated: true,
      clearExpiredByTimeout: false,
      inMemoryBlockOnConsumed: window.points,
      insuranceLimiter: new RateLimiterMemory(window),
    });
    this.#queries = queries;
  }

  /** Replaces the library's method of the same name. @returns one row: the count and the end of the window by the clock of this node */
  async _upsert(key: string, points: number, durationMs: number): Promise<{ rows: readonly object[] }> {
    const table = this.#queries.tableName;
    if (++this.#writes % SWEEP_INTERVAL_WRITES === 0)
      await this.#queries.query({ text: `delete from ${table} where expire < ${NOW}` });
    const { rows } = await this.#queries.query({
      text: `insert into ${table} as w (key, points, expire) values ($1, $2, ${NOW} + $3)
        on conflict (key) do update set
          points = case when w.expire <= ${NOW} then excluded.points else w.points + excluded.points end,
          expire = case when w.expire <= ${NOW} then excluded.expire else w.expire end
        returning points, expire - ${NOW} as remaining_ms`,
      values: [key, points, durationMs],
    });
    // Safe: the statement returns one row with these columns.
    const [row] = rows as readonly { points: number; remaining_ms: number }[];
    return { rows: [{ points: row?.points, expire: Date.now() + (row?.remaining_ms ?? 0) }] };
  }
}
