/**
 * The DOM as the browser made it. A form with an input named `getAttribute`, or an image named `body`, hides the real
 * member on the object itself, in every world; read through the prototypes nothing is hidden.
 */
const call = Function.prototype.call;

function reader<P extends object, K extends keyof P & string>(prototype: P, name: K): (self: P) => P[K] {
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

const E = Element.prototype;
const N = Node.prototype;
const D = Document.prototype;

export const localName = reader(E, 'localName');
export const firstElementChild = reader(E, 'firstElementChild');
export const nextElementSibling = reader(E, 'nextElementSibling');
export const openShadowRoot = reader(E, 'shadowRoot');
export const scrollHeight = reader(E, 'scrollHeight');
export const scrollWidth = reader(E, 'scrollWidth');
export const clientHeight = reader(E, 'clientHeight');
export const clientWidth = reader(E, 'clientWidth');
export const clientLeft = reader(E, 'clientLeft');
export const clientTop = reader(E, 'clientTop');
export const scrollTop = reader(E, 'scrollTop');
export const scrollLeft = reader(E, 'scrollLeft');
export const getAttribute = method(E, p => p.getAttribute);
export const hasAttribute = method(E, p => p.hasAttribute);
export const attributeNames = method(E, p => p.getAttributeNames);
export const hasAttributes = method(E, p => p.hasAttributes);
export const clientRects = method(E, p => p.getClientRects);
export const boxOf = method(E, p => p.getBoundingClientRect);
export const matches = method(E, p => p.matches);
export const checkVisibility = method(E, p => p.checkVisibility);
export const queryIn = call.bind(E.querySelector) as (self: Element, selector: string) => Element | null;
export const queryAllIn = call.bind(E.querySelectorAll) as (
  self: Element,
  selector: string,
) => NodeListOf<Element>;

export const parentNode = reader(N, 'parentNode');
export const firstChild = reader(N, 'firstChild');
export const nextSibling = reader(N, 'nextSibling');
export const previousSibling = reader(N, 'previousSibling');
export const nodeType = reader(N, 'nodeType');
export const isConnected = reader(N, 'isConnected');
export const textContent = reader(N, 'textContent');
export const getRootNode = method(N, p => p.getRootNode);
export const comparePosition = method(N, p => p.compareDocumentPosition);
export const contains = method(N, p => p.contains);

export const characters = reader(CharacterData.prototype, 'data');
export const shadowHost = reader(ShadowRoot.prototype, 'host');
export const firstElementOfFragment = reader(DocumentFragment.prototype, 'firstElementChild');

export const documentElement = reader(D, 'documentElement');
export const bodyOf = reader(D, 'body');
export const titleOf = reader(D, 'title');
export const documentURL = reader(D, 'URL');
export const scrollingElement = reader(D, 'scrollingElement');
export const styleSheets = reader(D, 'styleSheets');
export const queryDocument = call.bind(D.querySelector) as (
  self: Document,
  selector: string,
) => Element | null;
export const queryAllDocument = call.bind(D.querySelectorAll) as (
  self: Document,
  selector: string,
) => NodeListOf<Element>;
export const animationsOf = method(D, p => p.getAnimations);
const byIdInDocument = call.bind(D.getElementById) as (self: Document, id: string) => Element | null;
const byIdInFragment = call.bind(DocumentFragment.prototype.getElementById) as (
  self: DocumentFragment,
  id: string,
) => Element | null;
const fromPointInDocument = call.bind(D.elementFromPoint) as (
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

/** The element with that id in the tree that `from` lives in. */
export function elementById(from: Element, id: string): Element | null {
  const root = getRootNode(from);
  if (root instanceof Document) return byIdInDocument(root, id);
  return root instanceof DocumentFragment ? byIdInFragment(root, id) : null;
}

/** The topmost element at a point of this root's viewport. */
export const elementFromPoint = (root: Document | ShadowRoot, x: number, y: number): Element | null =>
  root instanceof Document ? fromPointInDocument(root, x, y) : fromPointInShadow(root, x, y);

/** Parent element, through the edge of a shadow tree to its host. */
export function composedParent(node: Node): Element | null {
  const parent = parentNode(node);
  if (parent === null) return null;
  if (parent instanceof Element) return parent;
  return parent instanceof ShadowRoot ? shadowHost(parent) : null;
}

/** Whether `inner` is `outer` or lies in it, shadow trees included. */
export function composedContains(outer: Element, inner: Element | null): boolean {
  for (let at = inner; at !== null; at = composedParent(at)) if (at === outer) return true;
  return false;
}

const labelReaders = [
  HTMLInputElement,
  HTMLSelectElement,
  HTMLTextAreaElement,
  HTMLButtonElement,
  HTMLMeterElement,
  HTMLOutputElement,
  HTMLProgressElement,
].map(kind => ({
  kind,
  read: call.bind(Object.getOwnPropertyDescriptor(kind.prototype, 'labels')?.get ?? (() => null)) as (
    self: Element,
  ) => NodeListOf<HTMLLabelElement> | null,
}));

/** The labels of a form control; empty for anything else. */
export function labelsOf(element: Element): readonly Element[] {
  const found = labelReaders.find(({ kind }) => element instanceof kind);
  return Array.from(found?.read(element) ?? []);
}
export const labelControl = reader(HTMLLabelElement.prototype, 'control');

export const inputType = reader(HTMLInputElement.prototype, 'type');
export const inputValue = reader(HTMLInputElement.prototype, 'value');
export const inputChecked = reader(HTMLInputElement.prototype, 'checked');
export const inputIndeterminate = reader(HTMLInputElement.prototype, 'indeterminate');
export const inputFiles = reader(HTMLInputElement.prototype, 'files');
export const textareaValue = reader(HTMLTextAreaElement.prototype, 'value');
export const selectOptions = reader(HTMLSelectElement.prototype, 'options');
export const optionSelected = reader(HTMLOptionElement.prototype, 'selected');
export const optionDisabled = reader(HTMLOptionElement.prototype, 'disabled');
export const optionLabel = reader(HTMLOptionElement.prototype, 'label');
export const detailsOpen = reader(HTMLDetailsElement.prototype, 'open');
export const mediaPaused = reader(HTMLMediaElement.prototype, 'paused');
export const mediaMuted = reader(HTMLMediaElement.prototype, 'muted');
export const mediaTime = reader(HTMLMediaElement.prototype, 'currentTime');
export const mediaDuration = reader(HTMLMediaElement.prototype, 'duration');
export const isContentEditable = reader(HTMLElement.prototype, 'isContentEditable');
