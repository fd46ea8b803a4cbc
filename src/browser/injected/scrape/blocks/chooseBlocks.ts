/** Chooses the blocks of the content by the share of each block that is expected to be content. */
import type { ContentBlock } from './contentBlocks.ts';
import { ANCESTOR_NAMES, type ElementStats, type ElementTree, NOWHERE } from './elementTree.ts';

/** The blocks of a page. */
export interface RepeatedTexts {
  readonly texts: readonly string[];
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

/** Removes the blocks that are not kept. An element is removed with its pictures when all of its blocks are. */
export function removeBlocks(
  blocks: readonly ContentBlock[],
  { containers, root }: ElementTree,
  isKept: readonly boolean[],
): void {
  const keptBefore = [0];
  for (const [at, kept] of isKept.entries()) keptBefore.push((keptBefore[at] ?? 0) + (kept ? 1 : 0));
  const keeps = (first: number, end: number) => (keptBefore[end] ?? 0) > (keptBefore[first] ?? 0);
  for (const [at, block] of blocks.entries()) {
    if (isKept[at] === true) continue;
    let stats = containers[at] ?? root;
    if (stats === root || keeps(stats.first, stats.end)) {
      for (const node of block.nodes) node.parentNode?.removeChild(node);
      continue;
    }
    while (stats.parent !== null && stats.parent !== root && !keeps(stats.parent.first, stats.parent.end))
      stats = stats.parent;
    stats.element.remove();
  }
}

/** The number of words of each block of a page, and the share of it that is expected to be content. */
interface ExpectedContent {
  /** Share (0 to 1) of each block that is expected to be content. */
  readonly shares: readonly number[];
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
