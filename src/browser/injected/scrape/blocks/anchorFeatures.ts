/** Features of each block that compare it with what the page is about: its name, its longest prose, its own description. */
import type { ContentBlock } from './contentBlocks.ts';
import type { ElementStats, ElementTree } from './elementTree.ts';

/** The title and the descriptions of a page. */
export interface PageSubject {
  readonly title: string;
  /** Descriptions that the page declares: by `meta` elements and structured data. */
  readonly descriptions: readonly string[];
}

/** The names of the features that `anchorFeatures` writes. */
export const ANCHOR_FEATURES = [
  'headingUp',
  'headingShare',
  'proseUp',
  'proseShare',
  'charactersAfterHeading',
  'inTitle',
  'inDescription',
  'isRepetition',
] as const;

/** Number of characters of a block that are compared with the page's subject. */
const MAX_COMPARED_CHARACTERS = 400;
/** Number of words in a row that a block has in common with a description. */
const RUN_WORDS = 3;
const WORDS = /[\p{L}\p{N}]{3,}/gu;
const ANY_WORDS = /[\p{L}\p{N}]+/gu;

/**
 * Writes the features of all blocks, in the order of `ANCHOR_FEATURES`.
 * @param rows receives the features of block `at` from `start + at * width`
 */
export function anchorFeatures(
  blocks: readonly ContentBlock[],
  { root, containers }: ElementTree,
  subject: PageSubject,
  rows: Float64Array,
  start: number,
  width: number,
): void {
  const heading = blocks.findIndex(({ headingLevel }) => headingLevel === 1);
  const fromHeading = new Ascent(heading);
  const fromProse = new Ascent(longestProse(blocks));
  const total = Math.max(1, root.characters);
  const title = new Set(wordsOf(`${subject.title} ${blocks[heading]?.text ?? ''}`, WORDS));
  const runs = new Set(subject.descriptions.flatMap(text => runsOf(wordsOf(text, ANY_WORDS))));
  const known = new Set<string>();
  let before = 0;
  let beforeHeading = 0;
  for (const [at, { text }] of blocks.entries()) {
    const container = containers[at] ?? root;
    const head = text.slice(0, MAX_COMPARED_CHARACTERS);
    if (at === heading) beforeHeading = before;
    const up = fromHeading.of(container);
    const proseUp = fromProse.of(container);
    let to = start + at * width;
    rows[to++] = up.steps;
    rows[to++] = up.around === null ? 0 : up.around.characters / total;
    rows[to++] = proseUp.steps;
    rows[to++] = proseUp.around === null ? 0 : proseUp.around.characters / total;
    rows[to++] = at < heading || heading < 0 ? 0 : (before - beforeHeading) / total;
    rows[to++] = shareIn(title, wordsOf(head, WORDS));
    rows[to++] = runs.size === 0 ? -1 : shareIn(runs, runsOf(wordsOf(head, ANY_WORDS)));
    rows[to++] = known.has(text) ? 1 : 0;
    known.add(text);
    before += text.length;
  }
}

interface Ascended {
  /** Number of elements from the container up to the one around the target; -1 without a target. */
  readonly steps: number;
  readonly around: ElementStats | null;
}

/** Finds the nearest element around a container that also has a target block. Asks each element once. */
class Ascent {
  readonly #target: number;
  readonly #known = new Map<ElementStats, Ascended>();

  constructor(target: number) {
    this.#target = target;
  }

  of(stats: ElementStats): Ascended {
    const known = this.#known.get(stats);
    if (known !== undefined) return known;
    const found = this.#find(stats);
    this.#known.set(stats, found);
    return found;
  }

  #find(stats: ElementStats): Ascended {
    if (this.#target < 0) return { steps: -1, around: null };
    if (stats.parent === null || (stats.first <= this.#target && this.#target < stats.end))
      return { steps: 0, around: stats };
    const { steps, around } = this.of(stats.parent);
    return { steps: steps + 1, around };
  }
}

/** Returns the index of the block with the most characters outside links; -1 without blocks. */
function longestProse(blocks: readonly ContentBlock[]): number {
  let found = -1;
  let longest = 0;
  for (const [at, { text, linkCharacters }] of blocks.entries())
    if (text.length - linkCharacters > longest) {
      longest = text.length - linkCharacters;
      found = at;
    }
  return found;
}

const wordsOf = (text: string, pattern: RegExp): readonly string[] => text.toLowerCase().match(pattern) ?? [];

const runsOf = (words: readonly string[]): string[] =>
  words.slice(RUN_WORDS - 1).map((_, at) => words.slice(at, at + RUN_WORDS).join(' '));

/** Returns the share (0 to 1) of `parts` that are in `known`; -1 without parts. */
const shareIn = (known: ReadonlySet<string>, parts: readonly string[]): number =>
  parts.length === 0
    ? -1
    : parts.reduce((count, part) => count + (known.has(part) ? 1 : 0), 0) / parts.length;
