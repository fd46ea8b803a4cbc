/** Requests counted in this process, by rate-limiter-flexible. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Allowance, RequestLimiter } from '../domain/requestLimiter.ts';

const WINDOW_SECONDS = 60;

/** A limiter for a service of one process; its windows are gone with it. A name costs memory for a minute. */
export function memoryLimiter(): RequestLimiter {
  const byLimit = new Map<number, RateLimiterMemory>();
  const limiterOf = (limit: number): RateLimiterMemory => {
    const known = byLimit.get(limit);
    if (known !== undefined) return known;
    const made = new RateLimiterMemory({ points: limit, duration: WINDOW_SECONDS });
    byLimit.set(limit, made);
    return made;
  };
  return {
    async take(name, requests, limit) {
      try {
        return allowance(await limiterOf(limit).consume(name, requests), limit, true);
      } catch (refusal) {
        // The library refuses by throwing its count.
        if (refusal instanceof RateLimiterRes) return allowance(refusal, limit, false);
        throw refusal;
      }
    },
  };
}

const allowance = (counted: RateLimiterRes, limit: number, granted: boolean): Allowance => ({
  limit,
  remaining: counted.remainingPoints,
  resetSeconds: Math.max(1, Math.ceil(counted.msBeforeNext / 1_000)),
  granted,
});
