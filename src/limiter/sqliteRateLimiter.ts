/** Requests counted by rate-limiter-flexible in the database in use. */
import { RateLimiterMemory, RateLimiterRes, RateLimiterSQLite } from 'rate-limiter-flexible';
import type { RateLimitCounters, RateLimiter, RateLimitResult } from '../domain/ports/rateLimiter.ts';

const WINDOW_SECONDS = 60;

/**
 * Windows outlive the process, and processes on one database share them. Who has used up a window is refused from memory,
 * without a write; where the database fails, the process counts by itself.
 */
export function sqliteRateLimiter(counters: RateLimitCounters): RateLimiter {
  const byLimit = new Map<number, RateLimiterSQLite>();
  const limiterOf = (limit: number): RateLimiterSQLite => {
    const known = byLimit.get(limit);
    if (known !== undefined) return known;
    const window = { points: limit, duration: WINDOW_SECONDS };
    const made = new RateLimiterSQLite({
      ...window,
      storeClient: counters,
      storeType: 'better-sqlite3',
      tableName: counters.tableName,
      tableCreated: true,
      inMemoryBlockOnConsumed: limit,
      insuranceLimiter: new RateLimiterMemory(window),
    });
    byLimit.set(limit, made);
    return made;
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
  };
}

const toRateLimitResult = (counted: RateLimiterRes, limit: number, granted: boolean): RateLimitResult => ({
  limit,
  remaining: counted.remainingPoints,
  resetSeconds: Math.max(1, Math.ceil(counted.msBeforeNext / 1_000)),
  granted,
});
