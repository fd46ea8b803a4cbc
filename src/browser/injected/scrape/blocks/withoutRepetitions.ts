/** Keeps a text once that the page has several times: for wide and for narrow windows, in the copies of a carousel, as a quote. */
import type { ElementStats } from './elementTree.ts';
import { ANCESTOR_NAMES, NOWHERE } from './elementTree.ts';

/** The blocks of a page. */
export interface RepeatedTexts {
  readonly texts: readonly string[];
  /** Number of words of each block. */
  readonly words: readonly number[];
  /** True for each block that may repeat another. */
  readonly mayRepeat: readonly boolean[];
}

/** Shorter blocks are repeated for a reason: the place of each job, the unit of each price. */
const MIN_WORDS = 6;
/** Values of a table and lines of code repeat each other. */
const REPEATING = ['td', 'pre'].map(name => ANCESTOR_NAMES.indexOf(name));

/** Returns true for an element in a table or in code. */
export const mayRepeatText = ({ names }: ElementStats): boolean =>
  REPEATING.some(place => names[place] !== NOWHERE);

/** Returns true for the blocks of `isKept`, except those whose text an earlier one of them has. */
export function withoutRepetitions(
  isKept: readonly boolean[],
  { texts, words, mayRepeat }: RepeatedTexts,
): boolean[] {
  const known = new Set<string>();
  return isKept.map((kept, at) => {
    if (!kept || (words[at] ?? 0) < MIN_WORDS || mayRepeat[at] === true) return kept;
    const text = (texts[at] ?? '').toLowerCase();
    if (known.has(text)) return false;
    known.add(text);
    return true;
  });
}
