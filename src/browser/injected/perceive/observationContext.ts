/** What one observation knows of the whole document before it looks at single elements. */

import {
  composedParent,
  getRootNode,
  isElement,
  isShadowRoot,
  nodeType,
  openShadowRoot,
  shadowHost,
} from '../dom/domGetters.ts';
import { readStyleRules, type StyleRules } from './styleRules.ts';
import type { ObserveOptions } from './wireFormat.ts';

/** What kinds of handler an element has of its own. */
export interface HandlerKinds {
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

export interface ObservationContext {
  readonly handlers: ReadonlyMap<Element, HandlerKinds>;
  /** Roots of closed shadow trees by host, as far as their content has listeners. */
  readonly closedRoots: WeakMap<Element, ShadowRoot>;
  readonly sheets: StyleRules;
  readonly width: number;
  readonly height: number;
  readonly scrollX: number;
  readonly scrollY: number;
  readonly top: boolean;
}

const PRESS_EVENTS = new Set(
  'click dblclick auxclick contextmenu mousedown mouseup pointerdown pointerup touchstart touchend'.split(
    ' ',
  ),
);
const CLICK_EVENTS = new Set(['click', 'dblclick', 'contextmenu', 'mouseup', 'pointerup']);
const HOLD_EVENTS = new Set(['mousedown', 'pointerdown', 'touchstart']);
const HOVER_EVENTS = new Set(['mouseenter', 'mouseover', 'pointerenter', 'pointerover']);
const MOVE_EVENTS = new Set(['mousemove', 'pointermove']);
const DRAG_EVENTS = new Set(['dragstart', 'drag', 'drop', 'dragover', 'dragenter']);

const closedRoots = new WeakMap<Element, ShadowRoot>();

/**
 * @param nodes listener owners, aligned with `options.listenerTypes`; what is not a node of this document is skipped
 */
export function createObservationContext(
  options: ObserveOptions,
  nodes: readonly unknown[],
): ObservationContext {
  const handlers = new Map<Element, HandlerKinds>();
  nodes.forEach((node, index) => {
    if (!(node instanceof Node)) return;
    rememberClosedRoots(node);
    if (isElement(node)) handlers.set(node, handlerKinds(options.listenerTypes[index] ?? []));
  });
  return {
    handlers,
    closedRoots,
    sheets: readStyleRules(document),
    width: innerWidth,
    height: innerHeight,
    scrollX,
    scrollY,
    top: options.top,
  };
}

/** Custom elements that were asked about once: what has no closed tree then is not asked about again. */
const reportedHosts = new WeakSet<Element>();
/** Elements that are asked about in one observation. */
const MAX_CLOSED_HOSTS = 64;

/** Notes a custom element that may have a closed shadow tree which nobody has looked for yet. */
export function collectClosedHost(element: Element, tag: string, asked: Element[]): void {
  if (!tag.includes('-') || asked.length >= MAX_CLOSED_HOSTS || shadowRootOf(element) !== null) return;
  if (reportedHosts.has(element)) return;
  reportedHosts.add(element);
  asked.push(element);
}

/** The shadow tree of an element, open or (where it is known) closed. */
export const shadowRootOf = (element: Element): ShadowRoot | null =>
  openShadowRoot(element) ?? closedRoots.get(element) ?? null;

function handlerKinds(types: readonly string[]): HandlerKinds {
  const any = (set: ReadonlySet<string>) => types.some(type => set.has(type));
  return {
    press: any(PRESS_EVENTS),
    click: any(CLICK_EVENTS),
    hover: any(HOVER_EVENTS),
    hold: any(HOLD_EVENTS),
    move: any(MOVE_EVENTS),
    drag: any(DRAG_EVENTS),
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
