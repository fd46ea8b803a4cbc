/** Rate limiting: counts requests per name in windows of one minute. */

/** The state of a window after a request was counted. */
export interface RateLimitResult {
  /** Requests per window. */
  readonly limit: number;
  /** Requests left in the current window; never negative. */
  readonly remaining: number;
  /** Whole seconds until the next window; at least 1. */
  readonly resetSeconds: number;
  /** True if the limit allowed the requests. */
  readonly granted: boolean;
}

/** Limits requests per window. A window starts with its first request and lasts one minute. */
export interface RateLimiter {
  /**
   * Counts requests. Exact under concurrency. Refused requests count too, so that retrying early does not help.
   * @param name owner of the window: an account or an address
   * @param requests number of requests, at least 1
   * @param limit requests per window
   */
  consume(name: string, requests: number, limit: number): Promise<RateLimitResult>;
}

/** A prepared statement of `RateLimitCounters`. */
export interface CounterStatement {
  /** Returns the first row; undefined if there is none. */
  get(...values: (string | number | null)[]): unknown;
  run(...values: (string | number | null)[]): { readonly changes: number };
}

/** The SQL database of the counters, with the interface of better-sqlite3 that rate limiter libraries expect. */
export interface RateLimitCounters {
  /** A table with the columns `key` (text, primary key), `points` and `expire` (milliseconds since the epoch). */
  readonly tableName: string;
  prepare(sql: string): CounterStatement;
  transaction<Result>(work: () => Result): () => Result;
  /** Closes the database; idempotent. Requests counted after it are counted in memory. */
  close(): void;
}
