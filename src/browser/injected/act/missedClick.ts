/** Notices a press that reached an element and became no click on it: the page moved or replaced the element before the release. */
import {
  activeElementOf,
  bodyOf,
  boxOf,
  composedContains,
  hasAttribute,
  isConnected,
  matches,
  shadowActiveElement,
} from '../dom/domGetters.ts';
import { shadowRootOf } from '../perceive/element/shadowRootOf.ts';
import { handlesPressDown, isInFrameworkRoot } from './listenedEvents.ts';

/**
 * The state of a press without a click on its element. `moved`: the press only took the focus from a field, or nothing around the element
 * handles it, and the element has another place or is gone: another press repeats no effect. `unclicked`: another press can repeat one.
 */
export type MissedClick = 'moved' | 'unclicked';

/** Fields whose loss of the focus makes a page validate them, and show or hide texts around them. */
const FIELDS = 'input, select, textarea, [contenteditable]:not([contenteditable=false])';
/** Elements that a press opens, which then cover what is pressed. */
const OPENERS = ['aria-haspopup', 'aria-expanded'] as const;
/** The smallest movement that counts. CSS pixels. */
const MIN_MOVE_PX = 1;

interface Press {
  readonly element: Element;
  readonly left: number;
  readonly top: number;
  /** True if a field outside of the element had the focus. */
  readonly leavesField: boolean;
  hasClicked: boolean;
}

let press: Press | null = null;

/** Forgets the press before. */
export function forgetPress(): void {
  press = null;
}

/** Remembers the place of an element and the focus when the element is pressed, before the page knows of the press. */
export function rememberPress(element: Element): void {
  const { left, top } = boxOf(element);
  const active = focusedElement();
  const leavesField = active !== null && !composedContains(element, active) && matches(active, FIELDS);
  press = { element, left, top, leavesField, hasClicked: false };
}

/** Remembers that a click has reached the pressed element. */
export function rememberClick(): void {
  if (press !== null) press.hasClicked = true;
}

/** Returns how a press that has reached its element has missed its click; null if it has not, or has had its effect without one. */
export function missedClick(): MissedClick | null {
  if (press === null || press.hasClicked) return null;
  const { element, leavesField } = press;
  if (handlesPressDown(element) || OPENERS.some(name => hasAttribute(element, name))) return null;
  const isGone = !isConnected(element);
  const { left, top } = boxOf(element);
  const hasMoved = Math.abs(left - press.left) >= MIN_MOVE_PX || Math.abs(top - press.top) >= MIN_MOVE_PX;
  if ((isGone || hasMoved) && (leavesField || !isInFrameworkRoot(element))) return 'moved';
  return isGone ? null : 'unclicked';
}

function focusedElement(): Element | null {
  let active = activeElementOf(document);
  while (active !== null && shadowRootOf(active) !== null) {
    const inner = shadowActiveElement(active);
    if (inner === null) break;
    active = inner;
  }
  return active === bodyOf(document) ? null : active;
}
