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
 * Returns the features of the headings under which each block stands, in the order of `HEADING_FEATURES`. A heading ends where one of
 * its level, or a higher one, begins.
 */
export function headingFeatures(blocks: readonly ContentBlock[]): number[][] {
  /** The kinds of the open heading of each level. */
  const open: (readonly number[])[] = [];
  let last = -1;
  let lastLevel = 0;
  return blocks.map(({ container, text }, at) => {
    const level = /^h[1-6]$/.test(container.localName) ? Number(container.localName.slice(1)) : 0;
    if (level > 0) {
      open.length = Math.min(open.length, level);
      open[level] = KINDS.map(kind => (PHRASES[kind]?.test(text.slice(0, 100)) === true ? 1 : 0));
      last = at;
      lastLevel = level;
    }
    return [
      lastLevel,
      last < 0 ? -1 : Math.log2(1 + Math.min(MAX_DISTANCE, at - last)),
      ...KINDS.map((_, kind) => (open.some(kinds => kinds?.[kind] === 1) ? 1 : 0)),
    ];
  });
}
