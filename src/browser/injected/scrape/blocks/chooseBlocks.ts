/** Chooses the blocks of the content by the share of each block that is expected to be content. */

/** The number of words of each block of a page, and the share of it that is expected to be content. */
export interface ExpectedContent {
  /** Share (0 to 1) of each block that is expected to be content. */
  readonly shares: readonly number[];
  /** Number of words of each block. */
  readonly words: readonly number[];
}

/** Blocks with this part (0 to 1) of the share of the last chosen block are chosen too: a missing line costs a reader more than an additional one. */
const TOLERANCE = 0.8;

/**
 * Returns true for each block to keep: those with the highest shares, as many as give the highest expected F1 of words. A fixed
 * border would keep nothing of a page about which the model is unsure.
 */
export function chooseBlocks({ shares, words }: ExpectedContent): boolean[] {
  const wanted = expectedWords(shares, words);
  const order = shares.map((_, at) => at).sort((a, b) => (shares[b] ?? 0) - (shares[a] ?? 0));
  let hits = 0;
  let size = 0;
  let best = 0;
  let border = Number.POSITIVE_INFINITY;
  for (const at of order) {
    hits += (shares[at] ?? 0) * (words[at] ?? 0);
    size += words[at] ?? 0;
    const f1 = size + wanted === 0 ? 0 : (2 * hits) / (size + wanted);
    if (f1 < best) continue;
    best = f1;
    border = shares[at] ?? 0;
  }
  return shares.map(share => share >= TOLERANCE * border);
}

/** Returns the F1 of words (0 to 1) that the shares let expect of a choice. */
export function expectedF1({ shares, words }: ExpectedContent, isKept: readonly boolean[]): number {
  const size = words.reduce((sum, count, at) => sum + (isKept[at] === true ? count : 0), 0);
  const hits = shares.reduce(
    (sum, share, at) => sum + (isKept[at] === true ? share * (words[at] ?? 0) : 0),
    0,
  );
  const both = size + expectedWords(shares, words);
  return both === 0 ? 0 : (2 * hits) / both;
}

const expectedWords = (shares: readonly number[], words: readonly number[]): number =>
  shares.reduce((sum, share, at) => sum + share * (words[at] ?? 0), 0);
