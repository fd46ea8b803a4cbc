/** One pass over the document, shadow trees included, in document order: what may be acted on, and the frames. */
import { delegates } from './delegate.ts';
import { type Basis, type Found, isStrong, type Judgement } from './found.ts';
import {
  isDraggable,
  isDropTarget,
  isEditingHost,
  isFocusTarget,
  isHoldingCursor,
  isSliderHandle,
  judgeNative,
  judgeRole,
} from './judge.ts';
import {
  bodyOf,
  clientHeight,
  clientWidth,
  documentElement,
  firstElementChild,
  firstElementOfFragment,
  getAttribute,
  hasAttribute,
  hasAttributes,
  inputType,
  isContentEditable,
  labelControl,
  labelsOf,
  localName,
  nextElementSibling,
  queryAllDocument,
  queryAllIn,
  scrollHeight,
  scrollWidth,
  textContent,
} from './native.ts';
import { type Reading, shadowRootOf } from './reading.ts';
import { roleOf, writtenRole } from './roles.ts';
import { pageSection, type Section, sectionAt } from './section.ts';
import { isShape, SHAPES } from './shape.ts';

export interface FoundFrame {
  readonly element: Element;
  /** Found elements before it. */
  readonly before: number;
  readonly section: Section;
  readonly heading: Element | null;
  readonly hidden: boolean;
}

export interface Walked {
  readonly found: readonly Found[];
  readonly frames: readonly FoundFrame[];
}

/** What an element takes over from those around it. */
interface Scope {
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

const SKIPPED = new Set(
  'script style noscript template head meta link title br base option optgroup source track param wbr col colgroup defs'.split(
    ' ',
  ),
);
/** Elements beyond this many are not looked at: no page for people has them. */
const MOST_ELEMENTS = 250_000;
const MOST_SHAPES = 300;
const MEDIA = new Set(['video', 'audio']);

/** @returns what was found; nothing outside an open modal dialog */
export function walk(reading: Reading): Walked {
  const walker = new Walker(reading);
  const modal = Array.from(queryAllDocument(document, ':modal')).at(-1);
  const start = modal ?? documentElement(document);
  if (start !== null) walker.run(start, modal !== undefined);
  return { found: walker.found, frames: walker.frames };
}

class Walker {
  readonly found: Found[] = [];
  readonly frames: FoundFrame[] = [];
  readonly #reading: Reading;
  readonly #chosen = new Map<Element, Basis>();
  readonly #roots: ReadonlySet<Element | null>;

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#roots = new Set([documentElement(document), bodyOf(document)]);
  }

  run(start: Element, alone: boolean): void {
    const elements: Element[] = [start];
    const scopes: Scope[] = [
      {
        section: pageSection(),
        around: null,
        pointer: false,
        holding: false,
        ariaHidden: false,
        editing: false,
        handled: false,
      },
    ];
    for (let left = MOST_ELEMENTS; left > 0; left--) {
      const element = elements.pop();
      const scope = scopes.pop();
      if (element === undefined || scope === undefined) return;
      if (element !== start || !alone) {
        const next = nextElementSibling(element);
        if (next !== null) {
          elements.push(next);
          scopes.push(scope);
        }
      }
      const inner = this.#visitSafely(element, scope);
      if (inner === null) continue;
      const first = firstElementChild(element);
      if (first !== null) {
        elements.push(first);
        scopes.push(inner);
      }
      const root = shadowRootOf(element);
      const firstInRoot = root === null ? null : firstElementOfFragment(root);
      if (firstInRoot !== null) {
        elements.push(firstInRoot);
        scopes.push(inner);
      }
    }
  }

  #visitSafely(element: Element, scope: Scope): Scope | null {
    try {
      return this.#visit(element, scope);
    } catch {
      // One broken element must not cost the page.
      return null;
    }
  }

  /** @returns the scope of what is inside; null to leave it out */
  #visit(element: Element, scope: Scope): Scope | null {
    const tag = localName(element);
    if (SKIPPED.has(tag)) return null;
    const style = getComputedStyle(element);
    const attributes = hasAttributes(element);
    const hasChildren = firstElementChild(element) !== null || shadowRootOf(element) !== null;
    if (attributes || hasChildren || tag === 'button' || tag === 'input') {
      const { display } = style;
      if (display === 'none' || display === '') {
        this.#keepUnrendered(element, tag, scope, style);
        return null;
      }
      if (attributes && hasAttribute(element, 'inert')) return null;
    }
    if (tag === 'iframe' || tag === 'frame') {
      this.#keepFrame(element, scope, style);
      return null;
    }
    const role = attributes ? writtenRole(element) : null;
    const className = attributes ? getAttribute(element, 'class') : null;
    const section = hasChildren ? sectionAt(element, tag, role, className, scope.section) : null;
    if (isHeading(tag, role)) scope.section.heading = element;
    const pointer = style.cursor === 'pointer';
    const holding = !pointer && style.cursor !== 'auto' && isHoldingCursor(style.cursor);
    const ariaHidden = scope.ariaHidden || (attributes && getAttribute(element, 'aria-hidden') === 'true');
    const editing =
      scope.editing || (attributes && isEditingHost(element) && isContentEditable(element as HTMLElement));
    const judgement = this.#judge(element, tag, role, className, style, scope, {
      pointer,
      holding,
      ariaHidden,
      editing,
    });
    let around = scope.around;
    if (judgement !== null)
      around = this.#keep(element, tag, judgement, section ?? scope.section, scope, style, pointer, false);
    const handled =
      scope.handled || (!this.#roots.has(element) && this.#reading.handlers.get(element)?.press === true);
    if (
      section === null &&
      handled === scope.handled &&
      around === scope.around &&
      pointer === scope.pointer &&
      holding === scope.holding
    )
      if (ariaHidden === scope.ariaHidden && editing === scope.editing) return scope;
    // A pointer set on the whole page says nothing about any part of it; taken over, it is not looked at again.
    return { section: section ?? scope.section, around, pointer, holding, ariaHidden, editing, handled };
  }

  #judge(
    element: Element,
    tag: string,
    role: string | null,
    className: string | null,
    style: CSSStyleDeclaration,
    scope: Scope,
    own: { pointer: boolean; holding: boolean; ariaHidden: boolean; editing: boolean },
  ): Judgement | null {
    if (this.#roots.has(element)) return null;
    const strong = this.#strong(element, tag, role, className, scope, own.editing);
    if (strong !== null) return strong;
    const focusable = hasAttribute(element, 'tabindex');
    if (own.ariaHidden && !focusable && !this.#chosen.has(element)) return null;
    if (scope.editing) return null;
    if (tag === 'label' && element instanceof HTMLLabelElement && labelControl(element) !== null) return null;
    const handlers = this.#reading.handlers.get(element);
    const inline = hasAttribute(element, 'onclick') || hasAttribute(element, 'onmousedown');
    if (tag === 'canvas')
      return canvas(handlers !== undefined || inline || own.pointer || this.#isSurface(scope));
    if (isDropTarget(className)) return button('target');
    if (isDraggable(element, className)) return button('drag');
    if (handlers?.hold && !handlers.click && isShape(tag)) return button('drag');
    if (tag === 'svg') this.#chooseTargets(element);
    if (handlers?.press || inline) {
      const parts = delegates(element, tag, own.pointer);
      if (parts === null) return button('handler');
      for (const part of parts) if (!this.#chosen.has(part)) this.#chosen.set(part, 'child');
      if (tag === 'svg') return { basis: 'handler', letter: 'B', control: 'canvas' };
    }
    const chosen = this.#chosen.get(element);
    if (chosen !== undefined) return button(chosen);
    if (handlers?.drag || isDraggable(element, className) || (own.holding && !scope.holding))
      return button('drag');
    if (scope.handled && isPartToPress(element, tag, className) && !isInsideStrong(scope))
      return button('child');
    if (focusable && isFocusTarget(element, role)) return button('focus');
    if (own.pointer && !scope.pointer && !isInsideStrong(scope)) return this.#pointed(element, tag);
    if (handlers?.hover || this.#reading.sheets.opensOnHover(element)) return button('hover');
    if (handlers?.move) return button('hover');
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

  #keep(
    element: Element,
    tag: string,
    judgement: Judgement,
    section: Section,
    scope: Scope,
    style: CSSStyleDeclaration,
    pointer: boolean,
    unrendered: boolean,
  ): Found {
    const found: Found = {
      ...judgement,
      element,
      tag,
      role: judgement.control === 'contenteditable' ? 'textbox' : roleOf(element, tag),
      style,
      section,
      heading: section.heading,
      around: scope.around,
      inside: 0,
      unrendered,
      hovers: judgement.basis === 'hover',
      pointer,
    };
    for (let outer = scope.around; outer !== null; outer = outer.around) outer.inside++;
    this.found.push(found);
    return found;
  }

  /** Boxes to tick that their label stands for, and file inputs behind a button, are usable though not rendered. */
  #keepUnrendered(element: Element, tag: string, scope: Scope, style: CSSStyleDeclaration): void {
    if (tag === 'input') this.#keepUnrenderedInput(element, tag, scope, style);
    else if (firstElementChild(element) !== null && (textContent(element) ?? '').trim() === '') {
      const inputs = Array.from(queryAllIn(element, 'input[type=file]'));
      if (inputs.length === 1 && inputs[0] !== undefined)
        this.#keepUnrenderedInput(inputs[0], 'input', scope, getComputedStyle(inputs[0]));
    }
  }

  #keepUnrenderedInput(element: Element, tag: string, scope: Scope, style: CSSStyleDeclaration): void {
    if (!(element instanceof HTMLInputElement)) return;
    const type = inputType(element);
    const judgement = judgeNative(element, tag);
    if (judgement === null) return;
    const byLabel = (type === 'checkbox' || type === 'radio') && labelsOf(element).length > 0;
    if (type === 'file' || byLabel)
      this.#keep(element, tag, judgement, scope.section, scope, style, false, true);
  }

  #keepFrame(element: Element, scope: Scope, style: CSSStyleDeclaration): void {
    this.frames.push({
      element,
      before: this.found.length,
      section: scope.section,
      heading: scope.section.heading,
      hidden: style.visibility !== 'visible' || scope.ariaHidden,
    });
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

const isHeading = (tag: string, role: string | null): boolean =>
  role === null ? /^h[1-6]$/.test(tag) : role === 'heading';

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
