/**
 * A page that opens more windows than this in one period is ended. Twice as many as a session may have tabs: each window stops its opener, which runs in the
 * same process, until the window is set up, so a page that opens hundreds answers nothing for as long.
 */
export const MAX_WINDOWS_AT_ONCE = 40;
/** The period in which windows are counted. Milliseconds. A busy machine sets up ten windows in a second. */
const PERIOD_MS = 20_000;

/** Counts the windows that one page requests. */
export class WindowFlood {
  #count = 0;
  #since = 0;

  /** Counts a window. Returns true for the one that is too many. @param now in milliseconds */
  hasBegun(now: number): boolean {
    if (now - this.#since > PERIOD_MS) {
      this.#since = now;
      this.#count = 0;
    }
    return ++this.#count === MAX_WINDOWS_AT_ONCE;
  }
}
