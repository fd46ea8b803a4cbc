export interface Deadline {
  /** Aborts at the deadline or when the caller disconnects. Its reason is a Failure. */
  readonly signal: AbortSignal;
  /** Never negative. */
  remainingMs(): number;
}

/** The wall-clock time, and a monotonic clock with timers for durations. Tests use a manual clock. */
export interface Clock {
  /** Returns the wall-clock time in milliseconds since the epoch: for times that callers read. It can jump. */
  now(): number;
  /** Whole milliseconds that never jump and never go back: take every duration and every charge from it. */
  monotonicNow(): number;
  /** Calls `callback` once when `ms` milliseconds of the monotonic clock have passed. Returns a function that cancels it. */
  scheduleAfter(ms: number, callback: () => void): () => void;
  /** Calls `listener` when the wall clock jumps by `byMs`, before `now()` tells it. Returns a function that removes it. Absent if a clock never jumps. */
  onJump?(listener: (byMs: number) => void): () => void;
}
