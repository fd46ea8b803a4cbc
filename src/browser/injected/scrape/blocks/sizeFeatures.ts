/** Features of each block that measure in characters and blocks what others measure as a share of the page: content does not grow with the page around it. */
import type { ContentBlock } from './contentBlocks.ts';
import type { ElementStats, ElementTree } from './elementTree.ts';

/** Number of elements around a block, its container included, that are measured. */
const LEVELS = 5;

/** The names of the features that `sizeFeatures` writes. */
export const SIZE_FEATURES: readonly string[] = [
  'pageCharacters',
  'pageBlocks',
  'charactersBefore',
  'charactersSinceHeading',
  'proseBefore',
  'proseSinceHeading',
  'proseRank',
  ...Array.from({ length: LEVELS }, (_, level) => `characters-up${level}`),
];

/** Minimum length of a block, less than half of it in links, that counts as prose. */
const MIN_PROSE_CHARACTERS = 100;

const isProse = ({ text, linkCharacters }: ContentBlock): boolean =>
  text.length >= MIN_PROSE_CHARACTERS && linkCharacters < text.length / 2;

/**
 * Writes the features of all blocks, in the order of `SIZE_FEATURES`; numbers are logarithms.
 * @param rows receives the features of block `at` from `start + at * width`
 */
export function sizeFeatures(
  blocks: readonly ContentBlock[],
  { root, containers }: ElementTree,
  rows: Float64Array,
  start: number,
  width: number,
): void {
  const ranks = proseRanks(blocks);
  const heading = blocks.findIndex(({ headingLevel }) => headingLevel === 1);
  const logs = new Map<ElementStats, number>();
  const sizeOf = (stats: ElementStats): number => {
    const known = logs.get(stats) ?? log(stats.characters);
    logs.set(stats, known);
    return known;
  };
  let characters = 0;
  let prose = 0;
  let charactersToHeading = 0;
  let proseToHeading = 0;
  for (const [at, block] of blocks.entries()) {
    if (at <= heading) {
      charactersToHeading = characters;
      proseToHeading = prose;
    }
    let to = start + at * width;
    rows[to++] = sizeOf(root);
    rows[to++] = log(blocks.length);
    rows[to++] = log(characters);
    rows[to++] = heading < 0 ? 0 : log(characters - charactersToHeading);
    rows[to++] = log(prose);
    rows[to++] = log(prose - proseToHeading);
    rows[to++] = log(ranks[at] ?? 0);
    let stats: ElementStats | null = containers[at] ?? root;
    for (let level = 0; level < LEVELS; level++) {
      rows[to++] = sizeOf(stats ?? root);
      stats = stats?.parent ?? null;
    }
    characters += block.text.length;
    if (isProse(block)) prose++;
  }
}

const log = (value: number): number => Math.log2(1 + value);

/** Returns for each block the number of blocks with more characters outside links. */
function proseRanks(blocks: readonly ContentBlock[]): number[] {
  const own = blocks.map(({ text, linkCharacters }) => text.length - linkCharacters);
  const order = own.map((_, at) => at).sort((a, b) => (own[b] ?? 0) - (own[a] ?? 0));
  const ranks: number[] = [];
  for (const [rank, at] of order.entries()) ranks[at] = rank;
  return ranks;
}
