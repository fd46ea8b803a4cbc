/** Reads the text of the document in blocks, each with the next listed action after it. */
import {
  comparePosition,
  composedParent,
  getAttribute,
  getRootNode,
  isShadowRoot,
  localName,
  shadowHost,
} from '../dom/domGetters.ts';
import { truncate } from '../perceive/element/plainText.ts';
import { keyOfElement } from '../perceive/elementKeys.ts';
import { foundFrames, listedCandidates } from '../perceive/lastObservation.ts';
import type { ObservedTextBlock } from '../perceive/wireFormat.ts';
import { blockOf, lineText } from './lineText.ts';
import { isInAction } from './textChanges.ts';
import { readOwnTexts } from './textOwners.ts';

/** Maximum length of one block, and of all blocks of a document. Characters. */
const MAX_BLOCK_LENGTH = 1_000;
const MAX_TOTAL_LENGTH = 100_000;
/** Number of elements around a cell in which its row is searched. */
const MAX_ROW_DEPTH = 4;

/** A block before it is placed among the actions. */
interface ReadBlock {
  readonly kind: ObservedTextBlock['kind'];
  readonly element: Element;
  readonly parts: string[];
}

/** Returns the visible text of the document, in document order, without texts that the list of actions shows. */
export function readTextBlocks(): ObservedTextBlock[] {
  const blocks = new Map<Element, ReadBlock>();
  const visited = new Set<Element>();
  let left = MAX_TOTAL_LENGTH;
  for (const owner of readOwnTexts(true).keys()) {
    const line = blockOf(owner);
    if (visited.has(line)) continue;
    visited.add(line);
    const text = truncate(lineText(line), MAX_BLOCK_LENGTH);
    if (text === '' || isInAction({ element: line, text })) continue;
    left -= text.length;
    if (left < 0) break;
    const row = rowOf(line);
    const block = blocks.get(row ?? line);
    if (block === undefined)
      blocks.set(row ?? line, {
        kind: row === null ? kindOf(line) : 'row',
        element: row ?? line,
        parts: [text],
      });
    else block.parts.push(text);
  }
  const anchors = anchorsInOrder();
  return [...blocks.values()]
    .map(block => ({ block, index: indexAfter(anchors, block.element) }))
    .sort((one, other) => one.index - other.index)
    .map(({ block: { kind, parts }, index }) => ({
      kind,
      text: truncate(parts.join(' | '), MAX_BLOCK_LENGTH),
      frame: anchors[index]?.frame ?? null,
      before: anchors.slice(index).find(({ key }) => key !== null)?.key ?? null,
    }));
}

/** A listed action or an iframe, before which blocks of text are placed. */
interface Anchor {
  readonly element: Element;
  /** Key of the action; null for an iframe. */
  readonly key: number | null;
  /** Index of the iframe; null for an action. */
  readonly frame: number | null;
}

function anchorsInOrder(): readonly Anchor[] {
  const actions = listedCandidates().map(({ candidate: { element } }) => ({
    element: inDocument(element),
    key: keyOfElement(element),
    frame: null,
  }));
  const frames = foundFrames().map(({ element }, frame) => ({
    element: inDocument(element),
    key: null,
    frame,
  }));
  if (frames.length === 0) return actions;
  return [...actions, ...frames].sort((one, other) => (isBefore(one.element, other.element) ? -1 : 1));
}

const kindOf = (element: Element): ReadBlock['kind'] =>
  /^h[1-6]$/.test(localName(element)) || getAttribute(element, 'role') === 'heading' ? 'heading' : 'text';

function rowOf(element: Element): Element | null {
  let at: Element | null = element;
  for (let climbed = 0; at !== null && climbed < MAX_ROW_DEPTH; climbed++, at = composedParent(at))
    if (localName(at) === 'tr' || getAttribute(at, 'role') === 'row') return at;
  return null;
}

/** Returns the index of the first anchor after the beginning of an element; the number of anchors if none follows. */
function indexAfter(anchors: readonly Anchor[], element: Element): number {
  const place = inDocument(element);
  let [low, high] = [0, anchors.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const anchor = anchors[middle];
    if (anchor !== undefined && isBefore(anchor.element, place)) low = middle + 1;
    else high = middle;
  }
  return low;
}

const isBefore = (one: Element, other: Element): boolean =>
  (comparePosition(one, other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

/** Returns the element itself, or the host in the document of the shadow trees that contain it. */
function inDocument(element: Element): Element {
  let at = element;
  for (let root = getRootNode(at); isShadowRoot(root); root = getRootNode(at)) at = shadowHost(root);
  return at;
}
