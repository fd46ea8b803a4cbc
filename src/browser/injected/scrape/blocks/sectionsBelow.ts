/** Finds the sections of a page by their headings. */
import { MAX_HEADING_CHARACTERS } from '../../signals/sectionHeadings.ts';
import type { ContentBlock } from './contentBlocks.ts';
import type { ElementStats, ElementTree } from './elementTree.ts';

/** A section with more than this share (0 to 1) of the page's text is the content, whatever its heading is, unless the page begins otherwise. */
const MAX_SECTION_SHARE = 0.5;
/** Minimum number of characters outside links, in blocks of prose, with which a page begins otherwise. */
const MIN_PROSE_BEFORE = 400;
/** Minimum number of characters outside links of a block of prose. */
const MIN_PROSE_CHARACTERS = 100;

/** Returns the largest elements that begin with a heading of a kind. */
export function sectionsBelow(
  headings: { test(text: string): boolean },
  blocks: readonly ContentBlock[],
  { containers, root }: ElementTree,
): ElementStats[] {
  const found: ElementStats[] = [];
  for (const [at, { headingLevel, text }] of blocks.entries()) {
    if (headingLevel === 0 || text.length > MAX_HEADING_CHARACTERS || !headings.test(text)) continue;
    const section = sectionOf(containers[at] ?? root, at);
    const isSmall = section.characters <= MAX_SECTION_SHARE * root.characters;
    if (isSmall || proseBefore(blocks, section.first) >= MIN_PROSE_BEFORE) found.push(section);
  }
  return found;
}

/** Returns the number of characters of the blocks of prose before the block `first`. */
function proseBefore(blocks: readonly ContentBlock[], first: number): number {
  let sum = 0;
  for (const { text, linkCharacters } of blocks.slice(0, first)) {
    const length = text.length - linkCharacters;
    if (length >= MIN_PROSE_CHARACTERS) sum += length;
  }
  return sum;
}

/** Returns the largest element that begins with the block `first`. */
function sectionOf(heading: ElementStats, first: number): ElementStats {
  let section = heading;
  while (section.parent !== null && section.parent.first === first) section = section.parent;
  return section;
}
