/**
 * Returns the result of `read`; null if it throws. One broken element, or one hostile getter of the page, must not fail
 * the observation.
 */
export function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
