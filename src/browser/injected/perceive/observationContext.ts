/** Data about the whole document that one observation needs: event handlers, style rules, the viewport. */
import { bodyOf, documentElement, isElement } from '../dom/domGetters.ts';
import { addClosedRoots } from './element/shadowRootOf.ts';
import { readStyleRules, type StyleRules } from './element/styleRules.ts';
import type { ObserveOptions, PointerGesture } from './wireFormat.ts';

export interface HandlerKinds {
  /** True if the element has handlers of clicks, or of the press or release of a mouse button, a pen or a finger. */
  readonly press: boolean;
  /** True if the element has handlers of clicks, or of the release of a mouse button or a pointer. */
  readonly click: boolean;
  /** True if the element has handlers of the pointer that enters it (`mouseenter`, `pointerover`). */
  readonly hover: boolean;
  /** True if the element has handlers of the press of a button or a finger (`mousedown`, `touchstart`), which may start a drag. */
  readonly hold: boolean;
  /** True if the element has handlers of movements of the pointer. */
  readonly move: boolean;
  /** True if the element has handlers of drag events, as source or as target. */
  readonly drag: boolean;
  /** True if the element has handlers of drag events as a target. */
  readonly drop: boolean;
  readonly keys: boolean;
  /** True if the element has handlers of the mouse wheel: then it may scroll its content itself. */
  readonly wheel: boolean;
  /** The only gesture that the element has handlers for; null if it has handlers of clicks or of presses, or none at all. */
  readonly gesture: PointerGesture | null;
}

/** Data about the document that one observation needs. Sizes and positions in CSS pixels. */
export interface ObservationContext {
  readonly handlers: ReadonlyMap<Element, HandlerKinds>;
  /** True if the document, `html` or `body` has handlers of presses, which can be meant for any element. */
  readonly documentPress: boolean;
  /**
   * True if `html` has handlers of the press of a mouse button and of a finger: then a library may drag elements without a mark of their
   * own.
   */
  readonly rootHold: boolean;
  /** True if the root of a framework handles the presses of all its descendants. */
  readonly frameworkPress: boolean;
  readonly styleRules: StyleRules;
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
const KEY_EVENTS = new Set(['keydown', 'keyup', 'keypress']);
const DROP_EVENTS = new Set(['drop', 'dragover', 'dragenter']);
const DRAG_EVENTS = new Set(['dragstart', 'drag', 'drop', 'dragover', 'dragenter']);
/** The root of a framework handles so many event types for all in it (React: on its root and on that of each dialog). */
const MIN_ROOT_EVENTS = 14;

/**
 * Collects the handlers, the style rules and the viewport for an observation, and remembers closed shadow trees.
 * @param nodes the nodes that have event listeners, in the order of `options.listenerTypes`, then the roots of closed shadow
 * trees; values that are not nodes of this document are skipped
 */
export function createObservationContext(
  options: ObserveOptions,
  nodes: readonly unknown[],
): ObservationContext {
  const handlers = new Map<Element, HandlerKinds>();
  let documentPress = false;
  let rootHold = false;
  let frameworkPress = false;
  nodes.forEach((node, index) => {
    if (!(node instanceof Node)) return;
    addClosedRoots(node);
    const types = options.listenerTypes[index] ?? [];
    if (types.length >= MIN_ROOT_EVENTS) {
      frameworkPress ||= types.includes('pointerdown');
      return;
    }
    const isRoot = node === documentElement(document);
    if (isRoot || node === document || node === bodyOf(document)) {
      documentPress ||= types.some(type => PRESS_EVENTS.has(type));
      rootHold ||= isRoot && types.includes('mousedown') && types.includes('touchstart');
    }
    if (isElement(node)) handlers.set(node, handlerKinds(types));
  });
  return {
    handlers,
    documentPress,
    rootHold,
    frameworkPress,
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
    drop: any(DROP_EVENTS),
    keys: any(KEY_EVENTS),
    wheel: types.includes('wheel'),
    gesture: onlyGesture(types),
  };
}

function onlyGesture(types: readonly string[]): PointerGesture | null {
  const presses = types.filter(type => PRESS_EVENTS.has(type));
  if (presses.length === 0) return null;
  if (presses.every(type => type === 'dblclick')) return 'double click';
  return presses.every(type => type === 'contextmenu') ? 'right click' : null;
}
