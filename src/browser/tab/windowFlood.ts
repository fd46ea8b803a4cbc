/** Detects a page that opens windows without end. */
import type { Tab } from './tab.ts';

/**
 * A page that opens more windows than this in one period, without being observed meanwhile, is ended. Twice as many as a session may have tabs: each window
 * stops its opener, which runs in the same process, until the window is set up, so a page that opens hundreds answers nothing for as long.
 */
export const MAX_WINDOWS_AT_ONCE = 40;
/** The period in which windows are counted. Milliseconds. A busy machine sets up one window in two seconds. */
const PERIOD_MS = 120_000;

/** Counts the windows that one page requests. */
export class WindowFlood {
  #count = 0;
  #since = Number.NEGATIVE_INFINITY;

  /** Counts a window. Returns true for the one that is too many. @param now in milliseconds */
  hasBegun(now: number): boolean {
    if (now - this.#since > PERIOD_MS) {
      this.#since = now;
      this.#count = 0;
    }
    return ++this.#count === MAX_WINDOWS_AT_ONCE;
  }

  /** Tells that the page has been observed: its windows do not keep it from answering. */
  pageObserved(): void {
    this.#since = Number.NEGATIVE_INFINITY;
  }
}

const floods = new WeakMap<Tab, WindowFlood>();

/** Returns the count of the windows of the page in a tab. */
export function windowFloodOf(tab: Tab): WindowFlood {
  const flood = floods.get(tab) ?? new WindowFlood();
  floods.set(tab, flood);
  return flood;
}
