/** Computes the share of each block of a page that belongs to its true content, by an alignment of two sequences of words. */

import { wordsOf } from '../support/contentScore.ts';

const ANCHOR_WORDS = 4;
/** Maximum number of cells of the table of one alignment. */
const MAX_CELLS = 6_000_000;

/** Returns the share (0 to 1) of the words of each block that the true content has at this place. */
export function blockLabels(blocks: readonly string[], truth: string): number[] {
  const words = blocks.map(wordsOf);
  const page = words.flat();
  const wanted = wordsOf(truth);
  const isWanted = new Uint8Array(page.length);
  const isUsed = new Uint8Array(wanted.length);
  let fromPage = 0;
  let fromTruth = 0;
  for (const [atPage, atTruth] of [...anchors(page, wanted), [page.length, wanted.length] as const]) {
    align(page, fromPage, atPage, wanted, fromTruth, atTruth, isWanted, isUsed);
    if (atPage < page.length) {
      isWanted[atPage] = 1;
      isUsed[atTruth] = 1;
    }
    fromPage = atPage + 1;
    fromTruth = atTruth + 1;
  }
  const left = new Map<string, number>();
  for (const [at, word] of wanted.entries()) if (isUsed[at] === 0) left.set(word, (left.get(word) ?? 0) + 1);
  let start = 0;
  const bounds = words.map(own => {
    const from = start;
    start += own.length;
    return [from, start] as const;
  });
  // Content in another order than on the page: long blocks first.
  const order = words
    .map((_, index) => index)
    .sort((a, b) => (words[b]?.length ?? 0) - (words[a]?.length ?? 0));
  const labels = words.map((own, index) => {
    const [from, to] = bounds[index] ?? [0, 0];
    return own.length === 0 ? 0 : isWanted.subarray(from, to).reduce((sum, one) => sum + one, 0) / own.length;
  });
  for (const index of order) {
    const own = words[index] ?? [];
    if (own.length < 4 || (labels[index] ?? 0) > 0.5) continue;
    const found = own.filter(word => (left.get(word) ?? 0) > 0).length;
    if (found < 0.85 * own.length) continue;
    for (const word of own) left.set(word, (left.get(word) ?? 0) - 1);
    labels[index] = found / own.length;
  }
  return labels;
}

/** The longest rising sequence of places where both have the same words that occur once in each. */
function anchors(page: readonly string[], wanted: readonly string[]): (readonly [number, number])[] {
  const placesOf = (words: readonly string[]): Map<string, number> => {
    const places = new Map<string, number>();
    for (let at = 0; at + ANCHOR_WORDS <= words.length; at++) {
      const key = words.slice(at, at + ANCHOR_WORDS).join(' ');
      places.set(key, places.has(key) ? -1 : at);
    }
    return places;
  };
  const inTruth = placesOf(wanted);
  const pairs: (readonly [number, number])[] = [];
  for (const [key, at] of placesOf(page)) {
    const there = inTruth.get(key);
    if (at >= 0 && there !== undefined && there >= 0) pairs.push([at, there]);
  }
  pairs.sort((a, b) => a[0] - b[0]);
  const ends: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  for (const [index, [, there]] of pairs.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < there) low = middle + 1;
      else high = middle;
    }
    before[index] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = index;
  }
  const rising: (readonly [number, number])[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) rising.push(pairs[at] ?? [0, 0]);
  return rising.reverse();
}

/** Marks the longest common subsequence between two places. */
function align(
  page: readonly string[],
  fromPage: number,
  toPage: number,
  wanted: readonly string[],
  fromTruth: number,
  toTruth: number,
  isWanted: Uint8Array,
  isUsed: Uint8Array,
): void {
  const rows = toPage - fromPage;
  const columns = toTruth - fromTruth;
  if (rows <= 0 || columns <= 0 || rows * columns > MAX_CELLS) return;
  const width = columns + 1;
  const lengths = new Uint16Array((rows + 1) * width);
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--)
      lengths[row * width + column] =
        page[fromPage + row] === wanted[fromTruth + column]
          ? (lengths[(row + 1) * width + column + 1] ?? 0) + 1
          : Math.max(lengths[(row + 1) * width + column] ?? 0, lengths[row * width + column + 1] ?? 0);
  let row = 0;
  let column = 0;
  while (row < rows && column < columns) {
    if (page[fromPage + row] === wanted[fromTruth + column]) {
      isWanted[fromPage + row] = 1;
      isUsed[fromTruth + column] = 1;
      row++;
      column++;
    } else if ((lengths[(row + 1) * width + column] ?? 0) >= (lengths[row * width + column + 1] ?? 0)) row++;
    else column++;
  }
}
