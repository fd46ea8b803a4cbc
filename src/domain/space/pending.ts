/** Unfinished work of a page when an operation answers. */
export interface Pending {
  /** Method, host and path of each request that the page waits for: `GET api.example/items`. */
  readonly requests: readonly string[];
  /** Time until each timer is due that the last operation has set and that has not run. Milliseconds, the soonest first. */
  readonly timers: readonly number[];
  /** The signs by which the page shows that it is busy: a text such as `"Loading…"`, `spinner`, `progressbar "Upload" 40 %`. */
  readonly busy: readonly string[];
  /** Host and path of the document for which the page is to be left; null if it stays. */
  readonly navigation: string | null;
}

/** The value of `pending` for a page on which nothing goes on. */
export const NOTHING_PENDING: Pending = { requests: [], timers: [], busy: [], navigation: null };
