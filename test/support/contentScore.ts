/** Scores a text as the benchmark of web content extraction does: by words as multisets, and by snippets. */

/** Lower-case words of a text. */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [];

/** The quality of one page's text; each number is from 0 to 1. */
export interface PageScore {
  readonly f1: number;
  readonly precision: number;
  readonly recall: number;
  /** Share of the wanted snippets that are there; null if the page names none. */
  readonly wanted: number | null;
  /** The same, comparing only letters and digits: quotation marks, dashes, markers of lists and white space do not count. */
  readonly wantedWords: number | null;
  /** Share of the unwanted snippets that are not there; null if the page names none. */
  readonly unwanted: number | null;
}

/** The true content of a page. */
export interface PageTruth {
  readonly content: string;
  /** Snippets that must be there. */
  readonly wanted: readonly string[];
  /** Snippets that must not be there. */
  readonly unwanted: readonly string[];
}

/** Compares the text of a page with its true content. */
export function scorePage(truth: PageTruth, text: string): PageScore {
  const words = wordsOf(truth.content);
  const found = wordsOf(text);
  const left = new Map<string, number>();
  for (const word of words) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of found) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    common++;
    left.set(word, count - 1);
  }
  const precision = found.length === 0 ? 0 : common / found.length;
  const recall = words.length === 0 ? 0 : common / words.length;
  const page = oneLine(text);
  const letters = lettersOf(text);
  const isThere = (snippet: string) => page.includes(oneLine(snippet));
  return {
    f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
    precision,
    recall,
    wanted: shareOf(truth.wanted, isThere),
    wantedWords: shareOf(truth.wanted, snippet => letters.includes(lettersOf(snippet))),
    unwanted: shareOf(truth.unwanted, snippet => !isThere(snippet)),
  };
}

const oneLine = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

const lettersOf = (text: string): string => wordsOf(text).join('');

const shareOf = (snippets: readonly string[], isGood: (snippet: string) => boolean): number | null =>
  snippets.length === 0 ? null : snippets.filter(isGood).length / snippets.length;
