/** Whether an element is acted on, by all that is known of it and of what is around it. */
import { delegates } from './delegate.ts';
import { type Basis, type Found, isStrong, type Judgement } from './found.ts';
import { isDraggable, isDropTarget, isFocusTarget, isSliderHandle, judgeNative, judgeRole } from './judge.ts';
import {
  clientHeight,
  clientWidth,
  firstElementChild,
  hasAttribute,
  hasAttributes,
  labelControl,
  localName,
  queryAllIn,
  scrollHeight,
  scrollWidth,
  textContent,
} from './native.ts';
import type { Reading } from './reading.ts';
import type { Section } from './section.ts';
import { isShape, SHAPES } from './shape.ts';

/** What an element takes over from those around it. */
export interface Scope {
  readonly section: Section;
  readonly around: Found | null;
  /** The cursor says "can be clicked" already outside, so it says nothing about the element itself. */
  readonly pointer: boolean;
  readonly holding: boolean;
  readonly ariaHidden: boolean;
  readonly editing: boolean;
  /** Something around handles presses. */
  readonly handled: boolean;
}

/** What the walk sees of an element before it is judged. */
export interface Look {
  readonly element: Element;
  readonly tag: string;
  readonly role: string | null;
  readonly className: string | null;
  readonly style: CSSStyleDeclaration;
  /** Whether it has any attribute at all. */
  readonly attributes: boolean;
  readonly pointer: boolean;
  readonly holding: boolean;
  readonly ariaHidden: boolean;
  readonly editing: boolean;
}

const MOST_SHAPES = 300;
const MEDIA = new Set(['video', 'audio']);

/** Judges the elements of one observation in document order; remembers what containers handle for. */
export class Judge {
  readonly #reading: Reading;
  readonly #chosen = new Map<Element, Basis>();

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** @returns null when it is not acted on */
  judge(look: Look, scope: Scope): Judgement | null {
    const { element, tag, role, className, attributes } = look;
    if (!attributes) return this.#judgeBare(look, scope);
    const strong = this.#strong(element, tag, role, className, scope, look.editing);
    if (strong !== null) return strong;
    const focusable = hasAttribute(element, 'tabindex');
    if (look.ariaHidden && !focusable && !this.#chosen.has(element)) return null;
    if (scope.editing) return null;
    return this.#weak(look, scope);
  }

  /** By handlers, drag and drop, focus, cursor, scrolling. */
  #weak(look: Look, scope: Scope): Judgement | null {
    const { element, tag, role, className, style } = look;
    if (tag === 'label' && element instanceof HTMLLabelElement && labelControl(element) !== null) return null;
    const handlers = this.#reading.handlers.get(element);
    const inline = hasAttribute(element, 'onclick') || hasAttribute(element, 'onmousedown');
    if (tag === 'canvas')
      return canvas(handlers !== undefined || inline || look.pointer || this.#isSurface(scope));
    if (isDropTarget(className)) return button('target');
    if (isDraggable(element, className)) return button('drag');
    if (handlers?.hold && !handlers.click && isShape(tag)) return button('drag');
    if (tag === 'svg') this.#chooseTargets(element);
    if (handlers?.press || inline) {
      const parts = delegates(element, tag, look.pointer);
      if (parts === null) return button('handler');
      for (const part of parts) if (!this.#chosen.has(part)) this.#chosen.set(part, 'child');
      if (tag === 'svg') return { basis: 'handler', letter: 'B', control: 'canvas' };
    }
    const chosen = this.#chosen.get(element);
    if (chosen !== undefined) return button(chosen);
    if (handlers?.drag || (look.holding && !scope.holding)) return button('drag');
    const isPart = scope.handled && scope.around?.basis !== 'drag' && isPartToPress(element, tag, className);
    if (isPart && !isInsideStrong(scope)) return button('child');
    if (isFocusTarget(element, role)) return button(isScrollable(element, tag, style) ? 'scroll' : 'focus');
    if (look.pointer && !scope.pointer && !isInsideStrong(scope)) return this.#pointed(element, tag);
    if (handlers?.hover || this.#reading.sheets.opensOnHover(element)) return button('hover');
    if (handlers?.move) return button('hover');
    return isScrollable(element, tag, style) ? button('scroll') : null;
  }

  /** Most elements have no attribute, and few of those do anything. */
  #judgeBare(look: Look, scope: Scope): Judgement | null {
    const { element, tag, style } = look;
    const strong = this.#strong(element, tag, null, null, scope, look.editing);
    if (strong !== null) return strong;
    if (scope.editing || (look.ariaHidden && !this.#chosen.has(element))) return null;
    const handlers = this.#reading.handlers.get(element);
    if (handlers !== undefined || tag === 'canvas' || tag === 'svg' || tag === 'label')
      return this.#weak(look, scope);
    const chosen = this.#chosen.get(element);
    if (chosen !== undefined) return button(chosen);
    if (look.holding && !scope.holding) return button('drag');
    if (scope.handled && tag === 'a' && !isInsideStrong(scope)) return button('child');
    if (look.pointer && !scope.pointer && !isInsideStrong(scope)) return this.#pointed(element, tag);
    if (this.#reading.sheets.opensOnHover(element)) return button('hover');
    return isScrollable(element, tag, style) ? button('scroll') : null;
  }

  /** Natives, roles, editable regions and sliders: what says itself what it is. */
  #strong(
    element: Element,
    tag: string,
    role: string | null,
    className: string | null,
    scope: Scope,
    editing: boolean,
  ): Judgement | null {
    const native = judgeNative(element, tag);
    if (native !== null) return scope.editing && tag === 'a' ? null : native;
    if (editing && !scope.editing) return { basis: 'control', letter: 'I', control: 'contenteditable' };
    if (isSliderHandle(className)) return { basis: 'role', letter: 'I', control: 'slider' };
    return role === null ? null : judgeRole(role);
  }

  /** Where some shapes of a drawing are dragged, the others are where they are dragged to. */
  #chooseTargets(drawing: Element): void {
    const shapes = Array.from(queryAllIn(drawing, SHAPES));
    const isDragged = (shape: Element) => {
      const handlers = this.#reading.handlers.get(shape);
      return handlers?.hold === true && !handlers.click;
    };
    if (shapes.length <= MOST_SHAPES && shapes.some(isDragged))
      for (const shape of shapes) if (localName(shape) !== 'text') this.#chosen.set(shape, 'target');
  }

  /** A pointer over a whole list means its entries. */
  #pointed(element: Element, tag: string): Judgement | null {
    const parts = /^(ul|ol|table|tbody|svg)$/.test(tag) ? delegates(element, tag, true) : null;
    if (parts === null) return button('cursor');
    for (const part of parts) this.#chosen.set(part, 'child');
    return null;
  }

  /** Whether the nearest box around reacts to presses: then a canvas in it is drawn on. */
  #isSurface(scope: Scope): boolean {
    return scope.around?.basis === 'handler';
  }
}

const button = (basis: Basis): Judgement => ({ basis, letter: 'B', control: 'click' });
const canvas = (drawn: boolean): Judgement | null =>
  drawn ? { basis: 'handler', letter: 'B', control: 'canvas' } : null;

/** In a box that handles presses: a link without an address, an icon that only a class draws. */
function isPartToPress(element: Element, tag: string, className: string | null): boolean {
  if (tag === 'a') return true;
  if ((tag !== 'i' && tag !== 'span') || className === null || className === '') return false;
  return firstElementChild(element) === null && (textContent(element) ?? '').trim() === '';
}

const isInsideStrong = (scope: Scope): boolean => scope.around !== null && isStrong(scope.around);

const SCROLLS = /auto|scroll|overlay/;

function isScrollable(element: Element, tag: string, style: CSSStyleDeclaration): boolean {
  if (MEDIA.has(tag) || firstElementChild(element) === null) {
    if (!hasAttributes(element)) return false;
  } else if (!hasAttributes(element) && !/^(main|section|article|aside|nav|ul|ol|pre|table|div)$/.test(tag))
    return false;
  const vertical = SCROLLS.test(style.overflowY) && scrollHeight(element) > clientHeight(element) + 2;
  if (vertical) return clientHeight(element) > 12;
  return (
    SCROLLS.test(style.overflowX) &&
    scrollWidth(element) > clientWidth(element) + 2 &&
    clientWidth(element) > 12
  );
}
