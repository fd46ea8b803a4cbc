/** Reads of a page that may fail: one broken element must not fail the observation. */
import { listing } from './lifetimes.ts';

interface Skipped {
  count: number;
  first: string;
}

const skipped = listing.value((): Skipped => ({ count: 0, first: '' }));

/** Maximum length of the text of an exception. Characters. */
const MAX_LENGTH = 500;

/** Returns the result of a read that the page can make fail, such as of a canvas with pictures of other origins; null if it throws. */
export function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Returns the result; null if an exception skips it, which is counted: it is a bug of the service, and the service logs it. */
export function orSkipped<T>(compute: () => T): T | null {
  try {
    return compute();
  } catch (error) {
    const all = skipped();
    if (all.count++ === 0)
      all.first = (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(
        0,
        MAX_LENGTH,
      );
    return null;
  }
}

/** Returns what exceptions have skipped since the list has begun; nothing if that is nothing. */
export function skippedParts(): { readonly skipped?: Readonly<Skipped> } {
  const { count, first } = skipped();
  return count === 0 ? {} : { skipped: { count, first } };
}
