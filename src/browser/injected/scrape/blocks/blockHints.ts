/** Hints on blocks from the article pipeline and the landmarks of a page. */

import type { ArticleTexts } from '../article/readArticle.ts';
import type { Landmarks } from '../landmarkContent.ts';
import type { ContentBlock } from './contentBlocks.ts';

/** The blocks that other judgements of the page keep. */
export interface BlockHints {
  /** The share of each block's text that the article pipeline keeps; null if it finds no article. */
  readonly article: readonly number[] | null;
  /** The share of each block's text that Readability keeps; null if it finds no article. */
  readonly found: readonly number[] | null;
  /** True for each block that the landmarks of the page count as content. */
  readonly landmark: readonly boolean[];
}

/**
 * Returns what an article and the landmarks say of the blocks of a copy.
 * @param texts the texts of the article; null if there is none
 */
export function blockHints(
  blocks: readonly ContentBlock[],
  texts: ArticleTexts | null,
  landmarks: Landmarks,
): BlockHints {
  const isContent = landmarkTest(landmarks);
  return {
    article: texts === null ? null : blocks.map(block => share(block, texts.kept)),
    found: texts === null ? null : blocks.map(block => share(block, texts.found)),
    landmark: blocks.map(({ container }) => isContent(container)),
  };
}

/** Returns a function that tells whether an element is content by the landmarks; asks each element once. */
function landmarkTest({ root, removed }: Landmarks): (element: Element) => boolean {
  const known = new Map<Element, boolean>([[root, true]]);
  for (const element of removed) known.set(element, false);
  return element => {
    const asked: Element[] = [];
    let found: boolean | undefined;
    let at: Element | null = element;
    for (; at !== null && found === undefined; at = at.parentElement) {
      found = known.get(at);
      if (found === undefined) asked.push(at);
    }
    for (const one of asked) known.set(one, found ?? false);
    return found ?? false;
  };
}

function share({ nodes, lengths }: ContentBlock, kept: ReadonlySet<Node>): number {
  let all = 0;
  let inside = 0;
  for (let at = 0; at < nodes.length; at++) {
    const length = lengths[at] ?? 0;
    all += length;
    if (kept.has(nodes[at] as Node)) inside += length;
  }
  return all === 0 ? 0 : inside / all;
}
