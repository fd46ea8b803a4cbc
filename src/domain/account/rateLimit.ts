import { Failure } from '../failure/failures.ts';
import type { Account, Tier, TierLimits, TierTable, Viewer } from './account.ts';

export interface RateLimitResult {
  readonly limit: number;
  /** Never negative. */
  readonly remaining: number;
  /** Whole seconds until the next window; at least 1. */
  readonly resetSeconds: number;
  readonly granted: boolean;
}

/** Limits requests per window. A window starts with its first request and lasts one minute. */
export interface RateLimiter {
  /** Counts requests of `name` (`account <id>`, a network) exactly under concurrency; refused ones count too, so retrying early does not help. */
  consume(name: string, requests: number, limit: number): Promise<RateLimitResult>;
  /** Shifts the ends of all windows by a jump of the wall clock, so that their remaining time stays the same. */
  adjustForClockJump(byMs: number): void;
}

/** Maximum number of requests without a valid API key per minute and network address. Typing errors cause far fewer. */
const MAX_REFUSED_KEYS_PER_MINUTE = 120;

export interface RateLimit {
  /** Counts requests against the limit of the viewer's account; `granted` is false if it does not allow them. Null for an account without a limit. */
  countRequests(viewer: Viewer, requests: number): Promise<RateLimitResult | null>;
  tierLimits(account: Account): TierLimits;
  /** @throws Failure RATE_LIMITED if the address has sent more than 120 requests without a valid key in this minute */
  countRefusedKey(address: string): Promise<void>;
}

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

/** Counts one HTTP request against the rate limit of its account, and makes the `RateLimit-*` headers. */
export class RequestRateLimit {
  readonly #service: Pick<RateLimit, 'countRequests'>;
  #result: RateLimitResult | null = null;

  constructor(service: Pick<RateLimit, 'countRequests'>) {
    this.#service = service;
  }

  /** @throws Failure RATE_LIMITED above the limit */
  async consume(viewer: Viewer, requests: number): Promise<void> {
    this.#result = await this.#service.countRequests(viewer, requests);
    if (this.#result === null || this.#result.granted) return;
    const { limit, resetSeconds } = this.#result;
    throw new Failure(
      'RATE_LIMITED',
      `This account may send ${limit} requests a minute. Wait ${resetSeconds} seconds.`,
      { retryAfterSeconds: resetSeconds },
    );
  }

  /** As in draft-ietf-httpapi-ratelimit-headers-06; none before `consume` and for an account without a limit. */
  get headers(): Readonly<Record<string, string>> {
    if (this.#result === null) return {};
    const { limit, remaining, resetSeconds } = this.#result;
    return {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(resetSeconds),
    };
  }
}
