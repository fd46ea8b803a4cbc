/**
 * Reading the page's own nodes. A form's named controls shadow its properties (`<input name="childNodes">`), and a
 * document's named images shadow the document's, in isolated worlds too; so the prototypes' getters are used, never the node's.
 */

function getter<N, T>(prototype: object, name: string): (node: N) => T {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (get === undefined) throw new Error(`This browser has no ${name}`);
  return node => get.call(node) as T;
}

function method<N, A extends unknown[], T>(prototype: object, name: string): (node: N, ...args: A) => T {
  const found = Object.getOwnPropertyDescriptor(prototype, name)?.value as (...args: A) => T;
  return (node, ...args) => found.apply(node, args);
}

export const firstChild = getter<Node, Node | null>(Node.prototype, 'firstChild');
export const nextSibling = getter<Node, Node | null>(Node.prototype, 'nextSibling');
export const previousSibling = getter<Node, Node | null>(Node.prototype, 'previousSibling');
export const parentNode = getter<Node, Node | null>(Node.prototype, 'parentNode');
export const nodeType = getter<Node, number>(Node.prototype, 'nodeType');
export const baseAddress = getter<Node, string>(Node.prototype, 'baseURI');
export const ownText = getter<Node, string | null>(Node.prototype, 'textContent');
export const ownerDocument = getter<Node, Document | null>(Node.prototype, 'ownerDocument');
export const data = getter<Node, string>(CharacterData.prototype, 'data');

export const localName = getter<Element, string>(Element.prototype, 'localName');
export const namespaceOf = getter<Element, string | null>(Element.prototype, 'namespaceURI');
export const shadowRootOf = getter<Element, ShadowRoot | null>(Element.prototype, 'shadowRoot');
export const scrollTop = getter<Element, number>(Element.prototype, 'scrollTop');
export const scrollLeft = getter<Element, number>(Element.prototype, 'scrollLeft');
export const attribute = method<Element, [string], string | null>(Element.prototype, 'getAttribute');
export const boxOf = method<Element, [], DOMRect>(Element.prototype, 'getBoundingClientRect');
export const isVisible = method<Element, [CheckVisibilityOptions?], boolean>(
  Element.prototype,
  'checkVisibility',
);
export const closest = method<Element, [string], Element | null>(Element.prototype, 'closest');
export const selectIn = method<Element, [string], NodeListOf<Element>>(Element.prototype, 'querySelectorAll');
export const offsetWidth = getter<Element, number>(HTMLElement.prototype, 'offsetWidth');
export const offsetHeight = getter<Element, number>(HTMLElement.prototype, 'offsetHeight');
export const assignedNodes = method<Element, [], Node[]>(HTMLSlotElement.prototype, 'assignedNodes');

export const bodyOf = getter<Document, HTMLElement | null>(Document.prototype, 'body');
export const rootOf = getter<Document, Element | null>(Document.prototype, 'documentElement');
export const titleOf = getter<Document, string>(Document.prototype, 'title');
export const addressOf = getter<Document, string>(Document.prototype, 'URL');
export const viewOf = getter<Document, (Window & typeof globalThis) | null>(
  Document.prototype,
  'defaultView',
);
export const implementationOf = getter<Document, DOMImplementation>(Document.prototype, 'implementation');
export const select = method<Document, [string], NodeListOf<Element>>(Document.prototype, 'querySelectorAll');
export const selectOne = method<Document, [string], Element | null>(Document.prototype, 'querySelector');

export const inputValue = getter<Element, string>(HTMLInputElement.prototype, 'value');
export const inputChecked = getter<Element, boolean>(HTMLInputElement.prototype, 'checked');
export const inputType = getter<Element, string>(HTMLInputElement.prototype, 'type');
export const textareaValue = getter<Element, string>(HTMLTextAreaElement.prototype, 'value');
export const optionSelected = getter<Element, boolean>(HTMLOptionElement.prototype, 'selected');
export const currentSource = getter<Element, string>(HTMLImageElement.prototype, 'currentSrc');
export const naturalWidth = getter<Element, number>(HTMLImageElement.prototype, 'naturalWidth');
export const naturalHeight = getter<Element, number>(HTMLImageElement.prototype, 'naturalHeight');

const frameDocument = getter<Element, Document | null>(HTMLIFrameElement.prototype, 'contentDocument');
const frameWindow = getter<Element, Window | null>(HTMLIFrameElement.prototype, 'contentWindow');
const oldFrameDocument = getter<Element, Document | null>(HTMLFrameElement.prototype, 'contentDocument');
const oldFrameWindow = getter<Element, Window | null>(HTMLFrameElement.prototype, 'contentWindow');

/** The document of an `iframe` or `frame`; null when this world may not read it. */
export const documentIn = (frame: Element): Document | null =>
  localName(frame) === 'frame' ? oldFrameDocument(frame) : frameDocument(frame);

/** The window of an `iframe` or `frame`; null when it has none. */
export const windowIn = (frame: Element): Window | null =>
  localName(frame) === 'frame' ? oldFrameWindow(frame) : frameWindow(frame);

/** The computed style, asked through the element's own window. */
export function styleOf(element: Element): CSSStyleDeclaration {
  return getComputedStyle(element);
}

/** The parent in the tree that is rendered: a slot for what is slotted, the host for a shadow root. */
export function renderedParent(node: Node): Element | null {
  const slot = nodeType(node) === 1 ? assignedSlot(node as Element) : null;
  if (slot !== null) return slot;
  const parent = parentNode(node);
  if (parent === null) return null;
  if (nodeType(parent) === 1) return parent as Element;
  return nodeType(parent) === 11 && 'host' in parent ? (parent as ShadowRoot).host : null;
}

const assignedSlot = getter<Element, Element | null>(Element.prototype, 'assignedSlot');
