/** Data about the whole document that one observation needs: event handlers, style rules, the viewport. */
import { isElement } from '../dom/domGetters.ts';
import { rememberClosedRoots } from './shadowRootOf.ts';
import { readStyleRules, type StyleRules } from './styleRules.ts';
import type { ObserveOptions } from './wireFormat.ts';

/** The kinds of event handlers that are on the element itself. */
export interface HandlerKinds {
  /** Handlers of clicks, and of mouse, pen or touch buttons that go down or up. */
  readonly press: boolean;
  /** Handlers of clicks and of buttons that go up. */
  readonly click: boolean;
  /** Handlers of the pointer when it enters. */
  readonly hover: boolean;
  /** Handlers of a button that goes down: possibly the start of a drag. */
  readonly hold: boolean;
  /** Handlers of pointer movements. */
  readonly move: boolean;
  /** Handlers of drag and drop, for a source or a target. */
  readonly drag: boolean;
}

export interface ObservationContext {
  readonly handlers: ReadonlyMap<Element, HandlerKinds>;
  readonly styleRules: StyleRules;
  /** Viewport size and scroll position in CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly scrollX: number;
  readonly scrollY: number;
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

/**
 * @param nodes the owners of listeners, aligned with `options.listenerTypes`, then roots of closed shadow trees; values
 * that are not nodes of this document are skipped
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
    styleRules: readStyleRules(document),
    width: innerWidth,
    height: innerHeight,
    scrollX,
    scrollY,
  };
}

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
