/** One element of the page as it stands in the inert copy. */

import { copyFormState } from './copyFormState.ts';
import * as live from './liveDom.ts';
import { sanitizeInlineStyle } from './sanitizeInlineStyle.ts';
import { resolveLazySource, rewriteUrlAttribute } from './urlAttributes.ts';

const INLINE_ELEMENTS = new Set('a abbr b button cite code em i label small span strong time u'.split(' '));
const PHRASING_PARENTS = new Set('p span a h1 h2 h3 h4 h5 h6 em strong b i button label'.split(' '));
/** A form reads its controls by these, so that they could shadow what our passes call on the copy. */
const LISTED_CONTROLS = new Set('button fieldset input object output select textarea img'.split(' '));

/** An element has no more of them, nor longer ones: neither is content. Attributes; characters. */
const MAX_ATTRIBUTES = 200;
const MAX_ATTRIBUTE_CHARACTERS = 100_000;

/** A shallow copy in the inert document, where no custom element comes to life and no image loads. */
export function shallowCopy(
  element: Element,
  into: Element,
  base: string,
  document: Document,
  fullPage: boolean,
): Element {
  const name = live.localName(element);
  const renamed = nameInCopy(element, name, into, fullPage);
  const own = limitAttributes(document.importNode(element, false));
  const copy = renamed === null ? own : copyWithName(renamed, own, document);
  if (name === 'input' || name === 'textarea' || name === 'option') copyFormState(element, copy);
  if (name === 'img') resolveLazySource(copy, base, live.currentSource(element));
  if (!copy.hasAttributes()) return copy;
  const listed = LISTED_CONTROLS.has(name);
  for (const attribute of copy.getAttributeNames()) {
    // Names on images and frames would shadow the copy's own document.
    if (attribute === 'name' && (!listed || name === 'img' || !fullPage)) copy.removeAttribute(attribute);
    else if (attribute === 'id' && listed && !fullPage) copy.removeAttribute(attribute);
    else if (attribute !== 'style') rewriteUrlAttribute(copy, attribute, base);
    else if (fullPage) sanitizeInlineStyle(copy);
    else copy.removeAttribute(attribute);
  }
  return copy;
}

/** The first of its attributes, where an element has more than any has: each call for one goes through all. */
function limitAttributes(copy: Element): Element {
  const names = copy.hasAttributes() ? copy.getAttributeNames() : [];
  if (names.length > MAX_ATTRIBUTES) {
    const few = copy.ownerDocument.createElementNS(copy.namespaceURI, creatableName(copy.localName));
    for (let left = MAX_ATTRIBUTES; left > 0; left--)
      few.setAttributeNode(copy.removeAttributeNode(copy.attributes[0] as Attr));
    return few;
  }
  for (const name of names)
    if ((copy.getAttribute(name)?.length ?? 0) > MAX_ATTRIBUTE_CHARACTERS) copy.removeAttribute(name);
  return copy;
}

/** Parsers take names that no script may give. */
const creatableName = (name: string): string => (/^[a-z][\w.-]*$/i.test(name) ? name : 'span');

/** The name an element takes in the copy when it cannot keep its own; null when it can. */
function nameInCopy(element: Element, name: string, into: Element, fullPage: boolean): string | null {
  if (name === 'form') return fullPage ? 'div' : null;
  if (name === 'dialog') return 'div';
  if (!name.includes('-') || live.namespaceOf(element) !== 'http://www.w3.org/1999/xhtml') return null;
  // Sanitising drops unknown elements but keeps their text: without a box of its own it would run together.
  if (PHRASING_PARENTS.has(into.localName)) return 'span';
  const { display } = live.styleOf(element);
  return display.startsWith('inline') || display === 'contents' ? 'span' : 'div';
}

function copyWithName(name: string, element: Element, document: Document): Element {
  const copy = document.createElement(name);
  for (const { name: key, value } of element.attributes)
    if (/^[a-z][\w:.-]*$/i.test(key)) copy.setAttribute(key, value);
  return copy;
}

/** Words that stand apart on the screen by style alone must not run together: `<a>One</a><a>Two</a>` in a flex row. */
export function insertSeparator(element: Element, copy: Element, into: Node): void {
  if (!INLINE_ELEMENTS.has(copy.localName)) return;
  const before = into.lastChild;
  if (before === null || before.nodeType !== 1) return;
  if (!INLINE_ELEMENTS.has((before as Element).localName)) return;
  const { display } = live.styleOf(element);
  if (display === 'inline' || display === 'contents') return;
  into.appendChild((into.ownerDocument as Document).createTextNode(' '));
}
