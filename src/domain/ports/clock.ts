/** Wall-clock time and timers. Tests use a manual clock. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `callback` once when `now() >= atMs`. Returns a function that cancels the call. */
  scheduleAt(atMs: number, callback: () => void): () => void;
  /**
   * Calls `listener` when the wall clock jumped by `byMs`, before `now()` returns the new time. Absent if the clock never jumps.
   * @returns removes the listener
   */
  onJump?(listener: (byMs: number) => void): () => void;
}
