/** Whether the press of a step came to what it was meant for. */
import { deepestElementAt, receivesPress } from '../perceive/hitTest.ts';
import { candidateByKey } from '../perceive/observeDocument.ts';

const PRESS_EVENTS = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'] as const;

let targetKey: number | null = null;
let reachesTarget: boolean | null = null;
let intercepted = false;

/**
 * Before a press.
 * @param key what it is meant for, where the driver does not look itself: a press that comes to something else is held back
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

/** After a press: whether it was held back, by the driver or here, because something else had come under the pointer. */
export function wasClickIntercepted(): boolean {
  const held = intercepted;
  armClickGuard(null);
  return held;
}

/** The press is judged where it begins; what follows of it goes the same way. */
function checkEventTarget(event: MouseEvent): void {
  if (!event.isTrusted || targetKey === null) return;
  const found = candidateByKey(targetKey);
  const top = deepestElementAt(event.clientX, event.clientY);
  reachesTarget ??= found !== null && top !== null && receivesPress(found, found.element, top);
  if (reachesTarget) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** The driver lives in this world too, and holds events back by this call; of a press it does not tell. Nobody else makes it here. */
export function watchInterceptedClicks(): void {
  const stop = Event.prototype.stopImmediatePropagation;
  Event.prototype.stopImmediatePropagation = function stopImmediatePropagation(this: Event): void {
    if (this.isTrusted && this instanceof MouseEvent) intercepted = true;
    stop.call(this);
  };
}
