/** What a request takes of its account's allowance, and the headers that tell what is left. */
import type { Viewer } from '../../domain/account.ts';
import { Failure } from '../../domain/failures.ts';
import type { RateLimitResult } from '../../domain/ports/rateLimiter.ts';
import type { RateLimit } from '../../service/pagespace.ts';

/** The ration of one request; accounts without a limit have none, and no headers. */
export class RequestRateLimit {
  readonly #service: Pick<RateLimit, 'countRequests'>;
  #allowance: RateLimitResult | null = null;

  constructor(service: Pick<RateLimit, 'countRequests'>) {
    this.#service = service;
  }

  /** Takes what this many requests cost. @throws Failure RATE_LIMITED */
  async consume(viewer: Viewer, requests: number): Promise<void> {
    this.#allowance = await this.#service.countRequests(viewer, requests);
    if (this.#allowance === null || this.#allowance.granted) return;
    const { limit, resetSeconds } = this.#allowance;
    throw new Failure(
      'RATE_LIMITED',
      `This account may send ${limit} requests a minute. Wait ${resetSeconds} seconds.`,
      { retryAfterSeconds: resetSeconds },
    );
  }

  /** `RateLimit-Limit`, `-Remaining` and `-Reset` (seconds), in the form of draft-ietf-httpapi-ratelimit-headers-06. */
  get headers(): Readonly<Record<string, string>> {
    if (this.#allowance === null) return {};
    const { limit, remaining, resetSeconds } = this.#allowance;
    return {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(resetSeconds),
    };
  }
}
