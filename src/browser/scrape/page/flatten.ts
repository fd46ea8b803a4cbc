/**
 * One inert document of what the page shows: open shadow trees and readable frames stand at their place, hidden parts are
 * left out, form controls carry what they hold, addresses are absolute. Nothing in it loads, runs or leads back to the page.
 */
import { resolveLazySource, settleAddresses } from './addresses.ts';
import { appendDrawing } from './drawings.ts';
import { reflectFormState } from './formState.ts';
import { type FramePlace, openFrame } from './frames.ts';
import { tameInlineStyle } from './inlineStyle.ts';
import * as live from './live.ts';
import { adoptNoscriptImage } from './noscript.ts';
import { showsOwnText, sightOf } from './sight.ts';

/**
 * Deeper elements become siblings, as the HTML parser does at 512: serialising and measuring recurse or go quadratic in
 * depth. Real pages stay under 60.
 */
const MAX_DEPTH = 200;

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
const INLINE = new Set('a abbr b button cite code em i label small span strong time u'.split(' '));
const PHRASING_PARENT = new Set('p span a h1 h2 h3 h4 h5 h6 em strong b i button label'.split(' '));
/** A form reads its controls by these, so that they could shadow what our passes call on the copy. */
const LISTED_CONTROLS = new Set('button fieldset input object output select textarea img'.split(' '));

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
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const node = take(top);
    if (node === null) stack.pop();
    else if (live.nodeType(node) === 3) copyText(node, top);
    else if (live.nodeType(node) === 1) {
      const inner = copyElement(node as Element, top, document, options, frames);
      if (inner !== null) stack.push(inner);
    }
  }
  return { document, frames };
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

function copyText(node: Node, top: Cursor): void {
  if (top.holder === null) return;
  const text = live.data(node);
  if (!top.verbatim && top.shows === null && /\S/.test(text)) top.shows = showsOwnText(top.holder);
  if (top.shows === false) return;
  top.into.appendChild((top.into.ownerDocument as Document).createTextNode(text));
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
    if (sight === 'gone') return null;
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
  const copy = copyOf(element, name, top, document, options);
  separate(element, name, copy, top);
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
  const root = live.shadowRootOf(element);
  const source = root ?? element;
  if (live.firstChild(source) === null) return null;
  const into = top.depth >= MAX_DEPTH ? top.into : copy;
  return cursorOver(source, into, top.depth + 1, top.base, holder, top.verbatim || VERBATIM.has(name));
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

/** A shallow copy in the inert document, where no custom element comes to life and no image loads. */
function copyOf(
  element: Element,
  name: string,
  top: Cursor,
  document: Document,
  options: FlattenOptions,
): Element {
  const renamed = nameInCopy(element, name, top, options);
  const copy = renamed === null ? document.importNode(element, false) : renameTo(renamed, element, document);
  if (name === 'input' || name === 'textarea' || name === 'option') reflectFormState(element, copy);
  if (name === 'img') resolveLazySource(copy, top.base, live.currentSource(element));
  settleAddresses(copy, top.base);
  // Names on images and frames would shadow the copy's own document.
  if (!LISTED_CONTROLS.has(name) || name === 'img') copy.removeAttribute('name');
  if (options.whole) tameInlineStyle(copy);
  else {
    copy.removeAttribute('style');
    if (LISTED_CONTROLS.has(name)) {
      copy.removeAttribute('name');
      copy.removeAttribute('id');
    }
  }
  return copy;
}

/** The name an element takes in the copy when it cannot keep its own; null when it can. */
function nameInCopy(element: Element, name: string, top: Cursor, options: FlattenOptions): string | null {
  if (name === 'form') return options.whole ? 'div' : null;
  if (name === 'dialog') return 'div';
  if (!name.includes('-') || live.namespaceOf(element) !== 'http://www.w3.org/1999/xhtml') return null;
  // Sanitising drops unknown elements but keeps their text: without a box of its own it would run together.
  if (PHRASING_PARENT.has((top.into as Element).localName)) return 'span';
  const { display } = live.styleOf(element);
  return display.startsWith('inline') || display === 'contents' ? 'span' : 'div';
}

function renameTo(name: string, element: Element, document: Document): Element {
  const copy = document.createElement(name);
  for (const { name: key, value } of document.importNode(element, false).attributes)
    if (/^[a-z][\w:.-]*$/i.test(key)) copy.setAttribute(key, value);
  return copy;
}

/** Words that stand apart on the screen by style alone must not run together: `<a>One</a><a>Two</a>` in a flex row. */
function separate(element: Element, name: string, copy: Element, top: Cursor): void {
  if (!INLINE.has(name) && copy.localName !== 'span') return;
  const before = top.into.lastChild;
  if (before === null || before.nodeType !== 1 || top.verbatim) return;
  if (!INLINE.has((before as Element).localName)) return;
  const { display } = live.styleOf(element);
  if (display === 'inline' || display === 'contents') return;
  top.into.appendChild((top.into.ownerDocument as Document).createTextNode(' '));
}
