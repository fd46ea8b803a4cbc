/** Whether the press of a step came to what it was meant for. */
import { deepestAt, takes } from './hitTest.ts';
import { foundBehind } from './observe.ts';

const PRESS = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'] as const;

let meant: number | null = null;
let comes: boolean | null = null;
let heldBack = false;

/**
 * Before a press.
 * @param key what it is meant for, where the driver does not look itself: a press that comes to something else is held back
 */
export function awaitPress(key: number | null): void {
  for (const type of PRESS) {
    removeEventListener(type, judge, true);
    if (key !== null) addEventListener(type, judge, true);
  }
  meant = key;
  comes = null;
  heldBack = false;
}

/** After a press: whether it was held back, by the driver or here, because something else had come under the pointer. */
export function wasHeldBack(): boolean {
  const held = heldBack;
  awaitPress(null);
  return held;
}

/** The press is judged where it begins; what follows of it goes the same way. */
function judge(event: MouseEvent): void {
  if (!event.isTrusted || meant === null) return;
  const found = foundBehind(meant);
  const top = deepestAt(event.clientX, event.clientY);
  comes ??= found !== null && top !== null && takes(found, found.element, top);
  if (comes) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** The driver lives in this world too, and holds events back by this call; of a press it does not tell. Nobody else makes it here. */
export function watchHeldBack(): void {
  const stop = Event.prototype.stopImmediatePropagation;
  Event.prototype.stopImmediatePropagation = function stopImmediatePropagation(this: Event): void {
    if (this.isTrusted && this instanceof MouseEvent) heldBack = true;
    stop.call(this);
  };
}
