/** Counting requests against a bound: the port. */

/** What is left in the present window of time. */
export interface RateLimitResult {
  /** Requests a window. */
  readonly limit: number;
  /** Requests left in it; 0 once it is used up. */
  readonly remaining: number;
  /** Whole seconds until a new window begins; at least 1. */
  readonly resetSeconds: number;
  /** Whether the requests that were asked for fitted in. */
  readonly granted: boolean;
}

/** Counts in windows of one minute, each beginning with its first request. */
export interface RateLimiter {
  /**
   * Takes requests from the window. Exact however many are taken at once; what did not fit is counted too, so that
   * asking on does not help.
   * @param name whose window: an account, an address
   * @param requests how many, 1 or more
   * @param limit how many a window has
   */
  consume(name: string, requests: number, limit: number): Promise<RateLimitResult>;
}

/** A prepared statement of the place where windows are counted. */
export interface CounterStatement {
  /** The first row; undefined where there is none. */
  get(...values: (string | number | null)[]): unknown;
  run(...values: (string | number | null)[]): { readonly changes: number };
}

/** An SQL database in which windows are counted, in the shape that limiters of the trade expect of one (better-sqlite3's). */
export interface RateLimitCounters {
  /** A table of `key` (text, primary), `points` and `expire` (milliseconds since the epoch). */
  readonly tableName: string;
  prepare(sql: string): CounterStatement;
  transaction<Result>(work: () => Result): () => Result;
  /** Idempotent. What is counted after it is counted by the process alone. */
  close(): void;
}
