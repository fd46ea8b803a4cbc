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

/** A prepared SQL statement on the database of `RateLimitCounters`. */
export interface CounterStatement {
  /** Runs the statement and returns the first row; undefined if there is none. */
  get(...values: (string | number | null)[]): unknown;
  /** Runs the statement and returns the number of changed rows. */
  run(...values: (string | number | null)[]): { readonly changes: number };
}

/** The SQL database that stores the request counts, with the interface of better-sqlite3 that rate limiter libraries expect. */
export interface RateLimitCounters {
  /** Name of the table with the columns `key` (text, primary key), `points` and `expire` (milliseconds since the epoch). */
  readonly tableName: string;
  /** Prepares an SQL statement. */
  prepare(sql: string): CounterStatement;
  transaction<Result>(work: () => Result): () => Result;
  /** Adds milliseconds to the end of every window. Does nothing if the database cannot be written. */
  shiftWindows(byMs: number): void;
  /** Closes the database; idempotent. The rate limiter counts later requests in memory. */
  close(): void;
}

/** The SQL database of a cluster that stores the request counts, with the interface of `pg` that rate limiter libraries expect. */
export interface RateLimitQueries {
  /** Name of the table with the columns `key` (text, primary key), `points` and `expire` (milliseconds since the epoch, by the clock of the database). */
  readonly tableName: string;
  /** Runs one statement. @throws Failure DEPENDENCY_UNAVAILABLE */
  query(query: {
    readonly text: string;
    readonly values?: readonly unknown[];
  }): Promise<{ readonly rows: readonly unknown[]; readonly rowCount: number }>;
}
