/** Cancels a click that would reach another element than the target of the step. */
import { deepestElementAt, receivesPress } from '../perceive/hitTest.ts';
import { candidateByKey } from '../perceive/lastObservation.ts';

const PRESS_EVENTS = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'] as const;

let targetKey: number | null = null;
/** True if the current press reaches the target. The first event of the press decides it for the later ones; null before. */
let reachesTarget: boolean | null = null;
/** True if Playwright or the guard has cancelled a mouse event since `armClickGuard`. */
let intercepted = false;

/**
 * Starts to cancel presses that do not reach the target of the step. Call it before each click.
 * @param key the key of the target; null cancels nothing, because Playwright then checks the hit target itself
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

/** Stops the click guard. Returns true if Playwright or the guard has cancelled a mouse event since `armClickGuard`. */
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
 * Starts to record mouse events that Playwright cancels; see `wasClickIntercepted`. Playwright does not report them: it
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
