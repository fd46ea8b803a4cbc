/**
 * Returns a selector list of the elements whose attribute contains a word as authors write it: `load`, `Load` or `LOAD`;
 * `cookie-banner`, `Cookie-banner`, `Cookie-Banner` or `COOKIE-BANNER`. Chromium needs ten times longer for `[class*="load" i]`.
 */
export function anyCase(attribute: string, word: string): string {
  const capitalized = word.charAt(0).toUpperCase() + word.slice(1);
  const title = word.replace(/(^|-)[a-z]/g, letter => letter.toUpperCase());
  const spellings = new Set([word, capitalized, title, word.toUpperCase()]);
  return [...spellings].map(spelling => `[${attribute}*="${spelling}"]`).join(',');
}

/** Remembers what the words of a class attribute tell: a page has few different ones, on many elements, in each list again. */

/** Number of remembered class attributes. When there are more, all are forgotten. */
const MAX_NAMES = 2_000;
/** A longer class attribute is read each time. Characters. */
const MAX_LENGTH = 300;

/** Returns a function that computes each result once. @param compute reads nothing but the class attribute */
export function ofClassName<T>(compute: (className: string) => T): (className: string) => T {
  const known = new Map<string, T>();
  return className => {
    if (className.length > MAX_LENGTH) return compute(className);
    const before = known.get(className);
    if (before !== undefined) return before;
    const value = compute(className);
    if (known.size >= MAX_NAMES) known.clear();
    known.set(className, value);
    return value;
  };
}
