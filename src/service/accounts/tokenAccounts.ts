/** Accounts of callers whom an OAuth issuer authenticates. */

import { createHash } from 'node:crypto';
import type { Account, Tier, TierLimits, TierTable, Viewer } from '../../domain/account/account.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { AccountStore } from '../../domain/ports/accountStore.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { RateLimiter, RateLimitResult } from '../../domain/ports/rateLimiter.ts';
import { normalizeText, truncate } from '../../domain/space/pageText.ts';

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
    async countRequests({ account, link }, requests) {
      const limit = tiers[await currentTier(account)].requestsPerMinute;
      // The visitors of a link have the limit of an account, and spend nothing of its own.
      const owner = link === undefined ? `account ${account.id}` : `link ${link.id}`;
      return limit === null ? null : limiter.consume(owner, requests, limit);
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

/** Maximum length of a subject in the name of its account. Issuers choose subjects; names are printed in terminals, too. */
const MAX_SUBJECT_CHARACTERS = 100;

export interface TokenAccounts {
  /** Returns the account of a subject of an issuer; the first call creates it, with the tier `free`. */
  accountOfSubject(issuer: string, subject: string): Promise<Account>;
}

/** Creates the accounts of subjects. The id of an account is computed from issuer and subject, so that two first calls at once create one account. */
export function createTokenAccounts(accounts: AccountStore, clock: Clock): TokenAccounts {
  return {
    async accountOfSubject(issuer, subject) {
      const id = accountIdOf(issuer, subject);
      const [found] = await accounts.accounts([id]);
      if (found != null) return found;
      const { host } = new URL(issuer);
      const account: Account = {
        id,
        name: `${truncate(normalizeText(subject), MAX_SUBJECT_CHARACTERS)} (${host})`,
        tier: 'free',
        createdAt: clock.now(),
      };
      try {
        await accounts.createAccount(account);
        return account;
      } catch (error) {
        // Another request of the same subject created it meanwhile.
        const [created] = await accounts.accounts([id]);
        if (created != null) return created;
        throw error;
      }
    },
  };
}

/** A UUID of version 8 (RFC 9562) from the SHA-256 of both names. */
function accountIdOf(issuer: string, subject: string): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest()
    .subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
