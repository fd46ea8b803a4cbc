/** Cancels a click that would reach another element than the target of the step, or a target that means something else now. */
import { clearDisplayCache } from '../perceive/element/displayCache.ts';
import { clearFieldCounts } from '../perceive/element/fieldCounts.ts';
import { candidateByKey } from '../perceive/lastObservation.ts';
import { deepestElementAt, receivesPress } from '../perceive/reach/hitTest.ts';
import { widgetOf } from '../perceive/reach/standIn.ts';
import { hasSameMeaning } from '../perceive/sameMeaning.ts';

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
  result ??= resultOf(event, targetKey);
  if (result === 'reached') return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

function resultOf(event: MouseEvent | TouchEvent, key: number): PressResult {
  const candidate = candidateByKey(key);
  clearFieldCounts();
  if (checksHitTarget && event instanceof MouseEvent) {
    const top = deepestElementAt(event.clientX, event.clientY);
    if (candidate === null || top === null) return 'intercepted';
    const target = candidate.element;
    if (
      !receivesPress(candidate, target, top) &&
      !receivesPress(candidate, widgetOf(candidate)?.element ?? target, top)
    )
      return 'intercepted';
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
