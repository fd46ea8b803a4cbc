/** Counts a request against its account's rate limit, and reports the rest of the limit in headers. */

import type { Viewer } from '../../domain/account/account.ts';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import type { RateLimitResult } from '../../domain/ports/rateLimiter.ts';
import type { RateLimit } from '../../service/pagespace.ts';

/**
 * Runs `work`. If it fails with WALLET_REFUSED, counts the failure against the limit of the caller's network, which
 * refused API keys count against too.
 * @throws Failure RATE_LIMITED after too many refusals, and every error of `work`
 */
export async function countRefusals<Result>(
  service: Pick<RateLimit, 'countRefusedKey'>,
  callerNetwork: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isFailure(error, 'WALLET_REFUSED')) await service.countRefusedKey(callerNetwork);
    throw error;
  }
}

type RateLimitService = Pick<RateLimit, 'countRequests'>;

/**
 * Counts one HTTP request against the rate limit of its account, and creates the `RateLimit-*` headers of its
 * response.
 */
export class RequestRateLimit {
  readonly #service: RateLimitService;
  #result: RateLimitResult | null = null;

  constructor(service: RateLimitService) {
    this.#service = service;
  }

  /**
   * Counts this number of requests against the limit of the viewer's account.
   * @throws Failure RATE_LIMITED above the limit
   */
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

  /**
   * The headers `RateLimit-Limit`, `-Remaining` and `-Reset` (seconds), as in draft-ietf-httpapi-ratelimit-headers-06. None
   * before `consume` and for an account without a limit.
   */
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
