/** What a request takes of its account's allowance, and the headers that tell what is left. */
import type { Viewer } from '../domain/account.ts';
import { Failure } from '../domain/failures.ts';
import type { Allowance } from '../domain/requestLimiter.ts';
import type { Admission } from '../service/verbs.ts';

/** The ration of one request; accounts without a limit have none, and no headers. */
export class Ration {
  readonly #service: Pick<Admission, 'admit'>;
  #left: Allowance | null = null;

  constructor(service: Pick<Admission, 'admit'>) {
    this.#service = service;
  }

  /** Takes what this many requests cost. @throws Failure RATE_LIMITED */
  async take(viewer: Viewer, requests: number): Promise<void> {
    this.#left = await this.#service.admit(viewer, requests);
    if (this.#left === null || this.#left.granted) return;
    const { limit, resetSeconds } = this.#left;
    throw new Failure(
      'RATE_LIMITED',
      `This account may send ${limit} requests a minute. Wait ${resetSeconds} seconds.`,
      { retryAfterSeconds: resetSeconds },
    );
  }

  /** `RateLimit-Limit`, `-Remaining` and `-Reset` (seconds), in the form of draft-ietf-httpapi-ratelimit-headers-06. */
  get headers(): Readonly<Record<string, string>> {
    if (this.#left === null) return {};
    const { limit, remaining, resetSeconds } = this.#left;
    return {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(resetSeconds),
    };
  }
}
