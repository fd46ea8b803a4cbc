/** The events that the listeners of a document concern, as the last observation has found them. */

import { around } from '../dom/around.ts';
import { bodyOf, documentElement } from '../dom/domGetters.ts';
import { observation } from '../dom/lifetimes.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import { isDraggable } from '../perceive/find/interactionHints.ts';

export const ARRIVAL_EVENTS: ReadonlySet<string> = new Set(
  'mouseenter mouseover mousemove pointerenter pointerover pointermove'.split(' '),
);
/** Events of keys and of the text that they enter. */
export const ENTRY_EVENTS: ReadonlySet<string> = new Set('keydown keyup keypress input change'.split(' '));

const typesByNode = observation.value(() => new WeakMap<Node, readonly string[]>());

/** Stores the types of the listeners of each node; what is no node of this document is skipped. */
export function setListeners(types: readonly (readonly string[])[], nodes: readonly unknown[]): void {
  types.forEach((ofNode, index) => {
    const node = nodes[index];
    if (node instanceof Node) typesByNode().set(node, ofNode);
  });
}

const typesOf = (node: Node | null): readonly string[] =>
  node === null ? [] : (typesByNode().get(node) ?? []);

/** The root of a framework has listeners of this many event types: they tell nothing about one element. */
const MIN_ROOT_EVENTS = 14;

/** Returns the types of the listeners of an element and of what is around it, below the body. */
function typesBelowBody(element: Element | null, withFrameworks = false): ReadonlySet<string> {
  const types = new Set<string>();
  for (const at of around(element, Number.POSITIVE_INFINITY)) {
    if (at === bodyOf(document) || at === documentElement(document)) break;
    const own = typesOf(at);
    if (withFrameworks || own.length < MIN_ROOT_EVENTS) for (const type of own) types.add(type);
  }
  return types;
}

/** Returns true if the element, or something around it, listens for one of these events. */
export const listensFor = (element: Element, events: ReadonlySet<string>): boolean =>
  [...around(element, Number.POSITIVE_INFINITY), document].some(at =>
    typesOf(at).some(type => events.has(type)),
  );

const RELEASE_EVENTS = new Set('click dblclick mouseup pointerup touchend'.split(' '));
const PRESS_EVENTS = new Set(['mousedown', 'pointerdown']);

/** Returns true if a press is heard below the body and its release is not: the page listens for it after the press. */
export function hearsPressOnly(element: Element): boolean {
  const types = typesBelowBody(element);
  return types.isDisjointFrom(RELEASE_EVENTS) && !types.isDisjointFrom(PRESS_EVENTS);
}

const DOWN_EVENTS = new Set('mousedown pointerdown touchstart'.split(' '));

/** Returns true if the press of a button is handled below the body. Roots of frameworks do not count. */
export const handlesPressDown = (element: Element): boolean =>
  !typesBelowBody(element).isDisjointFrom(DOWN_EVENTS);

/** Returns true if the element, or a box below the first one that handles the press of a button, handles a click. Roots of frameworks do not count. */
export function handlesClick(element: Element): boolean {
  for (const at of around(element, Number.POSITIVE_INFINITY)) {
    const types = typesOf(at);
    if (at === bodyOf(document) || types.length >= MIN_ROOT_EVENTS) break;
    const isPressed = types.some(type => DOWN_EVENTS.has(type));
    if (types.includes('click') && (at === element || !isPressed)) return true;
    if (isPressed) break;
  }
  return false;
}

/** Returns true if the root of a framework around the element, or the document, may handle the press of a button on it. */
export const mayHandlePressDown = (element: Element): boolean =>
  [document, documentElement(document), bodyOf(document)].some(root =>
    typesOf(root).some(type => DOWN_EVENTS.has(type)),
  ) ||
  [...around(element, Number.POSITIVE_INFINITY), document].some(at => typesOf(at).length >= MIN_ROOT_EVENTS);

const BUTTON_EVENTS = new Set('mousedown pointerdown dragstart'.split(' '));

/** Returns true if a finger's press is heard below the body and that of a button is not. */
export function isTouchedOnly(key: number): boolean {
  const element = elementByKey(key);
  const types = typesBelowBody(element, true);
  if (!types.has('touchstart') || !types.isDisjointFrom(BUTTON_EVENTS)) return false;
  return ![...around(element, Number.POSITIVE_INFINITY)].some(at => isDraggable(at, null));
}
