/** The interface of a block pass: one correction of the shares that the model gives the blocks. */
import type { PageType } from '../../signals/pageTypes.ts';
import type { ContentBlock } from './contentBlocks.ts';
import type { ElementTree } from './elementTree.ts';

/** The blocks of a page. */
export interface BlockPassInput {
  readonly blocks: readonly ContentBlock[];
  readonly tree: ElementTree;
  /** Number of words of each block. */
  readonly words: readonly number[];
  /** The likeliest type of the page. */
  readonly type: PageType;
}

/** One correction of the shares of the blocks. */
export interface BlockPass {
  readonly name: string;
  /** Why the pass has its position in `BLOCK_PASSES`. */
  readonly orderReason: string;
  /** Returns the corrected share (0 to 1) of each block. */
  run(shares: readonly number[], input: BlockPassInput): number[];
}
