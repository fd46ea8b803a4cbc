/** Reads the text of the document in blocks, each with the next listed action after it. */
import { around, WIDGET_LEVELS } from '../dom/around.ts';
import { getAttribute, getRootNode, isShadowRoot, localName, queryAllDocument } from '../dom/domGetters.ts';
import { truncate } from '../perceive/element/plainText.ts';
import { keyOfElement } from '../perceive/elementKeys.ts';
import { foundFrames, listedCandidates } from '../perceive/lastObservation.ts';
import type { ObservedTextBlock } from '../perceive/wireFormat.ts';
import { blockOf, isInAction, lineText } from './textChanges.ts';
import { readOwnTexts } from './textOwners.ts';

/** Returns places in document order with one walk: each comparison of two positions takes time that is linear in a long list. */
export function placesInDocument(elements: Iterable<Element>): ReadonlyMap<Element, number> {
  const wanted = new Set(elements);
  const places = new Map<Element, number>();
  if (wanted.size === 0) return places;
  for (const element of queryAllDocument(document, '*'))
    if (wanted.has(element)) places.set(element, places.size);
  return places;
}

const MAX_BLOCK_LENGTH = 1_000;
const MAX_TOTAL_LENGTH = 100_000;

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
  const anchors = anchorsOf();
  const read = [...blocks.values()].map(block => ({ block, element: inDocument(block.element) }));
  const places = placesInDocument([...anchors, ...read].map(({ element }) => element));
  const placeOf = ({ element }: { readonly element: Element }): number =>
    places.get(element) ?? Number.POSITIVE_INFINITY;
  anchors.sort((one, other) => placeOf(one) - placeOf(other));
  const anchorPlaces = anchors.map(placeOf);
  const nextKeys = keysFrom(anchors);
  return read
    .map(one => ({ block: one.block, index: indexAfter(anchorPlaces, placeOf(one)) }))
    .sort((one, other) => one.index - other.index)
    .map(({ block: { kind, parts }, index }) => ({
      kind,
      text: truncate(parts.join(' | '), MAX_BLOCK_LENGTH),
      frame: anchors[index]?.frame ?? null,
      before: nextKeys[index] ?? null,
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

function anchorsOf(): Anchor[] {
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
  return [...actions, ...frames];
}

function keysFrom(anchors: readonly Anchor[]): readonly (number | null)[] {
  const keys: (number | null)[] = [];
  let next: number | null = null;
  for (let index = anchors.length - 1; index >= 0; index--) {
    next = anchors[index]?.key ?? next;
    keys[index] = next;
  }
  return keys;
}

const kindOf = (element: Element): ReadBlock['kind'] =>
  /^h[1-6]$/.test(localName(element)) || getAttribute(element, 'role') === 'heading' ? 'heading' : 'text';

function rowOf(element: Element): Element | null {
  for (const at of around(element, WIDGET_LEVELS))
    if (localName(at) === 'tr' || getAttribute(at, 'role') === 'row') return at;
  return null;
}

function indexAfter(anchorPlaces: readonly number[], place: number): number {
  let [low, high] = [0, anchorPlaces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((anchorPlaces[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the element itself, or the host in the document of the shadow trees that contain it. */
function inDocument(element: Element): Element {
  let at = element;
  for (let root = getRootNode(at); isShadowRoot(root); root = getRootNode(at)) at = root.host;
  return at;
}
