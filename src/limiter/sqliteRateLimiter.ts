/** RateLimiter with rate-limiter-flexible on SQLite. */
import { RateLimiterMemory, RateLimiterRes, RateLimiterSQLite } from 'rate-limiter-flexible';
import type { RateLimitCounters, RateLimiter } from '../domain/ports/rateLimiter.ts';
import { toRateLimitResult } from './toRateLimitResult.ts';

const WINDOW_SECONDS = 60;

/**
 * Creates a rate limiter that counts requests in SQLite, in windows of one minute. Windows survive a restart, and
 * processes that use the same database share them. An exhausted window is remembered in memory, so a refusal needs no
 * write. If the database fails, the process counts in memory.
 */
export function sqliteRateLimiter(counters: RateLimitCounters): RateLimiter {
  const byLimit = new Map<number, RateLimiterSQLite>();
  const limiterOf = (limit: number): RateLimiterSQLite => {
    const existing = byLimit.get(limit);
    if (existing !== undefined) return existing;
    const window = { points: limit, duration: WINDOW_SECONDS };
    const limiter = new RateLimiterSQLite({
      ...window,
      storeClient: counters,
      storeType: 'better-sqlite3',
      tableName: counters.tableName,
      tableCreated: true,
      inMemoryBlockOnConsumed: limit,
      insuranceLimiter: new RateLimiterMemory(window),
    });
    byLimit.set(limit, limiter);
    return limiter;
  };
  return {
    async consume(name, requests, limit) {
      try {
        return toRateLimitResult(await limiterOf(limit).consume(name, requests), limit, true);
      } catch (refusal) {
        // The library refuses by throwing its count.
        if (refusal instanceof RateLimiterRes) return toRateLimitResult(refusal, limit, false);
        throw refusal;
      }
    },
    adjustForClockJump(byMs) {
      counters.shiftWindows(byMs);
      // The limiters remember the ends of exhausted windows.
      byLimit.clear();
    },
  };
}
