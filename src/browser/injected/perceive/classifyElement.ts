/** Whether an element is acted on, by all that is known of it and of what is around it. */

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
} from '../dom/domGetters.ts';
import { type Candidate, type Classification, type ClassificationBasis, isExplicit } from './candidate.ts';
import {
  classifyNative,
  classifyRole,
  isDraggable,
  isDropTarget,
  isFocusTarget,
  isSliderHandle,
} from './classifyNative.ts';
import { delegationTargets } from './eventDelegation.ts';
import type { ObservationContext } from './observationContext.ts';
import type { Section } from './section.ts';
import { isShape, SHAPE_SELECTOR } from './svgShape.ts';

/** What an element takes over from those around it. */
export interface InheritedContext {
  readonly section: Section;
  readonly around: Candidate | null;
  /** The cursor says "can be clicked" already outside, so it says nothing about the element itself. */
  readonly pointer: boolean;
  readonly holding: boolean;
  readonly ariaHidden: boolean;
  readonly editing: boolean;
  /** Something around handles presses. */
  readonly handled: boolean;
}

/** What the walk sees of an element before it is judged. */
export interface ElementTraits {
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

const MAX_SHAPES = 300;
const MEDIA = new Set(['video', 'audio']);

/** Judges the elements of one observation in document order; remembers what containers handle for. */
export class ElementClassifier {
  readonly #reading: ObservationContext;
  readonly #delegated = new Map<Element, ClassificationBasis>();

  constructor(reading: ObservationContext) {
    this.#reading = reading;
  }

  /** @returns null when it is not acted on */
  classify(look: ElementTraits, scope: InheritedContext): Classification | null {
    const { element, tag, role, className, attributes } = look;
    if (!attributes) return this.#classifyWithoutAttributes(look, scope);
    const strong = this.#classifyExplicit(element, tag, role, className, scope, look.editing);
    if (strong !== null) return strong;
    const focusable = hasAttribute(element, 'tabindex');
    if (look.ariaHidden && !focusable && !this.#delegated.has(element)) return null;
    if (scope.editing) return null;
    return this.#classifyByBehavior(look, scope);
  }

  /** By handlers, drag and drop, focus, cursor, scrolling. */
  #classifyByBehavior(look: ElementTraits, scope: InheritedContext): Classification | null {
    const { element, tag, role, className, style } = look;
    if (tag === 'label' && element instanceof HTMLLabelElement && labelControl(element) !== null) return null;
    const handlers = this.#reading.handlers.get(element);
    const inline = hasAttribute(element, 'onclick') || hasAttribute(element, 'onmousedown');
    if (tag === 'canvas')
      return canvas(handlers !== undefined || inline || look.pointer || this.#isDrawingSurface(scope));
    if (isDropTarget(className)) return button('target');
    if (isDraggable(element, className)) return button('drag');
    if (handlers?.hold && !handlers.click && isShape(tag)) return button('drag');
    if (tag === 'svg') this.#chooseDropTargets(element);
    if (handlers?.press || inline) {
      const parts = delegationTargets(element, tag, look.pointer);
      if (parts === null) return button('handler');
      for (const part of parts) if (!this.#delegated.has(part)) this.#delegated.set(part, 'child');
      if (tag === 'svg') return { basis: 'handler', letter: 'B', control: 'canvas' };
    }
    const chosen = this.#delegated.get(element);
    if (chosen !== undefined) return button(chosen);
    if (handlers?.drag || (look.holding && !scope.holding)) return button('drag');
    const isPart =
      scope.handled && scope.around?.basis !== 'drag' && isPressablePart(element, tag, className);
    if (isPart && !isInsideExplicit(scope)) return button('child');
    if (isFocusTarget(element, role)) return button(isScrollable(element, tag, style) ? 'scroll' : 'focus');
    if (look.pointer && !scope.pointer && !isInsideExplicit(scope))
      return this.#classifyByCursor(element, tag);
    if (handlers?.hover || this.#reading.sheets.opensOnHover(element)) return button('hover');
    if (handlers?.move) return button('hover');
    return isScrollable(element, tag, style) ? button('scroll') : null;
  }

  /** Most elements have no attribute, and few of those do anything. */
  #classifyWithoutAttributes(look: ElementTraits, scope: InheritedContext): Classification | null {
    const { element, tag, style } = look;
    const strong = this.#classifyExplicit(element, tag, null, null, scope, look.editing);
    if (strong !== null) return strong;
    if (scope.editing || (look.ariaHidden && !this.#delegated.has(element))) return null;
    const handlers = this.#reading.handlers.get(element);
    if (handlers !== undefined || tag === 'canvas' || tag === 'svg' || tag === 'label')
      return this.#classifyByBehavior(look, scope);
    const chosen = this.#delegated.get(element);
    if (chosen !== undefined) return button(chosen);
    if (look.holding && !scope.holding) return button('drag');
    if (scope.handled && tag === 'a' && !isInsideExplicit(scope)) return button('child');
    if (look.pointer && !scope.pointer && !isInsideExplicit(scope))
      return this.#classifyByCursor(element, tag);
    if (this.#reading.sheets.opensOnHover(element)) return button('hover');
    return isScrollable(element, tag, style) ? button('scroll') : null;
  }

  /** Natives, roles, editable regions and sliders: what says itself what it is. */
  #classifyExplicit(
    element: Element,
    tag: string,
    role: string | null,
    className: string | null,
    scope: InheritedContext,
    editing: boolean,
  ): Classification | null {
    const native = classifyNative(element, tag);
    if (native !== null) return scope.editing && tag === 'a' ? null : native;
    if (editing && !scope.editing) return { basis: 'control', letter: 'I', control: 'contenteditable' };
    if (isSliderHandle(className)) return { basis: 'role', letter: 'I', control: 'slider' };
    return role === null ? null : classifyRole(role);
  }

  /** Where some shapes of a drawing are dragged, the others are where they are dragged to. */
  #chooseDropTargets(drawing: Element): void {
    const shapes = Array.from(queryAllIn(drawing, SHAPE_SELECTOR));
    const isDragged = (shape: Element) => {
      const handlers = this.#reading.handlers.get(shape);
      return handlers?.hold === true && !handlers.click;
    };
    if (shapes.length <= MAX_SHAPES && shapes.some(isDragged))
      for (const shape of shapes) if (localName(shape) !== 'text') this.#delegated.set(shape, 'target');
  }

  /** A pointer over a whole list means its entries. */
  #classifyByCursor(element: Element, tag: string): Classification | null {
    const parts = /^(ul|ol|table|tbody|svg)$/.test(tag) ? delegationTargets(element, tag, true) : null;
    if (parts === null) return button('cursor');
    for (const part of parts) this.#delegated.set(part, 'child');
    return null;
  }

  /** Whether the nearest box around reacts to presses: then a canvas in it is drawn on. */
  #isDrawingSurface(scope: InheritedContext): boolean {
    return scope.around?.basis === 'handler';
  }
}

const button = (basis: ClassificationBasis): Classification => ({ basis, letter: 'B', control: 'click' });
const canvas = (drawn: boolean): Classification | null =>
  drawn ? { basis: 'handler', letter: 'B', control: 'canvas' } : null;

/** In a box that handles presses: a link without an address, an icon that only a class draws. */
function isPressablePart(element: Element, tag: string, className: string | null): boolean {
  if (tag === 'a') return true;
  if ((tag !== 'i' && tag !== 'span') || className === null || className === '') return false;
  return firstElementChild(element) === null && (textContent(element) ?? '').trim() === '';
}

const isInsideExplicit = (scope: InheritedContext): boolean =>
  scope.around !== null && isExplicit(scope.around);

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
