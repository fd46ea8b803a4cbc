/** The text of a page in blocks, for lists of actions with the text between them. */

/** The kinds of blocks of text: a heading, a row of a table or grid (its cells separated by ` | `), and all other text. */
export const TEXT_BLOCK_KINDS = ['heading', 'row', 'text'] as const;
export type TextBlockKind = (typeof TEXT_BLOCK_KINDS)[number];

/** A block of text of a page. */
export interface PageTextBlock {
  readonly kind: TextBlockKind;
  /** The words of the page on one line. */
  readonly text: string;
  /** Id of the next listed action after the text; null if no listed action follows. */
  readonly before: string | null;
}

/**
 * Makes `before` of each block refer to a listed action.
 * @param order the ids of all actions of the page, in document order
 * @param listed the ids of the listed actions
 */
export function placeBeforeListed(
  blocks: readonly PageTextBlock[],
  order: readonly string[],
  listed: ReadonlySet<string>,
): readonly PageTextBlock[] {
  const nextListed = new Map<string, string | null>();
  let next: string | null = null;
  for (const id of order.toReversed()) {
    if (listed.has(id)) next = id;
    nextListed.set(id, next);
  }
  return blocks.map(block => ({
    ...block,
    before: block.before === null ? null : (nextListed.get(block.before) ?? null),
  }));
}
