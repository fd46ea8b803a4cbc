/** Who may ask now: requests counted against the tier of the account, and refused keys against their address. */
import type { Viewer } from '../../domain/account.ts';
import { Failure } from '../../domain/failures.ts';
import type { RateLimiter, RateLimitResult } from '../../domain/ports/rateLimiter.ts';
import type { TierTable } from '../../domain/tiers.ts';
import type { RateLimit } from '../pagespace.ts';

/** Refused keys a minute from one address that are told why; far more than a person mistypes. */
const MAX_REFUSED_KEYS_PER_MINUTE = 120;

export function createRateLimit(limiter: RateLimiter, tiers: TierTable): RateLimit {
  return {
    async countRequests(viewer: Viewer, requests: number): Promise<RateLimitResult | null> {
      const limit = tiers[viewer.account.tier].requestsPerMinute;
      if (limit === null) return null;
      return limiter.consume(`account ${viewer.account.id}`, requests, limit);
    },

    tierLimits: account => tiers[account.tier],

    async countRefusedKey(address: string): Promise<void> {
      const left = await limiter.consume(`address ${address}`, 1, MAX_REFUSED_KEYS_PER_MINUTE);
      if (left.granted) return;
      throw new Failure(
        'RATE_LIMITED',
        `Too many requests without a valid key came from this address. Wait ${left.resetSeconds} seconds.`,
        { retryAfterSeconds: left.resetSeconds },
      );
    },
  };
}
