/** RateLimiter with the limiters of rate-limiter-flexible, which have a fixed limit each. */
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiter } from '../domain/ports/rateLimiter.ts';
import { toRateLimitResult } from './toRateLimitResult.ts';

/** Number of requests in a window, and length of the window in seconds, by the names of the library. */
export interface RateLimitWindow {
  readonly points: number;
  readonly duration: number;
}

/** One limiter of the library for each limit. */
export interface LimiterPerLimit extends Pick<RateLimiter, 'consume'> {
  /** Forgets the limiters, which remember the ends of exhausted windows by the clock of this node. */
  forget(): void;
}

const WINDOW_SECONDS = 60;

/** Creates the limiter of a limit at its first request. @param create makes a limiter of windows of one minute */
export function limiterPerLimit(create: (window: RateLimitWindow) => RateLimiterAbstract): LimiterPerLimit {
  const byLimit = new Map<number, RateLimiterAbstract>();
  const limiterOf = (limit: number): RateLimiterAbstract => {
    const limiter = byLimit.get(limit) ?? create({ points: limit, duration: WINDOW_SECONDS });
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
    forget: () => byLimit.clear(),
  };
}
