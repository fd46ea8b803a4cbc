/** Cancels a click that would reach another element than the target of the step, or a target that means something else now. */
import { composedContains } from '../dom/domGetters.ts';
import type { Candidate } from '../perceive/candidate.ts';
import { clearDisplayCache } from '../perceive/element/displayCache.ts';
import { clearFieldCounts } from '../perceive/element/fieldCounts.ts';
import { shadowRootOf } from '../perceive/element/shadowRootOf.ts';
import { candidateByKey } from '../perceive/lastObservation.ts';
import { deepestElementAt, receivesPress } from '../perceive/reach/hitTest.ts';
import { widgetOf } from '../perceive/reach/standIn.ts';
import { hasSameMeaning } from '../perceive/sameMeaning.ts';
import { forgetPress, type MissedClick, missedClick, rememberClick, rememberPress } from './missedClick.ts';

const PRESS_EVENTS = [
  'pointerdown',
  'mousedown',
  'pointerup',
  'mouseup',
  'click',
  'dblclick',
  'auxclick',
  'contextmenu',
  'touchstart',
  'touchend',
] as const;

/**
 * Result of a press: `changed` if the element no longer means what was listed, so that the press was cancelled; `unseen` if no event of it
 * has come.
 */
export type PressResult = 'reached' | 'intercepted' | 'changed' | 'unseen';

let targetKey: number | null = null;
/** True if the guard checks which element is under the pointer; false when Playwright checks it. */
let checksHitTarget = false;
/** The result of the current press. Its first event decides it for the later ones; null before. */
let result: PressResult | null = null;
/** True if Playwright has cancelled a mouse event since `armClickGuard`. */
let intercepted = false;

/**
 * Starts to cancel presses that do not reach the target of the step, or reach it when it means something else than was
 * listed. Call it before each click.
 * @param key the key of the target; null to stop
 * @param checksHit false when Playwright checks itself which element is under the pointer
 */
export function armClickGuard(key: number | null, checksHit: boolean): void {
  for (const type of PRESS_EVENTS) {
    removeEventListener(type, checkPress, true);
    if (key !== null) addEventListener(type, checkPress, true);
  }
  targetKey = key;
  checksHitTarget = checksHit;
  result = null;
  intercepted = false;
  forgetPress();
}

/** Returns the result of the press since `armClickGuard`, as `pressResult` does, and whether no click has followed on the element. */
export function clickResult(): PressResult | MissedClick {
  const missed = result === 'reached' ? missedClick() : null;
  const found = pressResult();
  return found === 'reached' ? (missed ?? found) : found;
}

/**
 * Returns the result of the press since `armClickGuard`, and stops the click guard. It goes on if the result is `changed`: the release of
 * the button must not reach the page either.
 */
export function pressResult(): PressResult {
  if (result === 'changed') return result;
  const found = intercepted ? 'intercepted' : (result ?? 'unseen');
  armClickGuard(null, false);
  return found;
}

function checkPress(event: MouseEvent | TouchEvent): void {
  if (!event.isTrusted || targetKey === null) return;
  const candidate = candidateByKey(targetKey);
  if (result === null) {
    result = resultOf(event, candidate);
    if (result === 'reached' && candidate !== null) rememberPress(candidate.element);
  }
  if (result === 'reached') {
    if (event.type === 'click' && candidate !== null && receives(candidate, event.composedPath()[0]))
      rememberClick();
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Returns true if a press on `top` reaches the candidate or its widget. */
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

function resultOf(event: MouseEvent | TouchEvent, candidate: Candidate | null): PressResult {
  clearFieldCounts();
  if (checksHitTarget && event instanceof MouseEvent) {
    const top = deepestElementAt(event.clientX, event.clientY);
    if (candidate === null || top === null || !receives(candidate, top)) return 'intercepted';
  }
  clearDisplayCache();
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
    if (this.isTrusted && this instanceof MouseEvent) intercepted = true;
    stop.call(this);
  };
}
