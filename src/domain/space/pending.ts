/** Unfinished work of a page when an operation answers. */
export interface Pending {
  /** Method, host and path of each request that the page waits for: `GET api.example/items`. */
  readonly requests: readonly string[];
  /** The signs by which the page shows that it is busy: a text such as `"Loading…"`, `spinner`, `progressbar "Upload" 40 %`. */
  readonly busy: readonly string[];
}

/** Nothing goes on. */
export const NOTHING_PENDING: Pending = { requests: [], busy: [] };
