/**
 * One inert document of what the page shows: shadow trees and readable frames stand at their place, hidden parts are
 * left out, form controls carry what they hold, addresses are absolute. Nothing in it loads, runs or leads back to the page.
 */
import { appendDrawing } from './drawings.ts';
import { isHiddenFormula } from './formulas.ts';
import { type FramePlace, openFrame } from './frames.ts';
import * as live from './live.ts';
import { adoptNoscriptImage } from './noscript.ts';
import { noteHost, shadowTreeOf } from './shadow.ts';
import { separate, shallowCopy } from './shallowCopy.ts';
import { showsOwnText, sightOf } from './sight.ts';

/**
 * Deeper elements become siblings, as the HTML parser does at 512: serialising and measuring recurse or go quadratic in
 * depth. Real pages stay under 60.
 */
const MAX_DEPTH = 200;
/** What is past these is not read: more than any reader wants, and more than one answer carries. Elements; characters. */
const MOST_ELEMENTS = 100_000;
const MOST_TEXT = 10_000_000;

export interface FlattenOptions {
  /** Keep class, style, SVG and structure as they are (the visible page), or only what main content needs. */
  readonly whole: boolean;
  /** Called for each element that is seen, in document order. */
  readonly onSeen: ((element: Element) => void) | null;
}

export interface Flat {
  readonly document: Document;
  /** Places whose content another world must give. */
  readonly frames: readonly FramePlace[];
  /** Whether the page had more than is read. */
  readonly cut: boolean;
}

/** Where the walk stands in one parent. */
interface Cursor {
  next: Node | null;
  /** Set when the children are not siblings of each other: what a slot was given. */
  readonly given: readonly Node[] | null;
  at: number;
  readonly into: Node;
  readonly depth: number;
  readonly base: string;
  /** The element that holds the text here; null when its text is not seen. */
  readonly holder: Element | null;
  /** Whether the holder shows its own text; null until the first text asks. */
  shows: boolean | null;
  /** Neither style nor visibility is judged inside: a drawing, a formula, a list of options. */
  readonly verbatim: boolean;
}

/** Never content, in drawings and formulas neither. */
const SKIPPED = new Set('script style template link meta base head embed object param'.split(' '));
/** They have no box of their own, whatever their style says. */
const BOXLESS = new Set('br wbr area map source track col colgroup option optgroup picture'.split(' '));
const WITHOUT_CHILDREN = new Set('textarea canvas audio video object'.split(' '));
const VERBATIM = new Set('svg math select'.split(' '));

export function flatten(page: Document, options: FlattenOptions): Flat {
  const document = live.implementationOf(page).createHTMLDocument('');
  const frames: FramePlace[] = [];
  const stack: Cursor[] = [];
  const base = live.baseAddress(page);
  const body = live.bodyOf(page) ?? live.rootOf(page);
  if (body !== null)
    stack.push(
      live.localName(body) === 'frameset'
        ? cursorOver(body, document.body, 0, base, null, false)
        : cursorOver(body, document.body, 0, base, body, false),
    );
  let elements = 0;
  let text = 0;
  let cut = false;
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const node = take(top);
    if (node === null) stack.pop();
    else if (live.nodeType(node) === 3) text += copyText(node, top, document);
    else if (live.nodeType(node) === 1) {
      cut = ++elements > MOST_ELEMENTS || text > MOST_TEXT;
      if (cut) break;
      const inner = copyElement(node as Element, top, document, options, frames);
      if (inner !== null) stack.push(inner);
    }
  }
  return { document, frames, cut };
}

function cursorOver(
  parent: Node,
  into: Node,
  depth: number,
  base: string,
  holder: Element | null,
  verbatim: boolean,
): Cursor {
  const next = live.firstChild(parent);
  return { next, given: null, at: 0, into, depth, base, holder, shows: null, verbatim };
}

function take(cursor: Cursor): Node | null {
  if (cursor.given !== null) return cursor.given[cursor.at++] ?? null;
  const node = cursor.next;
  if (node !== null) cursor.next = live.nextSibling(node);
  return node;
}

/** @returns how many characters were copied */
function copyText(node: Node, top: Cursor, document: Document): number {
  if (top.holder === null) return 0;
  const text = live.data(node);
  if (!top.verbatim && top.shows === null && /\S/.test(text)) top.shows = showsOwnText(top.holder);
  if (top.shows === false) return 0;
  top.into.appendChild(document.createTextNode(text));
  return text.length;
}

function copyElement(
  element: Element,
  top: Cursor,
  document: Document,
  options: FlattenOptions,
  frames: FramePlace[],
): Cursor | null {
  const name = live.localName(element);
  if (SKIPPED.has(name) || (name === 'title' && !top.verbatim)) return null;
  if (name === 'noscript') {
    adoptNoscriptImage(element, top.into, top.base);
    return null;
  }
  let holder: Element | null = top.verbatim ? top.holder : element;
  if (!top.verbatim && !BOXLESS.has(name)) {
    const sight = sightOf(element);
    if (sight === 'gone') return options.whole ? null : insideHiddenFormula(element, top, document);
    if (sight === 'unseen') holder = null;
  }
  if (holder !== null) options.onSeen?.(element);
  if (name === 'svg' && !options.whole) {
    appendDrawing(element, top.into, document);
    return null;
  }
  if (name === 'slot') return insideSlot(element, top, holder);
  if (name === 'iframe' || name === 'frame') return insideFrame(element, top, document, holder, frames);
  // What an unseen element draws itself is not seen either; only what is below it may be.
  if (holder === null && VERBATIM.has(name)) return null;
  const copy = shallowCopy(element, top.into as Element, top.base, document, options.whole);
  if (!top.verbatim) separate(element, copy, top.into);
  top.into.appendChild(copy);
  // A textarea's words are its value; what is in a canvas or a player shows only where those do not work.
  if (WITHOUT_CHILDREN.has(name)) return null;
  return insideElement(element, name, copy, top, holder);
}

function insideElement(
  element: Element,
  name: string,
  copy: Element,
  top: Cursor,
  holder: Element | null,
): Cursor | null {
  const root = shadowTreeOf(element);
  if (root === null && !top.verbatim) noteHost(element, name);
  const source = root ?? element;
  if (live.firstChild(source) === null) return null;
  const into = top.depth >= MAX_DEPTH ? top.into : copy;
  return cursorOver(source, into, top.depth + 1, top.base, holder, top.verbatim || VERBATIM.has(name));
}

/** A formula for machines beside its drawing for eyes: it says what the drawing only shows. */
function insideHiddenFormula(element: Element, top: Cursor, document: Document): Cursor | null {
  if (top.holder === null || !isHiddenFormula(element)) return null;
  const copy = shallowCopy(element, top.into as Element, top.base, document, false);
  top.into.appendChild(copy);
  return cursorOver(element, copy, top.depth + 1, top.base, element, true);
}

function insideSlot(slot: Element, top: Cursor, holder: Element | null): Cursor {
  const given = live.assignedNodes(slot);
  const inner = cursorOver(
    slot,
    top.into,
    top.depth,
    top.base,
    holder === null ? null : holderIn(top, slot),
    false,
  );
  return given.length === 0 ? inner : { ...inner, next: null, given };
}

/** A slot has no box: the text in it lies in the box around it. */
const holderIn = (top: Cursor, slot: Element): Element => top.holder ?? live.renderedParent(slot) ?? slot;

function insideFrame(
  element: Element,
  top: Cursor,
  document: Document,
  holder: Element | null,
  frames: FramePlace[],
): Cursor | null {
  if (holder === null) return null;
  const opened = openFrame(element, document, top.base, frames);
  if (opened === null) return null;
  top.into.appendChild(opened.place);
  if (opened.body === null) return null;
  return cursorOver(opened.body, opened.place, top.depth + 1, opened.base, opened.body, false);
}
