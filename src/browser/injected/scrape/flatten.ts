/**
 * One inert document of what the page shows: shadow trees and readable frames stand at their place, hidden parts are
 * left out, form controls carry what they hold, addresses are absolute. Nothing in it loads, runs or leads back to the page.
 */

import { isOwnTextVisible, visibilityOf } from './elementVisibility.ts';
import * as live from './liveDom.ts';
import { isHiddenFormula } from './normalizeFormulas.ts';
import { applyNoscriptImage } from './noscriptImage.ts';
import { type FramePlaceholder, openFrame } from './openFrame.ts';
import { findShadowRoot, requestClosedRoot } from './shadowRoots.ts';
import { insertSeparator, shallowCopy } from './shallowCopy.ts';
import { appendSvgText } from './svgText.ts';

/**
 * Deeper elements become siblings, as the HTML parser does at 512: serialising and measuring recurse or go quadratic in
 * depth. Real pages stay under 60.
 */
const MAX_DEPTH = 200;
/** What is past these is not read: more than any reader wants, and more than one answer carries. Elements; characters. */
const MAX_ELEMENTS = 100_000;
const MAX_TEXT_CHARACTERS = 10_000_000;

export interface FlattenOptions {
  /** Keep class, style, SVG and structure as they are (the visible page), or only what main content needs. */
  readonly fullPage: boolean;
  /** Called for each element that is seen, in document order. */
  readonly onVisible: ((element: Element) => void) | null;
}

export interface FlatPage {
  readonly document: Document;
  /** Places whose content another world must give. */
  readonly frames: readonly FramePlaceholder[];
  /** Whether the page had more than is read. */
  readonly truncated: boolean;
}

/** Where the walk stands in one parent. */
interface WalkPosition {
  next: Node | null;
  /** Set when the children are not siblings of each other: what a slot was given. */
  readonly assigned: readonly Node[] | null;
  assignedIndex: number;
  readonly into: Node;
  readonly depth: number;
  readonly base: string;
  /** The element that holds the text here; null when its text is not seen. */
  readonly textParent: Element | null;
  /** Whether the holder shows its own text; null until the first text asks. */
  textIsVisible: boolean | null;
  /** Neither style nor visibility is judged inside: a drawing, a formula, a list of options. */
  readonly verbatim: boolean;
}

/** Never content, in drawings and formulas neither. */
const SKIPPED_ELEMENTS = new Set('script style template link meta base head embed object param'.split(' '));
/** They have no box of their own, whatever their style says. */
const ELEMENTS_WITHOUT_BOX = new Set(
  'br wbr area map source track col colgroup option optgroup picture'.split(' '),
);
const ELEMENTS_WITHOUT_CHILDREN = new Set('textarea canvas audio video object'.split(' '));
const VERBATIM_ELEMENTS = new Set('svg math select'.split(' '));

export function flatten(page: Document, options: FlattenOptions): FlatPage {
  const document = live.implementationOf(page).createHTMLDocument('');
  const frames: FramePlaceholder[] = [];
  const stack: WalkPosition[] = [];
  const base = live.baseAddress(page);
  const body = live.bodyOf(page) ?? live.rootOf(page);
  if (body !== null)
    stack.push(
      live.localName(body) === 'frameset'
        ? startWalk(body, document.body, 0, base, null, false)
        : startWalk(body, document.body, 0, base, body, false),
    );
  let elements = 0;
  let text = 0;
  let cut = false;
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const node = nextNode(top);
    if (node === null) stack.pop();
    else if (live.nodeType(node) === 3) text += copyText(node, top, document);
    else if (live.nodeType(node) === 1) {
      cut = ++elements > MAX_ELEMENTS || text > MAX_TEXT_CHARACTERS;
      if (cut) break;
      const inner = copyElement(node as Element, top, document, options, frames);
      if (inner !== null) stack.push(inner);
    }
  }
  return { document, frames, truncated: cut };
}

function startWalk(
  parent: Node,
  into: Node,
  depth: number,
  base: string,
  holder: Element | null,
  verbatim: boolean,
): WalkPosition {
  const next = live.firstChild(parent);
  return {
    next,
    assigned: null,
    assignedIndex: 0,
    into,
    depth,
    base,
    textParent: holder,
    textIsVisible: null,
    verbatim,
  };
}

function nextNode(cursor: WalkPosition): Node | null {
  if (cursor.assigned !== null) return cursor.assigned[cursor.assignedIndex++] ?? null;
  const node = cursor.next;
  if (node !== null) cursor.next = live.nextSibling(node);
  return node;
}

/** @returns how many characters were copied */
function copyText(node: Node, top: WalkPosition, document: Document): number {
  if (top.textParent === null) return 0;
  const text = live.data(node);
  if (!top.verbatim && top.textIsVisible === null && /\S/.test(text))
    top.textIsVisible = isOwnTextVisible(top.textParent);
  if (top.textIsVisible === false) return 0;
  top.into.appendChild(document.createTextNode(text));
  return text.length;
}

function copyElement(
  element: Element,
  top: WalkPosition,
  document: Document,
  options: FlattenOptions,
  frames: FramePlaceholder[],
): WalkPosition | null {
  const name = live.localName(element);
  if (SKIPPED_ELEMENTS.has(name) || (name === 'title' && !top.verbatim)) return null;
  if (name === 'noscript') {
    applyNoscriptImage(element, top.into, top.base);
    return null;
  }
  let holder: Element | null = top.verbatim ? top.textParent : element;
  if (!top.verbatim && !ELEMENTS_WITHOUT_BOX.has(name)) {
    const sight = visibilityOf(element);
    if (sight === 'gone') return options.fullPage ? null : enterHiddenFormula(element, top, document);
    if (sight === 'unseen') holder = null;
  }
  if (holder !== null) options.onVisible?.(element);
  if (name === 'svg' && !options.fullPage) {
    appendSvgText(element, top.into, document);
    return null;
  }
  if (name === 'slot') return enterSlot(element, top, holder);
  if (name === 'iframe' || name === 'frame') return enterFrame(element, top, document, holder, frames);
  // What an unseen element draws itself is not seen either; only what is below it may be.
  if (holder === null && VERBATIM_ELEMENTS.has(name)) return null;
  const copy = shallowCopy(element, top.into as Element, top.base, document, options.fullPage);
  if (!top.verbatim) insertSeparator(element, copy, top.into);
  top.into.appendChild(copy);
  // A textarea's words are its value; what is in a canvas or a player shows only where those do not work.
  if (ELEMENTS_WITHOUT_CHILDREN.has(name)) return null;
  return enterElement(element, name, copy, top, holder);
}

function enterElement(
  element: Element,
  name: string,
  copy: Element,
  top: WalkPosition,
  holder: Element | null,
): WalkPosition | null {
  const root = findShadowRoot(element);
  if (root === null && !top.verbatim) requestClosedRoot(element, name);
  const source = root ?? element;
  if (live.firstChild(source) === null) return null;
  const into = top.depth >= MAX_DEPTH ? top.into : copy;
  return startWalk(
    source,
    into,
    top.depth + 1,
    top.base,
    holder,
    top.verbatim || VERBATIM_ELEMENTS.has(name),
  );
}

/** A formula for machines beside its drawing for eyes: it says what the drawing only shows. */
function enterHiddenFormula(element: Element, top: WalkPosition, document: Document): WalkPosition | null {
  if (top.textParent === null || !isHiddenFormula(element)) return null;
  const copy = shallowCopy(element, top.into as Element, top.base, document, false);
  top.into.appendChild(copy);
  return startWalk(element, copy, top.depth + 1, top.base, element, true);
}

function enterSlot(slot: Element, top: WalkPosition, holder: Element | null): WalkPosition {
  const given = live.assignedNodes(slot);
  const inner = startWalk(
    slot,
    top.into,
    top.depth,
    top.base,
    holder === null ? null : textParentInSlot(top, slot),
    false,
  );
  return given.length === 0 ? inner : { ...inner, next: null, assigned: given };
}

/** A slot has no box: the text in it lies in the box around it. */
const textParentInSlot = (top: WalkPosition, slot: Element): Element =>
  top.textParent ?? live.renderedParent(slot) ?? slot;

function enterFrame(
  element: Element,
  top: WalkPosition,
  document: Document,
  holder: Element | null,
  frames: FramePlaceholder[],
): WalkPosition | null {
  if (holder === null) return null;
  const opened = openFrame(element, document, top.base, frames);
  if (opened === null) return null;
  top.into.appendChild(opened.placeholder);
  if (opened.body === null) return null;
  return startWalk(opened.body, opened.placeholder, top.depth + 1, opened.base, opened.body, false);
}
