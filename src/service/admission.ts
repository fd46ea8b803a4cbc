/** Who may ask now: requests counted against the tier of the account, and refused keys against their address. */
import type { Viewer } from '../domain/account.ts';
import { Failure } from '../domain/failures.ts';
import type { Allowance, RequestLimiter } from '../domain/requestLimiter.ts';
import type { TierTable } from '../domain/tiers.ts';
import type { Admission } from './verbs.ts';

/** Refused keys a minute from one address that are told why; far more than a person mistypes. */
const REFUSALS_A_MINUTE = 120;

export function admission(limiter: RequestLimiter, tiers: TierTable): Admission {
  return {
    async admit(viewer: Viewer, requests: number): Promise<Allowance | null> {
      const limit = tiers[viewer.account.tier].requestsPerMinute;
      if (limit === null) return null;
      return limiter.take(`account ${viewer.account.id}`, requests, limit);
    },

    limits: account => tiers[account.tier],

    async keyRefused(address: string): Promise<void> {
      const left = await limiter.take(`address ${address}`, 1, REFUSALS_A_MINUTE);
      if (left.granted) return;
      throw new Failure(
        'RATE_LIMITED',
        `Too many requests without a valid key came from this address. Wait ${left.resetSeconds} seconds.`,
        { retryAfterSeconds: left.resetSeconds },
      );
    },
  };
}
