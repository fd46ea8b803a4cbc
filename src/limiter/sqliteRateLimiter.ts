/** RateLimiter with rate-limiter-flexible on SQLite. */
import { RateLimiterMemory, RateLimiterSQLite } from 'rate-limiter-flexible';
import type { RateLimitCounters, RateLimiter } from '../domain/ports/rateLimiter.ts';
import { limiterPerLimit } from './limiterPerLimit.ts';

/**
 * Creates a rate limiter that counts requests in SQLite, in windows of one minute. Windows survive a restart, and
 * processes that use the same database share them. An exhausted window is remembered in memory, so a refusal needs no
 * write. If the database fails, the process counts in memory.
 */
export function sqliteRateLimiter(counters: RateLimitCounters): RateLimiter {
  const limiters = limiterPerLimit(
    window =>
      new RateLimiterSQLite({
        ...window,
        storeClient: counters,
        storeType: 'better-sqlite3',
        tableName: counters.tableName,
        tableCreated: true,
        inMemoryBlockOnConsumed: window.points,
        insuranceLimiter: new RateLimiterMemory(window),
      }),
  );
  return {
    consume: limiters.consume,
    adjustForClockJump(byMs) {
      counters.shiftWindows(byMs);
      limiters.forget();
    },
  };
}
