/** Removes blocks from a copy of a page, with the elements that contain nothing else. */
import type { ContentBlock } from './contentBlocks.ts';
import type { ElementTree } from './elementTree.ts';

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
