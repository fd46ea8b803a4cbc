/** Counts requests against the limit of the account's tier, and refused API keys against their network address. */
import type { Account, Viewer } from '../../domain/account.ts';
import { Failure } from '../../domain/failures.ts';
import type { RateLimiter, RateLimitResult } from '../../domain/ports/rateLimiter.ts';
import type { TierLimits, TierTable } from '../../domain/tiers.ts';

/** Maximum number of refused keys per minute and network address. Typing errors cause far fewer. */
const MAX_REFUSED_KEYS_PER_MINUTE = 120;

/** The request limits of accounts and network addresses. */
export interface RateLimit {
  /**
   * Counts requests of an account.
   * @returns whether the limit allows them, and how many are left; null for an account without a limit
   */
  countRequests(viewer: Viewer, requests: number): Promise<RateLimitResult | null>;
  /** Returns the limits of the account's tier. */
  tierLimits(account: Account): TierLimits;
  /** Counts a request without a valid key. @throws Failure RATE_LIMITED if the address has sent too many */
  countRefusedKey(address: string): Promise<void>;
}

/** Creates the rate limit from a counter and the limits of the tiers. */
export function createRateLimit(limiter: RateLimiter, tiers: TierTable): RateLimit {
  return {
    async countRequests({ account }, requests) {
      const limit = tiers[account.tier].requestsPerMinute;
      return limit === null ? null : limiter.consume(`account ${account.id}`, requests, limit);
    },

    tierLimits: account => tiers[account.tier],

    async countRefusedKey(address) {
      const { granted, resetSeconds } = await limiter.consume(
        `address ${address}`,
        1,
        MAX_REFUSED_KEYS_PER_MINUTE,
      );
      if (granted) return;
      throw new Failure(
        'RATE_LIMITED',
        `Too many requests without a valid key came from this address. Wait ${resetSeconds} seconds.`,
        { retryAfterSeconds: resetSeconds },
      );
    },
  };
}
