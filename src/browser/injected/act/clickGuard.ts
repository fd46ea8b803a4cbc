/** Cancels a click that would reach another element than the target of the step. */
import { deepestElementAt, receivesPress } from '../perceive/hitTest.ts';
import { candidateByKey } from '../perceive/lastObservation.ts';

const PRESS_EVENTS = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'] as const;

let targetKey: number | null = null;
/** True if the current press reaches the target: decided at its first event, and valid for its later events. */
let reachesTarget: boolean | null = null;
let intercepted = false;

/**
 * Resets the guard. Call it before a click.
 * @param key the element that the click must reach: a click on another element is cancelled. Null cancels nothing,
 * because Playwright checks the hit target itself
 */
export function armClickGuard(key: number | null): void {
  for (const type of PRESS_EVENTS) {
    removeEventListener(type, checkEventTarget, true);
    if (key !== null) addEventListener(type, checkEventTarget, true);
  }
  targetKey = key;
  reachesTarget = null;
  intercepted = false;
}

/** Removes the guard. Returns true if Playwright or the guard cancelled the click since `armClickGuard`. */
export function wasClickIntercepted(): boolean {
  const result = intercepted;
  armClickGuard(null);
  return result;
}

function checkEventTarget(event: MouseEvent): void {
  if (!event.isTrusted || targetKey === null) return;
  const candidate = candidateByKey(targetKey);
  const top = deepestElementAt(event.clientX, event.clientY);
  reachesTarget ??= candidate !== null && top !== null && receivesPress(candidate, candidate.element, top);
  if (reachesTarget) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/**
 * Records every cancelled mouse event. Playwright runs in this isolated world too, and cancels an event by
 * `stopImmediatePropagation` without reporting it. No other code in this world calls that method.
 */
export function watchInterceptedClicks(): void {
  const stop = Event.prototype.stopImmediatePropagation;
  Event.prototype.stopImmediatePropagation = function stopImmediatePropagation(this: Event): void {
    if (this.isTrusted && this instanceof MouseEvent) intercepted = true;
    stop.call(this);
  };
}
