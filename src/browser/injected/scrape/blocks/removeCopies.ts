/** Removes from an article the blocks that it shows twice: for wide and for narrow windows, on two layers of a slide. */
import { contentBlocks } from './contentBlocks.ts';

/** Shorter blocks are repeated for a reason. */
const MIN_CHARACTERS = 30;
/** A copy follows its original after at most this many blocks. What comes again later repeats for the reader. */
const MAX_DISTANCE = 12;
/** The same for a text that the article has more than twice, such as the question that an interview asks everyone. */
const MAX_DISTANCE_OF_MANY = 6;
/** Cells of a table and lines of code repeat each other. */
const REPEATING = 'td,th,pre';

/** Removes each block whose text an earlier block nearby has, unless they are siblings: a refrain stands between the verses. */
export function removeCopies(root: Element): void {
  const blocks = contentBlocks(root);
  const counts = new Map<string, number>();
  for (const { text } of blocks)
    if (text.length >= MIN_CHARACTERS) counts.set(text, (counts.get(text) ?? 0) + 1);
  const known = new Map<string, { readonly at: number; readonly parent: Element | null }>();
  for (const [at, { text, container, nodes }] of blocks.entries()) {
    const count = counts.get(text) ?? 0;
    if (count < 2) continue;
    const parent = container.parentElement;
    const before = known.get(text);
    if (
      before !== undefined &&
      at - before.at <= (count > 2 ? MAX_DISTANCE_OF_MANY : MAX_DISTANCE) &&
      before.parent !== parent &&
      container.closest(REPEATING) === null
    )
      for (const node of nodes) node.parentNode?.removeChild(node);
    else known.set(text, { at, parent });
  }
}
