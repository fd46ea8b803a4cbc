/** The wall-clock time, and timers that follow it. Tests use a manual clock. */
export interface Clock {
  /** Returns the current time in milliseconds since the epoch. */
  now(): number;
  /** Calls `callback` once when `now() >= atMs`. Returns a function that cancels the call. */
  scheduleAt(atMs: number, callback: () => void): () => void;
  /**
   * Calls `listener` each time the wall clock jumps by `byMs`, before `now()` returns the new time. Not implemented by
   * clocks that never jump.
   * @returns a function that removes the listener
   */
  onJump?(listener: (byMs: number) => void): () => void;
}
