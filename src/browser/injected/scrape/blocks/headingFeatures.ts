/** Features of the headings above a block. */
import type { ContentBlock } from './contentBlocks.ts';
import { PHRASES } from './textFeatures.ts';

/** The phrases that tell what a section is for. */
const KINDS = [
  'related',
  'review',
  'filter',
  'subscribe',
  'specification',
  'share',
  'account',
  'reply',
] as const;
/** The distance to a heading is told apart up to this number of blocks. */
const MAX_DISTANCE = 200;

/** The names of the features that `headingFeatures` returns. */
export const HEADING_FEATURES: readonly string[] = [
  'headingLevel',
  'headingDistance',
  ...KINDS.map(kind => `under-${kind}`),
];

/**
 * Writes the features of the headings under which each block stands, in the order of `HEADING_FEATURES`. A heading ends where one of
 * its level, or a higher one, begins.
 * @param rows receives the features of block `at` from `start + at * width`
 */
export function headingFeatures(
  blocks: readonly ContentBlock[],
  rows: Float64Array,
  start: number,
  width: number,
): void {
  /** The kinds of the open heading of each level. */
  const open: (readonly boolean[])[] = [];
  let isUnder = KINDS.map(() => false);
  let last = -1;
  let lastLevel = 0;
  for (const [at, { headingLevel, text }] of blocks.entries()) {
    if (headingLevel > 0) {
      open.length = Math.min(open.length, headingLevel);
      const head = text.slice(0, 100);
      open[headingLevel] = KINDS.map(kind => PHRASES[kind]?.test(head) === true);
      isUnder = KINDS.map((_, kind) => open.some(kinds => kinds?.[kind] === true));
      last = at;
      lastLevel = headingLevel;
    }
    let to = start + at * width;
    rows[to++] = lastLevel;
    rows[to++] = last < 0 ? -1 : Math.log2(1 + Math.min(MAX_DISTANCE, at - last));
    for (const under of isUnder) rows[to++] = under ? 1 : 0;
  }
}
