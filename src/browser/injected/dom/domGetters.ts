/**
 * DOM properties and methods of elements and documents, called through the prototypes. A form control named `getAttribute` hides the
 * method of its form, and an image named `body` hides the property of the document, also in isolated worlds; the prototypes are not
 * affected. Nothing hides those of controls, texts and shadow roots.
 */
import { normalizeText } from '../../../domain/space/pageText.ts';
import { listing } from './lifetimes.ts';

const call = Function.prototype.call;

/** Returns a function that reads the property `name` of an object through the prototype's accessor. */
function getter<P extends object, K extends keyof P & string>(prototype: P, name: K): (self: P) => P[K] {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (get === undefined) throw new Error(`There is no accessor ${name}.`);
  return call.bind(get) as (self: P) => P[K];
}

function method<P extends object, A extends unknown[], R>(
  prototype: P,
  pick: (prototype: P) => (...args: A) => R,
): (self: P, ...args: A) => R {
  return call.bind(pick(prototype)) as (self: P, ...args: A) => R;
}

const ELEMENT = Element.prototype;
const NODE = Node.prototype;
const DOCUMENT = Document.prototype;

export const localName = getter(ELEMENT, 'localName');
export const namespaceURI = getter(ELEMENT, 'namespaceURI');
export const contentType = getter(DOCUMENT, 'contentType');
const assignedSlot = getter(ELEMENT, 'assignedSlot');
export const firstElementChild = getter(ELEMENT, 'firstElementChild');
export const lastElementChild = getter(ELEMENT, 'lastElementChild');
export const childElementCount = getter(ELEMENT, 'childElementCount');
export const nextElementSibling = getter(ELEMENT, 'nextElementSibling');
export const previousElementSibling = getter(ELEMENT, 'previousElementSibling');
export const openShadowRoot = getter(ELEMENT, 'shadowRoot');
export const scrollHeight = getter(ELEMENT, 'scrollHeight');
export const scrollWidth = getter(ELEMENT, 'scrollWidth');
export const clientHeight = getter(ELEMENT, 'clientHeight');
export const clientWidth = getter(ELEMENT, 'clientWidth');
export const clientLeft = getter(ELEMENT, 'clientLeft');
export const clientTop = getter(ELEMENT, 'clientTop');
export const scrollTop = getter(ELEMENT, 'scrollTop');
export const scrollLeft = getter(ELEMENT, 'scrollLeft');
export const getAttribute = method(ELEMENT, p => p.getAttribute);
/** Returns the text of an attribute with white space collapsed; empty if there is none. */
export const attributeText = (element: Element, name: string): string =>
  normalizeText(getAttribute(element, name) ?? '');
export const hasAttribute = method(ELEMENT, p => p.hasAttribute);
export const attributeNames = method(ELEMENT, p => p.getAttributeNames);
export const hasAttributes = method(ELEMENT, p => p.hasAttributes);
export const clientRects = method(ELEMENT, p => p.getClientRects);
export const scrollIntoView = call.bind(ELEMENT.scrollIntoView) as (
  self: Element,
  options: ScrollIntoViewOptions,
) => void;
export const scrollTo = call.bind(ELEMENT.scrollTo) as (self: Element, options: ScrollToOptions) => void;
export const scrollBy = call.bind(ELEMENT.scrollBy) as (self: Element, options: ScrollToOptions) => void;
export const boxOf = method(ELEMENT, p => p.getBoundingClientRect);
export const matches = method(ELEMENT, p => p.matches);
export const closest = call.bind(ELEMENT.closest) as (self: Element, selector: string) => Element | null;
export const checkVisibility = method(ELEMENT, p => p.checkVisibility);
export const queryIn = call.bind(ELEMENT.querySelector) as (
  self: Element,
  selector: string,
) => Element | null;
export const queryAllIn = call.bind(ELEMENT.querySelectorAll) as (
  self: Element,
  selector: string,
) => NodeListOf<Element>;

export const parentNode = getter(NODE, 'parentNode');
export const parentElement = getter(NODE, 'parentElement');
export const firstChild = getter(NODE, 'firstChild');
export const nextSibling = getter(NODE, 'nextSibling');
export const previousSibling = getter(NODE, 'previousSibling');
export const nodeType = getter(NODE, 'nodeType');
export const baseURI = getter(NODE, 'baseURI');
export const ownerDocument = getter(NODE, 'ownerDocument');
export const lastChild = getter(NODE, 'lastChild');
export const appendChild = call.bind(NODE.appendChild) as (self: Node, child: Node) => Node;
export const appendText = call.bind(ELEMENT.append) as (self: Element, text: string) => void;
export const isConnected = getter(NODE, 'isConnected');
export const textContent = getter(NODE, 'textContent');
export const outerHTML = getter(ELEMENT, 'outerHTML');
export const shadowInnerHTML = getter(ShadowRoot.prototype, 'innerHTML');
export const getRootNode = method(NODE, p => p.getRootNode);
export const comparePosition = method(NODE, p => p.compareDocumentPosition);
export const hasChildNodes = method(NODE, p => p.hasChildNodes);
export const contains = method(NODE, p => p.contains);

export const innerText = getter(HTMLElement.prototype, 'innerText');
export const firstElementOfFragment = getter(DocumentFragment.prototype, 'firstElementChild');
export const queryFragment = call.bind(DocumentFragment.prototype.querySelector) as (
  self: DocumentFragment,
  selector: string,
) => Element | null;
export const queryAllInFragment = call.bind(DocumentFragment.prototype.querySelectorAll) as (
  self: DocumentFragment,
  selector: string,
) => NodeListOf<Element>;

export const documentElement = getter(DOCUMENT, 'documentElement');
export const bodyOf = getter(DOCUMENT, 'body');
const doctypeOf = getter(DOCUMENT, 'doctype');
export const documentType = (document: Document): string | null => doctypeOf(document)?.name ?? null;
export const titleOf = getter(DOCUMENT, 'title');
export const documentURL = getter(DOCUMENT, 'URL');
export const defaultView = getter(DOCUMENT, 'defaultView');
export const implementationOf = getter(DOCUMENT, 'implementation');
export const scrollingElement = getter(DOCUMENT, 'scrollingElement');
export const styleSheets = getter(DOCUMENT, 'styleSheets');
export const queryDocument = call.bind(DOCUMENT.querySelector) as (
  self: Document,
  selector: string,
) => Element | null;
export const queryAllDocument = call.bind(DOCUMENT.querySelectorAll) as (
  self: Document,
  selector: string,
) => NodeListOf<Element>;
/** The live collection of the elements with a tag, of all for `*`. Counting it takes a tenth of the time of a list of selectors. */
export const elementsByTag = call.bind(DOCUMENT.getElementsByTagName) as (
  self: Document,
  tag: string,
) => HTMLCollectionOf<Element>;
export const activeElementOf = getter(DOCUMENT, 'activeElement');
export const shadowActiveElement = (host: Element): Element | null =>
  openShadowRoot(host)?.activeElement ?? null;
export function focusedElement(): Element | null {
  let focused = activeElementOf(document);
  for (let inner = focused; inner !== null; inner = shadowActiveElement(inner)) focused = inner;
  return focused;
}
export const animationsOf = method(DOCUMENT, p => p.getAnimations);
const byIdInDocument = call.bind(DOCUMENT.getElementById) as (self: Document, id: string) => Element | null;
const byIdInFragment = call.bind(DocumentFragment.prototype.getElementById) as (
  self: DocumentFragment,
  id: string,
) => Element | null;
const allFromPointInDocument = call.bind(DOCUMENT.elementsFromPoint) as (
  self: Document,
  x: number,
  y: number,
) => Element[];
const fromPointInDocument = call.bind(DOCUMENT.elementFromPoint) as (
  self: Document,
  x: number,
  y: number,
) => Element | null;
const fromPointInShadow = call.bind(ShadowRoot.prototype.elementFromPoint) as (
  self: ShadowRoot,
  x: number,
  y: number,
) => Element | null;

export const isElement = (node: unknown): node is Element => node instanceof Element;
export const isShadowRoot = (node: unknown): node is ShadowRoot => node instanceof ShadowRoot;

export function elementById(from: Element, id: string): Element | null {
  const root = getRootNode(from);
  if (root instanceof Document) return byIdInDocument(root, id);
  return root instanceof DocumentFragment ? byIdInFragment(root, id) : null;
}

/** Returns the elements of the document at a point of the viewport, the topmost first; without those in shadow trees. */
export const elementsFromPoint = (x: number, y: number): readonly Element[] =>
  allFromPointInDocument(document, x, y);

export const elementFromPoint = (root: Document | ShadowRoot, x: number, y: number): Element | null =>
  root instanceof Document ? fromPointInDocument(root, x, y) : fromPointInShadow(root, x, y);

/** Returns the parent element; for a node at the top of a shadow tree, the host of the tree. Null if there is none. */
export function composedParent(node: Node): Element | null {
  const parent = parentNode(node);
  if (parent === null) return null;
  if (parent instanceof Element) return parent;
  return parent instanceof ShadowRoot ? parent.host : null;
}

export function composedContains(outer: Element, inner: Element | null): boolean {
  for (let at = inner; at !== null; at = composedParent(at)) if (at === outer) return true;
  return false;
}

/** Returns the text in an `input` or a `textarea`; null for any other element. */
export const fieldValue = (element: Element): string | null =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.value : null;

/** Returns the labels of a form control; none for other elements. */
export const labelsOf = (element: Element): readonly Element[] =>
  /^(?:input|select|textarea|button|meter|output|progress)$/.test(localName(element))
    ? (listedLabels(element) ?? Array.from((element as HTMLInputElement).labels ?? []))
    : [];

/** The labels of each control, by the root of its tree: `labels` searches the whole tree for each control. */
const labelsByRoot = listing.value(() => new WeakMap<Node, ReadonlyMap<Element, readonly Element[]>>());

function listedLabels(element: Element): readonly Element[] | null {
  if (!listing.isOpen) return null;
  const root = getRootNode(element);
  const known = labelsByRoot().get(root) ?? labelsIn(root);
  labelsByRoot().set(root, known);
  return known.get(element) ?? [];
}

function labelsIn(root: Node): ReadonlyMap<Element, readonly Element[]> {
  const found = new Map<Element, Element[]>();
  for (const label of queryAllRoot(root, 'label')) {
    const control = label instanceof HTMLLabelElement ? label.control : null;
    if (control === null) continue;
    const others = found.get(control);
    if (others === undefined) found.set(control, [label]);
    else others.push(label);
  }
  return found;
}

export const queryAllFragment = call.bind(DocumentFragment.prototype.querySelectorAll) as (
  self: DocumentFragment,
  selector: string,
) => NodeListOf<Element>;

function queryAllRoot(root: Node, selector: string): Iterable<Element> {
  if (root instanceof Document) return Array.from(queryAllDocument(root, selector));
  if (root instanceof DocumentFragment) return Array.from(queryAllFragment(root, selector));
  return root instanceof Element ? Array.from(queryAllIn(root, selector)) : [];
}

export const isContentEditable = getter(HTMLElement.prototype, 'isContentEditable');

export const offsetWidth = getter(HTMLElement.prototype, 'offsetWidth');
export const offsetHeight = getter(HTMLElement.prototype, 'offsetHeight');
export const assignedNodes = method(HTMLSlotElement.prototype, p => p.assignedNodes);

const iframeDocument = getter(HTMLIFrameElement.prototype, 'contentDocument');
const iframeWindow = getter(HTMLIFrameElement.prototype, 'contentWindow');
const framesetDocument = getter(HTMLFrameElement.prototype, 'contentDocument');
const framesetWindow = getter(HTMLFrameElement.prototype, 'contentWindow');
const objectDocument = getter(HTMLObjectElement.prototype, 'contentDocument');
const objectWindow = getter(HTMLObjectElement.prototype, 'contentWindow');

/** Returns the document of an `iframe`, `frame` or `object`; null if this script cannot read it, for example of another origin. */
export function frameDocument(frame: Element): Document | null {
  const name = localName(frame);
  if (name === 'object') return objectDocument(frame as HTMLObjectElement);
  return name === 'frame'
    ? framesetDocument(frame as HTMLFrameElement)
    : iframeDocument(frame as HTMLIFrameElement);
}

export function frameWindow(frame: Element): Window | null {
  const name = localName(frame);
  if (name === 'object') return objectWindow(frame as HTMLObjectElement);
  return name === 'frame'
    ? framesetWindow(frame as HTMLFrameElement)
    : iframeWindow(frame as HTMLIFrameElement);
}

/** Returns the slot, host or parent element, also of nodes of other documents, for which `instanceof` is false. */
export function renderedParent(node: Node): Element | null {
  const slot = nodeType(node) === 1 ? assignedSlot(node as Element) : null;
  if (slot !== null) return slot;
  const parent = parentNode(node);
  if (parent === null) return null;
  if (nodeType(parent) === 1) return parent as Element;
  return nodeType(parent) === 11 && 'host' in parent ? (parent as ShadowRoot).host : null;
}

/** Compares two elements for `sort`: those that begin earlier in the document come first. */
export const inDocumentOrder = (one: Element, other: Element): number =>
  comparePosition(one, other) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1;
