/** The time by which an operation has to end, and a signal that ends it earlier. */
export interface Deadline {
  /** Aborts at the deadline or when the caller disconnects. Its reason is a Failure. */
  readonly signal: AbortSignal;
  /** Milliseconds left; never negative. */
  remainingMs(): number;
}
