/** Converts the counts of rate-limiter-flexible. */
import type { RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimitResult } from '../domain/ports/rateLimiter.ts';

/** Returns the state of a window as the library counts it. */
export const toRateLimitResult = (
  response: RateLimiterRes,
  limit: number,
  granted: boolean,
): RateLimitResult => ({
  limit,
  remaining: response.remainingPoints,
  resetSeconds: Math.max(1, Math.ceil(response.msBeforeNext / 1_000)),
  granted,
});
