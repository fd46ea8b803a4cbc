/** Rate limiting: counts requests per name in windows of one minute. */

/** The result of `RateLimiter.consume`: whether the requests are allowed, and the state of the one-minute window. */
export interface RateLimitResult {
  /** Maximum number of requests per window. */
  readonly limit: number;
  /** Number of requests left in the current window; never negative. */
  readonly remaining: number;
  /** Whole seconds until the next window; at least 1. */
  readonly resetSeconds: number;
  /** True if the limit allowed the requests. */
  readonly granted: boolean;
}

/** Limits requests per window. A window starts with its first request and lasts one minute. */
export interface RateLimiter {
  /**
   * Counts requests, and checks them against a limit. Exact under concurrency. Refused requests count too, so that retrying early does not help.
   * @param name the account or network address whose requests are counted, such as `account <id>`
   * @param requests number of requests, at least 1
   * @param limit maximum number of requests per window
   */
  consume(name: string, requests: number, limit: number): Promise<RateLimitResult>;
  /** Shifts the ends of all windows by a jump of the wall clock, so that their remaining time stays the same. */
  adjustForClockJump(byMs: number): void;
}
