/** Places the blocks of text of several frames among the actions. */
import type { Action } from '../../domain/space/action.ts';
import { normalizeText } from '../../domain/space/pageText.ts';
import type { PageTextBlock } from '../../domain/space/pageTextBlock.ts';
import type { FrameObservation } from '../injected/perceive/wireFormat.ts';

/** A block of text whose next action may be known only after its frame was read. */
export type UnplacedBlock = Omit<PageTextBlock, 'before'> & { before: string | null };

/** A child frame that was read, and where its blocks of text are in the collection. */
export interface ReadFrame {
  readonly index: number;
  /** Number of elements of the document before the frame. */
  readonly before: number;
  readonly start: number;
  readonly end: number;
  /** Id of the first action in the frame; null if it has none. */
  readonly firstAction: string | null;
  /** The blocks of the document that stand before the frame. */
  readonly textBefore: UnplacedBlock[];
}

/**
 * Adds the blocks of a document to those of its child frames.
 * @param blocks the blocks of all frames that were read before
 * @param frames the child frames of the document that were read, in document order
 * @param idOf returns the id of the action with a key in the document; null if there is none
 */
export function addTextBlocks(
  blocks: UnplacedBlock[],
  { elements, textBlocks }: Pick<FrameObservation, 'elements' | 'textBlocks'>,
  frames: readonly ReadFrame[],
  idOf: (key: number | null | undefined) => string | null,
): void {
  // The text after the last action of a frame stands before the next action of this document.
  for (const { start, end, before } of frames)
    for (const block of blocks.slice(start, end)) block.before ??= idOf(elements[before]?.key);
  for (const { kind, text, frame, before } of textBlocks) {
    const inner = frames.find(({ index }) => index === frame);
    const block = { kind, text: normalizeText(text), before: inner?.firstAction ?? idOf(before) };
    if (inner === undefined) blocks.push(block);
    else inner.textBefore.push(block);
  }
  for (const { start, textBefore } of frames.toReversed()) blocks.splice(start, 0, ...textBefore);
}

/** Sorts blocks of several frames by the actions after them. */
export function inActionOrder(blocks: PageTextBlock[], actions: readonly Action[]): PageTextBlock[] {
  const positions = new Map(actions.map(({ id }, index) => [id, index] as const));
  const positionOf = ({ before }: PageTextBlock): number =>
    before === null ? actions.length : (positions.get(before) ?? actions.length);
  return blocks.sort((one, other) => positionOf(one) - positionOf(other));
}
