/** Finds the elements that show text of their own. Walks text nodes only, so that it costs little beside the observation. */

import { around } from '../dom/around.ts';
import {
  bodyOf,
  boxOf,
  checkVisibility,
  hasAttribute,
  localName,
  parentElement,
  queryFragment,
  renderedParent,
} from '../dom/domGetters.ts';
import { documentState } from '../dom/lifetimes.ts';
import { styleOf } from '../dom/styleOf.ts';
import { UNREAD_TAGS } from '../dom/vocabulary.ts';
import { whileTreeStands } from '../dom/whileTreeStands.ts';
import { foundShadowRoots, hasShadowTrees, shadowRootOf } from '../perceive/element/shadowRootOf.ts';
import { isInClosedBox } from '../perceive/element/visibility.ts';
import { listedCandidate } from '../perceive/lastObservation.ts';

/** Elements whose text people do not see, or see as the value or an option of a field. */
const SKIPPED_TAGS: ReadonlySet<string> = new Set([
  ...UNREAD_TAGS,
  'title',
  'textarea',
  'option',
  'optgroup',
  'datalist',
]);
/** Elements that are compared from the beginning, and from the end, where toasts and dialogs are: more must not cost more time. */
const MAX_FROM_START = 1_500;
const MAX_FROM_END = 300;
/** Number of elements at the end of a document that are not read while they are outside of the page: toasts wait there. */
const MAX_MOVED = 40;
/** The maximum when the caller wants the text of the page. */
const MAX_WHOLE = 8_000;
/** Maximum number of text nodes that are read for one document or shadow tree, blank ones included. */
const MAX_NODES = 12_000;

/** Number of ancestors of a text among which a fixed box is searched. */
const MAX_FIXED_LEVELS = 6;

/** Options of `checkVisibility`: also not with `visibility: hidden` or `opacity: 0`. */
export const VISIBLE = { opacityProperty: true, visibilityProperty: true } as const;

/** The text that each visible element has directly, without that of its children; in document order, shadow trees after the document. */
export type OwnTexts = ReadonlyMap<Element, string>;

/** The number of texts before the part of a document that was not read. */
const cuts = new WeakMap<OwnTexts, number>();

/** Returns the number of texts before the part of the document that was not read; null if all of it was read. */
export const cutOf = (texts: OwnTexts): number | null => cuts.get(texts) ?? null;

/** Reads the visible text of the document and its shadow trees. @param whole true to read much more of a long document */
export function readOwnTexts(whole = false): OwnTexts {
  const maxFromStart = whole ? MAX_WHOLE : MAX_FROM_START;
  const body = bodyOf(document);
  const texts = new Map<Element, string>();
  if (body === null) return texts;
  const all =
    whole || hasShadowTrees() ? null : whileTreeStands('texts', () => ({ texts: allTexts(body) })).texts;
  if (all !== null) return withoutOutside(visibleOf(all));
  if (!readFrom(body, texts, 'start', maxFromStart)) {
    const last = new Map<Element, string>();
    cuts.set(texts, texts.size);
    readFrom(body, last, 'end', MAX_FROM_END);
    for (const [element, text] of [...last].reverse()) if (!texts.has(element)) texts.set(element, text);
  }
  for (const root of foundShadowRoots())
    readFrom(root, texts, 'start', maxFromStart + MAX_FROM_END - texts.size);
  return withoutOutside(texts);
}

/** Leaves out the texts at the end of a document that are outside of the page. What is listed with a box of its own is not. */
function withoutOutside(texts: OwnTexts): OwnTexts {
  const fixed = new Map<Element, boolean>();
  const outside = new Set(
    [...texts.keys()]
      .slice(-MAX_MOVED)
      .filter(element => listedCandidate(element)?.reachability.hasBox !== true && isOutside(element, fixed)),
  );
  if (outside.size === 0) return texts;
  const inside = new Map([...texts].filter(([element]) => !outside.has(element)));
  const cut = cutOf(texts);
  if (cut !== null) cuts.set(inside, Math.min(cut, inside.size));
  return inside;
}

function allTexts(root: Node): OwnTexts | null {
  const texts = new Map<Element, string>();
  return readFrom(root, texts, 'start', MAX_FROM_START, () => true) ? texts : null;
}

const lastVisible = documentState.value(() => ({
  all: null as OwnTexts | null,
  texts: null as OwnTexts | null,
}));

/** Returns the texts of the visible elements: the same object as last time if nothing has changed. */
function visibleOf(all: OwnTexts): OwnTexts {
  const before = lastVisible().all === all ? lastVisible().texts : null;
  let isSame = before !== null;
  const visible: Element[] = [];
  for (const element of all.keys()) {
    const shown = isVisible(element);
    if (shown) visible.push(element);
    isSame &&= shown === before?.has(element);
  }
  if (isSame && before !== null) return before;
  const texts = new Map(visible.map(element => [element, all.get(element) ?? '']));
  Object.assign(lastVisible(), { all, texts });
  return texts;
}

/** Returns true for an element whose text people may see: rendered, and in no box that is closed to nothing, such as that of an accordion. */
export function isVisible(element: Element): boolean {
  const place = placeOfText(element);
  return place !== null && checkVisibility(place, VISIBLE) && !isInClosedBox(place);
}

/** Returns the element that renders the text of an element: for the host of a shadow tree the box around its unnamed slot; null for none. */
function placeOfText(element: Element): Element | null {
  const root = shadowRootOf(element);
  // Which slot a script has assigned is not looked up: the host stands for it.
  if (root === null || root.slotAssignment === 'manual') return element;
  let at: Element | null = queryFragment(root, 'slot:not([name]), slot[name=""]');
  while (at !== null && styleOf(at).display === 'contents') at = renderedParent(at);
  return at;
}

/** Returns true for an element that no scrolling shows: above the page, left of it, or fixed outside of the window. */
function isOutside(element: Element, fixed: Map<Element, boolean>): boolean {
  const { left, top, right, bottom, width } = boxOf(element);
  if (width === 0) return false;
  if (bottom + scrollY <= 0 || right + scrollX <= 0) return true;
  return (left >= innerWidth || top >= innerHeight) && isInFixed(element, fixed);
}

/** @param fixed receives whether each element on the way is fixed itself: texts at the end of a page share what is around them */
function isInFixed(element: Element, fixed: Map<Element, boolean>): boolean {
  for (const at of around(element, MAX_FIXED_LEVELS)) {
    const isFixed = fixed.get(at) ?? styleOf(at).position === 'fixed';
    fixed.set(at, isFixed);
    if (isFixed) return true;
  }
  return false;
}

/** Returns true for a disclosure whose text is not rendered. */
const isClosedDetails = (element: Element): boolean =>
  localName(element) === 'details' && !hasAttribute(element, 'open');

/** Adds the texts below `root`. @returns false if there are more than `max` */
function readFrom(
  root: Node,
  texts: Map<Element, string>,
  from: 'start' | 'end',
  max: number,
  isRead: (element: Element) => boolean = isVisible,
): boolean {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const next = from === 'start' ? () => walker.nextNode() : () => walker.previousNode();
  const hidden = new Set<Element>();
  let node = from === 'start' ? walker.nextNode() : walker.lastChild();
  let found = 0;
  for (let left = MAX_NODES; node !== null; node = next()) {
    if (--left < 0 || found >= max) return false;
    const { data } = node as CharacterData;
    if (!/\S/.test(data)) continue;
    const element = parentElement(node);
    if (element === null || hidden.has(element)) continue;
    const known = texts.get(element);
    if (known !== undefined) {
      texts.set(element, from === 'start' ? `${known} ${data}` : `${data} ${known}`);
      continue;
    }
    if (SKIPPED_TAGS.has(localName(element)) || isClosedDetails(element) || !isRead(element)) {
      hidden.add(element);
      continue;
    }
    texts.set(element, data);
    found++;
  }
  return true;
}
