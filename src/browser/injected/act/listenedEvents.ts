/** The events that the listeners of a document concern, as the last observation has found them. */
import { bodyOf, composedParent, documentElement } from '../dom/domGetters.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import { isDraggable } from '../perceive/find/interactionHints.ts';

/** Events of a pointer that arrives, before it presses. */
export const ARRIVAL_EVENTS: ReadonlySet<string> = new Set(
  'mouseenter mouseover mousemove pointerenter pointerover pointermove'.split(' '),
);
/** Events of keys and of the text that they enter. */
export const ENTRY_EVENTS: ReadonlySet<string> = new Set('keydown keyup keypress input change'.split(' '));

let typesByNode = new WeakMap<Node, readonly string[]>();

/**
 * Remembers the listeners of an observation.
 * @param types the types of the listeners of each node
 * @param nodes the nodes, in the same order; values that are not nodes of this document are skipped
 */
export function rememberListeners(types: readonly (readonly string[])[], nodes: readonly unknown[]): void {
  typesByNode = new WeakMap();
  types.forEach((ofNode, index) => {
    const node = nodes[index];
    if (node instanceof Node) typesByNode.set(node, ofNode);
  });
}

/** Returns true if the element, or something around it, listens for one of these events. */
export function listensFor(element: Element, events: ReadonlySet<string>): boolean {
  const hears = (node: Node): boolean => typesByNode.get(node)?.some(type => events.has(type)) === true;
  for (let at: Element | null = element; at !== null; at = composedParent(at)) if (hears(at)) return true;
  return hears(document);
}

const BUTTON_EVENTS = new Set('mousedown pointerdown dragstart'.split(' '));

/**
 * Returns true if the element, or something around it below the body, handles the press of a finger, and nothing there handles that of a
 * button: then only a finger drags it.
 */
export function isTouchedOnly(key: number): boolean {
  let hearsTouch = false;
  for (let at = elementByKey(key); at !== null; at = composedParent(at)) {
    if (at === bodyOf(document) || at === documentElement(document)) break;
    const types = typesByNode.get(at) ?? [];
    if (types.some(type => BUTTON_EVENTS.has(type)) || isDraggable(at, null)) return false;
    hearsTouch ||= types.includes('touchstart');
  }
  return hearsTouch;
}
