/** The mouse during a drag. Works for pages that follow the mouse, and for the browser's own drag and drop. */

import type { Deadline } from '../../../domain/ports/clock.ts';
import { raceDeadline, shortenDeadline } from '../../cdp/cdpChannel.ts';
import type { IsolatedWorld } from '../../cdp/isolatedWorld.ts';
import type { Tab } from '../../tab/tab.ts';
import type { ElementContext } from '../element/elementContext.ts';
import { scrollIntoView } from '../ready/whenReady.ts';
import { boundingBox, MOUSE_STEPS, type Point, viewportPoint } from './geometry.ts';
import type { Modifier } from './pointerTargets.ts';

/** Returns true for siblings of one tag and size: the drag probably sorts them. */
export async function areSortableSiblings(source: ElementContext, target: ElementContext): Promise<boolean> {
  if (source.world.context.uniqueId !== target.world.context.uniqueId) return false;
  return source.world.callAgent('areSortableSiblings', source.listed.key, target.listed.key);
}

/** Distance between the middle of the target and the end of the drag, as a fraction of the target's width or height. */
const OVERSHOOT = 0.25;

/** A drag of an entry of a list onto another entry. */
export interface SortingDrag {
  /** From the middle of the dragged entry to the middle of the target, before the press. CSS pixels. */
  readonly distance: Point;
  /** The entry whose position it takes. */
  readonly target: ElementContext;
}

/** Moves past the middle of the target, where sortable lists insert an item: first up or down, then along the row, as grids are ordered. */
export async function dragPastSibling(
  pointer: DragPointer,
  { distance, target }: SortingDrag,
  from: Point,
): Promise<void> {
  await scrollIntoView(target);
  const box = await boundingBox(target);
  const middle = await viewportPoint(target, null);
  // A coordinate in which both are alike stays that of the pointer, which can be on a handle at the edge.
  const end = (side: number, to: number, way: number, now: number) =>
    Math.abs(way) < side / 4 ? now : to + Math.sign(way) * side * OVERSHOOT;
  const x = end(box.width, middle.x, distance.x, from.x);
  const y = end(box.height, middle.y, distance.y, from.y);
  await pointer.moveAlong({ x: from.x, y }, MOUSE_STEPS, target.world);
  if (x !== from.x) await pointer.moveAlong({ x, y }, MOUSE_STEPS, target.world);
}

/** Maximum wait for the page to handle one event of the mouse: a page that is busy longer gets the next one anyway. */
const EVENT_TIMEOUT_MS = 1_000;
const FRAME_TIMEOUT_MS = 50;
/** Number of frames for which the pointer rests before the button is released: a movement up to the release counts as a throw. */
const REST_FRAMES = 6;
/** Maximum wait for the animations of a list whose items make room. */
const REST_TIMEOUT_MS = 600;

/** The data that a page drags, as CDP's `Input.DragData`. */
interface DragData {
  items: { mimeType: string; data: string; title?: string; baseURL?: string }[];
  files?: string[];
  dragOperationsMask: number;
}

/** How a drag is performed: with which keys held, and whether with a finger. */
export interface DragOptions {
  /** The keys that are held. */
  readonly modifiers?: readonly Modifier[];
  /** True to drag with a finger, for pages that take no mouse. */
  readonly touch?: boolean;
}

/** The bits of the modifier keys in mouse events of CDP. */
const MODIFIER_BITS: Readonly<Record<Modifier, number>> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };

/** The mouse; from the moment that Chromium reports a drag and drop, the page gets drag events instead. */
export class DragPointer {
  readonly #tab: Tab;
  readonly #deadline: Deadline;
  readonly #modifiers: number;
  readonly #touch: boolean;
  /** The data that the page drags by drag and drop; null while it only receives mouse events. */
  #data: DragData | null = null;
  /** True when the page has received the first event of the drag and drop. */
  #hasEntered = false;
  #pressed = false;
  readonly #started = Promise.withResolvers<void>();
  #at: Point = { x: 0, y: 0 };
  readonly #onDragStart = ({ data }: { data: DragData }): void => {
    this.#data = data;
    this.#started.resolve();
  };

  private constructor(tab: Tab, { modifiers = [], touch = false }: DragOptions, deadline: Deadline) {
    this.#tab = tab;
    this.#deadline = deadline;
    this.#touch = touch;
    this.#modifiers = modifiers.reduce((bits, key) => bits | MODIFIER_BITS[key], 0);
  }

  /** Runs a drag with a pointer, whose button is released at the end. */
  static async use(
    tab: Tab,
    options: DragOptions,
    deadline: Deadline,
    drag: (pointer: DragPointer) => Promise<void>,
  ): Promise<void> {
    const pointer = new DragPointer(tab, options, deadline);
    const { channel } = tab.target;
    channel.session.on('Input.dragIntercepted', pointer.#onDragStart);
    try {
      await channel.send('Input.setInterceptDrags', { enabled: true }, deadline);
      await drag(pointer);
    } finally {
      await pointer.#release().catch(() => {});
      channel.session.off('Input.dragIntercepted', pointer.#onDragStart);
      channel.sendNoReply('Input.setInterceptDrags', { enabled: false });
    }
  }

  /** Presses the button at the point of the viewport to which the pointer has moved. */
  async press(): Promise<void> {
    this.#pressed = true;
    await this.#mouse('mousePressed');
  }

  /** Moves the pointer in a straight line to a point of the viewport, one movement in each frame of the page. */
  async moveAlong(to: Point, steps: number, world: IsolatedWorld): Promise<void> {
    const from = this.#at;
    for (let step = 1; step <= steps; step++) {
      const part = step / steps;
      await this.moveTo({ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part });
      if (this.#data !== null) await this.#frames(world, 1, FRAME_TIMEOUT_MS);
    }
  }

  async moveTo(to: Point): Promise<void> {
    this.#at = to;
    if (this.#data === null) await this.#mouse('mouseMoved');
    if (this.#data === null) return;
    if (!this.#hasEntered) await this.#dragAndDrop('dragEnter');
    this.#hasEntered = true;
    await this.#dragAndDrop('dragOver');
  }

  /** Rests with a small movement: a list whose items move ignores the pointer, and takes its position from the next movement. */
  async rest(world: IsolatedWorld): Promise<void> {
    const { x, y } = this.#at;
    for (const offset of [1, 0]) {
      await this.#frames(world, REST_FRAMES / 2, REST_TIMEOUT_MS);
      await this.moveTo({ x: x + offset, y });
    }
    await this.#frames(world, REST_FRAMES, REST_TIMEOUT_MS);
  }

  async #release(): Promise<void> {
    if (!this.#pressed) return;
    if (this.#data === null) await this.#mouse('mouseReleased');
    else await this.#dragAndDrop('drop');
  }

  /** Sends a mouse event; waits until the page has handled it, or starts its own drag and drop, in which it handles no more of them. */
  #mouse(type: 'mouseMoved' | 'mousePressed' | 'mouseReleased'): Promise<void> {
    if (this.#touch) return this.#finger(type);
    const { x, y } = this.#at;
    const buttons = this.#pressed && type !== 'mouseReleased' ? 1 : 0;
    const button = this.#pressed ? 'left' : 'none';
    const clickCount = type === 'mouseMoved' ? 0 : 1;
    return this.#send(
      this.#tab.target.channel.session.send('Input.dispatchMouseEvent', {
        ...{ type, x, y, button, buttons, clickCount, modifiers: this.#modifiers },
      }),
    );
  }

  /** Sends what a finger does in place of the mouse, which does nothing before it presses. */
  #finger(type: 'mouseMoved' | 'mousePressed' | 'mouseReleased'): Promise<void> {
    if (!this.#pressed) return Promise.resolve();
    const touch = { mousePressed: 'touchStart', mouseMoved: 'touchMove', mouseReleased: 'touchEnd' } as const;
    return this.#send(
      this.#tab.target.channel.session.send('Input.dispatchTouchEvent', {
        type: touch[type],
        touchPoints: type === 'mouseReleased' ? [] : [this.#at],
        modifiers: this.#modifiers,
      }),
    );
  }

  #dragAndDrop(type: 'dragEnter' | 'dragOver' | 'drop'): Promise<void> {
    const { x, y } = this.#at;
    const data = this.#data;
    if (data === null) return Promise.resolve();
    return this.#send(
      this.#tab.target.channel.session.send('Input.dispatchDragEvent', {
        ...{ type, x, y, data, modifiers: this.#modifiers },
      }),
      type,
    );
  }

  async #send(answer: Promise<unknown>, dragEvent?: string): Promise<void> {
    using timeout = shortenDeadline(this.#deadline, EVENT_TIMEOUT_MS);
    const handled = answer.then(() => {});
    const done = dragEvent === undefined ? Promise.race([handled, this.#started.promise]) : handled;
    await raceDeadline(done, timeout).catch(error => {
      if (this.#deadline.signal.aborted || !timeout.signal.aborted) throw error;
    });
  }

  /** Waits for frames of the page and its animations; a page whose scripts are busy is not waited for. */
  async #frames(world: IsolatedWorld, count: number, timeoutMs: number): Promise<void> {
    using timeout = shortenDeadline(this.#deadline, EVENT_TIMEOUT_MS);
    await raceDeadline(world.callAgent('waitForRest', count, timeoutMs), timeout).catch(error => {
      if (this.#deadline.signal.aborted || !timeout.signal.aborted) throw error;
    });
  }
}
