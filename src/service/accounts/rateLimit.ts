/** Counts requests against the limit of the account's tier, and refused API keys against their network address. */
import type { Account, Tier, Viewer } from '../../domain/account/account.ts';
import type { TierLimits, TierTable } from '../../domain/account/tiers.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { RateLimiter, RateLimitResult } from '../../domain/ports/rateLimiter.ts';

/** Maximum number of requests without a valid API key per minute and network address. Typing errors cause far fewer. */
const MAX_REFUSED_KEYS_PER_MINUTE = 120;

/**
 * Counts requests against the limits of their account, and refused API keys against the limit of their network
 * address.
 */
export interface RateLimit {
  /**
   * Counts this number of requests against the limit of the viewer's account.
   * @returns the state of the limit, with `granted` false if the limit does not allow them; null for an account without a
   * limit
   */
  countRequests(viewer: Viewer, requests: number): Promise<RateLimitResult | null>;
  /** Returns the limits of the account's tier. */
  tierLimits(account: Account): TierLimits;
  /**
   * Counts a request without a valid key.
   * @throws Failure RATE_LIMITED if the address has sent more than 120 in this minute
   */
  countRefusedKey(address: string): Promise<void>;
}

/**
 * Creates the rate limits. `limiter` counts the requests; `tiers` contains the limits of the accounts.
 * @param currentTier returns the tier that the account has now
 */
export function createRateLimit(
  limiter: RateLimiter,
  tiers: TierTable,
  currentTier: (account: Account) => Promise<Tier>,
): RateLimit {
  return {
    async countRequests({ account }, requests) {
      const limit = tiers[await currentTier(account)].requestsPerMinute;
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
