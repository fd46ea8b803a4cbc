/** Cancels a click that would reach another element than the target of the step, or a target that means something else now. */

import {
  bodyOf,
  boxOf,
  checkVisibility,
  composedContains,
  composedParent,
  focusedElement,
  getAttribute,
  hasAttribute,
  isConnected,
  localName,
  matches,
  queryAllDocument,
  textContent,
} from '../dom/domGetters.ts';
import { documentState, reading } from '../dom/lifetimes.ts';
import { EDITABLE, FIELDS } from '../dom/vocabulary.ts';
import type { Candidate } from '../perceive/candidate.ts';
import { shadowRootOf } from '../perceive/element/shadowRootOf.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import { candidateByKey } from '../perceive/lastObservation.ts';
import { deepestElementAt, receivesPress } from '../perceive/reach/hitTest.ts';
import { widgetOf } from '../perceive/reach/standIn.ts';
import { hasSameMeaning } from '../perceive/sameMeaning.ts';
import { handlesClick, handlesPressDown, mayHandlePressDown } from './listenedEvents.ts';

/**
 * The state of a press without a click on its element. `moved`: the press only took the focus from a field, or nothing around the element
 * handles it, and the element has another place or is gone: another press repeats no effect. `unclicked`: another press can repeat one.
 */
export type MissedClick = 'moved' | 'unclicked';

/** Fields whose loss of the focus makes a page validate them, and show or hide texts around them. */
const LEFT_FIELDS = `${FIELDS}, ${EDITABLE}`;
/** Elements with which the browser itself does something at a click. */
const ACTIVATED = 'a[href], input, summary, label, form button';
/** Elements that a press opens, which then cover what is pressed. */
const OPENERS = ['aria-haspopup', 'aria-expanded'] as const;
/** The smallest movement that counts. CSS pixels. */
const MIN_MOVE_PX = 1;

interface Press {
  readonly element: Element;
  readonly left: number;
  readonly top: number;
  /** The field outside of the element that had the focus; null for none. */
  readonly field: Element | null;
  /** True when the field loses the focus and the element is where it was: the page has done nothing about the press before. */
  stoodAtBlur: boolean;
  /** True if the page handles the press of the button, or the element opens something by it. */
  readonly isHandled: boolean;
  /** True if the element, or something around it that does not handle the press, has something to do at a click, and the press opens nothing. */
  readonly awaitsClick: boolean;
  /** True if a listener of the document, or of the root of a framework, may handle the press. */
  readonly mayBeHandled: boolean;
  /** The last event of the press: a page that prevents what the browser does about it has handled it. */
  event: Event;
  /** Counts the elements that look like the pressed one did, and their number at the press. */
  readonly countLikes: () => number;
  readonly likes: number;
  hasClicked: boolean;
}

/** Returns what is known of an element when it is pressed, before the page knows of the press: afterwards it may be removed. */
function pressOf(element: Element, event: Event): Press {
  const { left, top } = boxOf(element);
  const active = focusedElement();
  const isField =
    active !== null &&
    active !== bodyOf(document) &&
    !composedContains(element, active) &&
    matches(active, LEFT_FIELDS);
  const countLikes = likesOf(element);
  const opens = OPENERS.some(name => hasAttribute(element, name));
  return {
    ...{ element, event, left, top, field: isField ? active : null, stoodAtBlur: false, hasClicked: false },
    ...{ countLikes, likes: countLikes() },
    isHandled: opens || handlesPressDown(element),
    awaitsClick: !opens && (handlesClick(element) || matches(element, ACTIVATED)),
    mayBeHandled: mayHandlePressDown(element),
  };
}

/** Returns how a press that has reached its element has missed its click; null if it has not, or has had its effect without one. */
function missedClick({ press }: Guard): MissedClick | null {
  if (press === null || press.hasClicked) return null;
  const { element, event, stoodAtBlur, isHandled, awaitsClick, mayBeHandled } = press;
  if (isHandled && !awaitsClick) return null;
  // The page has chosen or closed something at the press.
  if ((isHandled || mayBeHandled) && (event.defaultPrevented || (isConnected(element) && !isShown(element))))
    return null;
  if (!isHandled && !stands(press) && (stoodAtBlur || !mayBeHandled)) return 'moved';
  return isConnected(element) || isReplaced(press) ? 'unclicked' : null;
}

const isShown = (element: Element): boolean =>
  checkVisibility(element, { opacityProperty: true, visibilityProperty: true });

/** Maximum number of elements of one tag among which those like the pressed one are counted. */
const MAX_ELEMENTS = 500;

/** Returns a function that counts the elements with the tag, the class and the words that this one has now; 0 if there are too many to search. */
function likesOf(element: Element): () => number {
  const [tag, className, text] = [localName(element), getAttribute(element, 'class'), textContent(element)];
  return () => {
    const found = Array.from(queryAllDocument(document, tag));
    if (found.length > MAX_ELEMENTS) return 0;
    return found.filter(one => getAttribute(one, 'class') === className && textContent(one) === text).length;
  };
}

/** Returns true if a page that has not handled the press has another element like the pressed one for it: a list has one less. */
const isReplaced = ({ event, countLikes, likes }: Press): boolean =>
  !event.defaultPrevented && likes > 0 && countLikes() >= likes;

function stands({ element, left, top }: Press): boolean {
  const now = boxOf(element);
  const isMoved = Math.abs(now.left - left) >= MIN_MOVE_PX || Math.abs(now.top - top) >= MIN_MOVE_PX;
  return isConnected(element) && !isMoved;
}

/** Notes whether the page has done something about a press before the field loses the focus. */
function noteBlur({ target }: Event): void {
  const { press } = state().guard;
  if (press !== null && target === press.field) press.stoodAtBlur = stands(press);
}

const MAX_ANCESTORS = 2;

/** Returns true if a part of a box around the element, hidden now, is at the point: the pointer has opened it. */
export function gaveWay(key: number, x: number, y: number): boolean {
  const element = elementByKey(key);
  if (element === null || isShown(element)) return false;
  const top = deepestElementAt(x, y);
  if (top === null) return false;
  let box = composedParent(element);
  for (
    let up = 0;
    box !== null && up < MAX_ANCESTORS && !matches(box, 'body');
    up++, box = composedParent(box)
  )
    if (box !== top && composedContains(box, top)) return true;
  return false;
}

const PRESS_EVENTS =
  'pointerdown mousedown pointerup mouseup click dblclick auxclick contextmenu touchstart touchend';

/**
 * Result of a press: `changed` if the element no longer means what was listed, so that the press was cancelled; `unseen` if no event of it
 * has come.
 */
export type PressResult = 'reached' | 'intercepted' | 'changed' | 'unseen';

interface Guard {
  readonly targetKey: number | null;
  /** True if the guard checks which element is under the pointer; false when Playwright checks it. */
  readonly checksHitTarget: boolean;
  /** The result of the current press. Its first event decides it for the later ones; null before. */
  result: PressResult | null;
  /** True if Playwright has cancelled a mouse event since `armClickGuard`. */
  intercepted: boolean;
  press: Press | null;
}

const newGuard = (targetKey: number | null, checksHitTarget: boolean): Guard => ({
  targetKey,
  checksHitTarget,
  result: null,
  intercepted: false,
  press: null,
});
const state = documentState.value(() => ({ guard: newGuard(null, false) }));

/**
 * Starts to cancel presses that do not reach the target of the step, or reach it when it means something else than was
 * listed. Call it before each click.
 * @param key the key of the target; null to stop
 * @param checksHit false when Playwright checks itself which element is under the pointer
 */
export function armClickGuard(key: number | null, checksHit: boolean): void {
  for (const type of PRESS_EVENTS.split(' ') as ('click' | 'touchend')[]) {
    removeEventListener(type, checkPress, true);
    if (key !== null) addEventListener(type, checkPress, true);
  }
  // Before the page reacts to it.
  removeEventListener('blur', noteBlur, true);
  if (key !== null) addEventListener('blur', noteBlur, true);
  state().guard = newGuard(key, checksHit);
}

/** Returns the result of the press since `armClickGuard`, as `pressResult` does, and whether no click has followed on the element. */
export function clickResult(): PressResult | MissedClick {
  const { guard } = state();
  const missed = guard.result === 'reached' ? missedClick(guard) : null;
  const found = pressResult();
  return found === 'reached' ? (missed ?? found) : found;
}

/**
 * Returns the result of the press since `armClickGuard`, and stops the click guard. It goes on if the result is `changed`: the release of
 * the button must not reach the page either.
 */
export function pressResult(): PressResult {
  const { result, intercepted } = state().guard;
  if (result === 'changed') return result;
  const found = intercepted ? 'intercepted' : (result ?? 'unseen');
  armClickGuard(null, false);
  return found;
}

function checkPress(event: MouseEvent | TouchEvent): void {
  const { guard } = state();
  if (!event.isTrusted || guard.targetKey === null) return;
  const candidate = candidateByKey(guard.targetKey);
  if (guard.result === null) {
    guard.result = resultOf(event, candidate, guard);
    if (guard.result === 'reached' && candidate !== null) guard.press = pressOf(candidate.element, event);
  }
  if (guard.result === 'reached') {
    if (event.type === 'mousedown' && guard.press !== null) guard.press.event = event;
    const isClicked = event.type === 'click' && candidate !== null;
    if (isClicked && guard.press !== null && receives(candidate, event.composedPath()[0]))
      guard.press.hasClicked = true;
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
}

function receives(candidate: Candidate, top: EventTarget | null | undefined): boolean {
  if (!(top instanceof Element)) return false;
  const { element } = candidate;
  // The host of a closed shadow tree, which an event names in place of what is in the tree.
  if (shadowRootOf(top) !== null && composedContains(top, element)) return true;
  return (
    receivesPress(candidate, element, top) ||
    receivesPress(candidate, widgetOf(candidate)?.element ?? element, top)
  );
}

function resultOf(
  event: MouseEvent | TouchEvent,
  candidate: Candidate | null,
  { checksHitTarget }: Guard,
): PressResult {
  reading.begin();
  if (checksHitTarget && event instanceof MouseEvent) {
    const top = deepestElementAt(event.clientX, event.clientY);
    if (candidate === null || top === null || !receives(candidate, top)) return 'intercepted';
  }
  return candidate === null || hasSameMeaning(candidate.element) ? 'reached' : 'changed';
}

/**
 * Starts to record mouse events that Playwright cancels; see `pressResult`. Playwright does not report them: it
 * runs in this isolated world and calls `stopImmediatePropagation`, so this function replaces that method. Only
 * Playwright and the click guard call it in this world.
 */
export function watchInterceptedClicks(): void {
  const stop = Event.prototype.stopImmediatePropagation;
  Event.prototype.stopImmediatePropagation = function stopImmediatePropagation(this: Event): void {
    if (this.isTrusted && this instanceof MouseEvent) state().guard.intercepted = true;
    stop.call(this);
  };
}
