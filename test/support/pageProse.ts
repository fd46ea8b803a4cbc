/** Text for pages of tests that are read as content. */

/** Returns the numbers from 1 to `count`. */
export const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

/** Returns a sentence that is long enough for prose. */
export const sentence = (about: string): string =>
  `The ${about} held up well over the winter, and after three months of daily use I would still choose it again.`;
