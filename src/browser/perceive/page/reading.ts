/** What one observation knows of the whole document before it looks at single elements. */
import type { ObserveOptions } from '../raw.ts';
import {
  composedParent,
  getRootNode,
  isElement,
  isShadowRoot,
  nodeType,
  openShadowRoot,
  shadowHost,
} from './native.ts';
import { type SheetFacts, sheetFacts } from './sheets.ts';

/** What kinds of handler an element has of its own. */
export interface Handlers {
  /** Presses: click, mouse, pointer and touch buttons. */
  readonly press: boolean;
  /** Clicks proper, beside the mere pressing of a button. */
  readonly click: boolean;
  /** The pointer comes over it. */
  readonly hover: boolean;
  /** Starts with a button held down: a press that may be the beginning of a drag. */
  readonly hold: boolean;
  /** The pointer moves over it. */
  readonly move: boolean;
  /** Something is dropped on it, or dragged from it. */
  readonly drag: boolean;
}

export interface Reading {
  readonly handlers: ReadonlyMap<Element, Handlers>;
  /** Roots of closed shadow trees by host, as far as their content has listeners. */
  readonly closedRoots: WeakMap<Element, ShadowRoot>;
  readonly sheets: SheetFacts;
  readonly width: number;
  readonly height: number;
  readonly scrollX: number;
  readonly scrollY: number;
  readonly top: boolean;
}

const PRESS = new Set(
  'click dblclick auxclick contextmenu mousedown mouseup pointerdown pointerup touchstart touchend'.split(
    ' ',
  ),
);
const CLICK = new Set(['click', 'dblclick', 'contextmenu', 'mouseup', 'pointerup']);
const HOLD = new Set(['mousedown', 'pointerdown', 'touchstart']);
const HOVER = new Set(['mouseenter', 'mouseover', 'pointerenter', 'pointerover']);
const MOVE = new Set(['mousemove', 'pointermove']);
const DRAG = new Set(['dragstart', 'drag', 'drop', 'dragover', 'dragenter']);

const closedRoots = new WeakMap<Element, ShadowRoot>();

/**
 * @param nodes listener owners, aligned with `options.listenerTypes`; what is not a node of this document is skipped
 */
export function beginReading(options: ObserveOptions, nodes: readonly unknown[]): Reading {
  const handlers = new Map<Element, Handlers>();
  nodes.forEach((node, index) => {
    if (!(node instanceof Node)) return;
    rememberClosedRoots(node);
    if (isElement(node)) handlers.set(node, kindsOf(options.listenerTypes[index] ?? []));
  });
  return {
    handlers,
    closedRoots,
    sheets: sheetFacts(document),
    width: innerWidth,
    height: innerHeight,
    scrollX,
    scrollY,
    top: options.top,
  };
}

/** Custom elements that were asked about once: what has no closed tree then is not asked about again. */
const askedAbout = new WeakSet<Element>();
/** Elements that are asked about in one observation. */
const MOST_ASKED = 64;

/** Notes a custom element that may have a closed shadow tree which nobody has looked for yet. */
export function noteClosedHost(element: Element, tag: string, asked: Element[]): void {
  if (!tag.includes('-') || asked.length >= MOST_ASKED || shadowRootOf(element) !== null) return;
  if (askedAbout.has(element)) return;
  askedAbout.add(element);
  asked.push(element);
}

/** The shadow tree of an element, open or (where it is known) closed. */
export const shadowRootOf = (element: Element): ShadowRoot | null =>
  openShadowRoot(element) ?? closedRoots.get(element) ?? null;

function kindsOf(types: readonly string[]): Handlers {
  const any = (set: ReadonlySet<string>) => types.some(type => set.has(type));
  return {
    press: any(PRESS),
    click: any(CLICK),
    hover: any(HOVER),
    hold: any(HOLD),
    move: any(MOVE),
    drag: any(DRAG),
  };
}

function rememberClosedRoots(node: Node): void {
  let root = nodeType(node) === Node.DOCUMENT_FRAGMENT_NODE ? node : getRootNode(node);
  while (isShadowRoot(root)) {
    const host = shadowHost(root);
    if (openShadowRoot(host) === null) closedRoots.set(host, root);
    const outer = composedParent(host);
    if (outer === null) return;
    root = getRootNode(host);
  }
}
