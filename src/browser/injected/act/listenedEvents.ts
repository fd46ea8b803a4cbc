/** The events that the listeners of a document concern, as the last observation has found them. */

import { bodyOf, composedParent, documentElement } from '../dom/domGetters.ts';
import { observation } from '../dom/lifetimes.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import { isDraggable } from '../perceive/find/interactionHints.ts';

export const ARRIVAL_EVENTS: ReadonlySet<string> = new Set(
  'mouseenter mouseover mousemove pointerenter pointerover pointermove'.split(' '),
);
/** Events of keys and of the text that they enter. */
export const ENTRY_EVENTS: ReadonlySet<string> = new Set('keydown keyup keypress input change'.split(' '));

const typesByNode = observation.value(() => new WeakMap<Node, readonly string[]>());

/**
 * Stores the listeners of an observation.
 * @param types the types of the listeners of each node
 * @param nodes the nodes, in the same order; values that are not nodes of this document are skipped
 */
export function setListeners(types: readonly (readonly string[])[], nodes: readonly unknown[]): void {
  types.forEach((ofNode, index) => {
    const node = nodes[index];
    if (node instanceof Node) typesByNode().set(node, ofNode);
  });
}

export function listensFor(element: Element, events: ReadonlySet<string>): boolean {
  const hears = (node: Node): boolean =>
    typesByNode()
      .get(node)
      ?.some(type => events.has(type)) === true;
  for (let at: Element | null = element; at !== null; at = composedParent(at)) if (hears(at)) return true;
  return hears(document);
}

const RELEASE_EVENTS = new Set('click dblclick mouseup pointerup touchend'.split(' '));
const PRESS_EVENTS = new Set(['mousedown', 'pointerdown']);
/** The root of a framework has listeners of this many event types: they tell nothing about one element. */
const MIN_ROOT_EVENTS = 14;

/**
 * Returns true if the element, or something around it below the body, handles the press of a button, and nothing there handles its
 * release: then the page listens for the release only after it has seen the press.
 */
export function hearsPressOnly(element: Element): boolean {
  let hearsPress = false;
  for (let at: Element | null = element; at !== null && at !== bodyOf(document); at = composedParent(at)) {
    const types = typesByNode().get(at) ?? [];
    if (types.length >= MIN_ROOT_EVENTS) continue;
    if (types.some(type => RELEASE_EVENTS.has(type))) return false;
    hearsPress ||= types.some(type => PRESS_EVENTS.has(type));
  }
  return hearsPress;
}

const DOWN_EVENTS = new Set('mousedown pointerdown touchstart'.split(' '));

/** Returns true if the element, or something around it below the body, handles the press of a button. Roots of frameworks do not count. */
export function handlesPressDown(element: Element): boolean {
  for (let at: Element | null = element; at !== null && at !== bodyOf(document); at = composedParent(at)) {
    const types = typesByNode().get(at) ?? [];
    if (types.length < MIN_ROOT_EVENTS && types.some(type => DOWN_EVENTS.has(type))) return true;
  }
  return false;
}

/** Returns true if the root of a framework around the element, or the document, may handle the press of a button on it. */
export function mayHandlePressDown(element: Element): boolean {
  for (const root of [document, documentElement(document), bodyOf(document)])
    if (
      root !== null &&
      typesByNode()
        .get(root)
        ?.some(type => DOWN_EVENTS.has(type))
    )
      return true;
  for (let at: Element | null = element; at !== null; at = composedParent(at))
    if ((typesByNode().get(at)?.length ?? 0) >= MIN_ROOT_EVENTS) return true;
  return (typesByNode().get(document)?.length ?? 0) >= MIN_ROOT_EVENTS;
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
    const types = typesByNode().get(at) ?? [];
    if (types.some(type => BUTTON_EVENTS.has(type)) || isDraggable(at, null)) return false;
    hearsTouch ||= types.includes('touchstart');
  }
  return hearsTouch;
}
