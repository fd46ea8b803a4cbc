/** Decides whether an element is interactive, from its own traits and from its ancestors. */

import {
  boxOf,
  firstElementChild,
  getAttribute,
  hasAttribute,
  localName,
  nextElementSibling,
  parentElement,
  previousElementSibling,
  queryAllIn,
  queryIn,
  textContent,
} from '../../dom/domGetters.ts';
import { DRAWN_TICKS, EDITABLE, FIELDS } from '../../dom/vocabulary.ts';
import { type Candidate, type Classification, type ClassificationBasis, isExplicit } from '../candidate.ts';
import { isScrollable, isShape, SHAPE_SELECTOR } from '../element/box.ts';
import { hasEditContext } from '../element/fields.ts';
import type { Section } from '../name/section.ts';
import { findWeekColumn, isCalendarDay } from '../name/weekColumns.ts';
import type { HandlerKinds, ObservationContext } from '../observationContext.ts';
import { delegationTargets, draggedEntries, wheelEntries } from './eventDelegation.ts';
import {
  isDraggable,
  isDropTarget,
  isFocusTarget,
  isResizeCursor,
  isSliderHandle,
} from './interactionHints.ts';
import { button, classifyNative, classifyRole } from './nativeControl.ts';

/** Sizes of an icon that a pointer presses. CSS pixels. */
const [MIN_PX, MAX_PX] = [8, 48];
const OPENED_FIELDS = `${FIELDS}, [role=combobox], ${EDITABLE}`;

/** Returns true for an icon with handlers that only screen readers do not find: the button of a filter in a grid's header. */
export function isIconForPointer(
  { element, pointer }: { readonly element: Element; readonly pointer: boolean },
  { handlers }: ObservationContext,
): boolean {
  if (!pointer || handlers.get(element)?.click !== true) return false;
  if (getAttribute(element, 'aria-hidden') !== 'true' || /\S/.test(textContent(element) ?? '')) return false;
  const { width, height } = boxOf(element);
  if (Math.min(width, height) < MIN_PX || Math.max(width, height) > MAX_PX) return false;
  // The arrow beside a field opens what a press on the field opens.
  const parent = parentElement(element);
  return parent !== null && queryIn(parent, OPENED_FIELDS) === null;
}

export interface InheritedContext {
  readonly section: Section;
  readonly ancestor: Candidate | null;
  /** True when the parent already has a pointer cursor: then the cursor does not show that the element itself is interactive. */
  readonly pointer: boolean;
  /** True when the parent already has a drag cursor: then the cursor does not show that the element itself can be dragged. */
  readonly dragCursor: boolean;
  readonly ariaHidden: boolean;
  /** True when an ancestor is an editable region. */
  readonly editing: boolean;
  /** True when an ancestor has a handler of presses (clicks, or mouse, pen or touch buttons). */
  readonly handled: boolean;
}

export interface ElementTraits {
  readonly element: Element;
  readonly tag: string;
  readonly role: string | null;
  readonly className: string | null;
  readonly style: CSSStyleDeclaration;
  readonly hasAttributes: boolean;
  /** True when the cursor over the element is `pointer` (a hand). */
  readonly pointer: boolean;
  /** True when the cursor over the element shows that it can be dragged. */
  readonly dragCursor: boolean;
  readonly ariaHidden: boolean;
  /** True when the element or an ancestor is an editable region. */
  readonly editing: boolean;
}

/** An element that neither the browser nor a role makes interactive, and what handles its events. */
interface Behavior extends ElementTraits {
  readonly inherited: InheritedContext;
  readonly handlers: HandlerKinds | undefined;
  /** True if attributes of the element handle presses. */
  readonly isInline: boolean;
  /** True if the element handles the press of a button or a finger, and no clicks. */
  readonly isHeld: boolean;
}

/** Returns null for an element that is not listed; undefined to leave the decision to the rules after this one. */
type BehaviorRule = (behavior: Behavior, classifier: ElementClassifier) => Classification | null | undefined;

/** Maximum number of shapes in a drawing that is searched for drop targets. */
const MAX_SHAPES = 300;

/** Classifies the elements in document order: a container marks its entries before they are classified. */
export class ElementClassifier {
  readonly #context: ObservationContext;
  /** The elements that an ancestor has marked as interactive, each with the reason. */
  readonly #delegated = new Map<Element, ClassificationBasis>();

  constructor(context: ObservationContext) {
    this.#context = context;
  }

  classify(traits: ElementTraits, inherited: InheritedContext): Classification | null {
    if (this.#context.rootHold) this.#markDragged(traits.element, traits.tag);
    if (!traits.hasAttributes) return this.#classifyWithoutAttributes(traits, inherited);
    const { element } = traits;
    const explicit = classifyExplicit(traits, inherited);
    if (explicit !== null) return explicit;
    const focusable = hasAttribute(element, 'tabindex');
    if (traits.ariaHidden && !focusable && !this.#delegated.has(element)) {
      this.#markWheel(element);
      return mayHoldIcon(inherited) && isIconForPointer(traits, this.#context) ? button('handler') : null;
    }
    if (inherited.editing) return null;
    return this.#classifyByBehavior(traits, inherited);
  }

  /** Classifies an element by its handlers, drag and drop, focus, cursor and scrolling; null when it is not interactive. */
  #classifyByBehavior(traits: ElementTraits, inherited: InheritedContext): Classification | null {
    const { element } = traits;
    const handlers = this.#context.handlers.get(element);
    const isInline = hasAttribute(element, 'onclick') || hasAttribute(element, 'onmousedown');
    const behavior: Behavior = {
      ...traits,
      inherited,
      handlers,
      isInline,
      isHeld: handlers?.hold === true && !handlers.click,
    };
    for (const classify of ElementClassifier.#rules) {
      const classification = classify(behavior, this);
      if (classification !== undefined) return classification;
    }
    return null;
  }

  /** The first rule that decides about an element classifies it: what an element does itself comes before what is around it tells. */
  static readonly #rules: readonly BehaviorRule[] = [
    // Label of a control: The control itself is listed.
    ({ element, tag }) =>
      tag === 'label' && element instanceof HTMLLabelElement && element.control !== null ? null : undefined,
    // Canvas: People draw on it, or use what it draws; one that nothing handles is a picture.
    ({ element, tag, pointer, inherited, handlers, isInline }) => {
      if (tag !== 'canvas') return undefined;
      const isUsed = handlers !== undefined || isInline || pointer || hasAttribute(element, 'tabindex');
      return isUsed || isDrawingSurface(inherited) ? CANVAS : null;
    },
    // Drop target: Marks and classes of drag libraries say so.
    ({ element, className }) => (isDropTarget(element, className) ? button('target') : undefined),
    // Draggable: The attribute or the class of a drag library says so.
    ({ element, className }) => (isDraggable(element, className) ? button('drag') : undefined),
    // Held shape: A shape of a drawing that takes presses but no clicks is moved.
    ({ tag, isHeld }) => (isHeld && isShape(tag) ? button('drag') : undefined),
    // Box over a canvas: It takes the presses for the canvas below it: the cells of a spreadsheet.
    ({ element, tag, handlers }, classifier) => {
      if (tag === 'svg') classifier.#markDropTargets(element);
      return handlers?.press && isCanvasOverlay(element) ? CANVAS : undefined;
    },
    // Border of a pane: It takes presses, and the cursor over it says where it goes.
    ({ style, isHeld }) => (isHeld && isResizeCursor(style.cursor) ? button('drag') : undefined),
    // Handle: It takes presses but no clicks, and has the cursor of what is dragged.
    ({ dragCursor, inherited, isHeld }) =>
      isHeld && dragCursor && !inherited.dragCursor ? button('drag') : undefined,
    // Day of a week view: A press on it takes a time, by its place beside the axis of the times.
    ({ element, className, inherited, handlers }, classifier) => {
      const { documentPress } = classifier.#context;
      const isPressed = handlers?.press || inherited.handled || documentPress;
      return isPressed && findWeekColumn(element, className) ? button('child') : undefined;
    },
    // Handler of presses: What handles presses is pressed; a container that handles them for its entries passes that on to them.
    (behavior, classifier) =>
      behavior.handlers?.press || behavior.isInline ? classifier.#classifyHandler(behavior) : undefined,
    // Entry of a container: An ancestor has marked it as what is pressed or dragged.
    ({ element }, classifier) => {
      const basis = classifier.#delegated.get(element);
      return basis === undefined ? undefined : button(basis);
    },
    // Handler of drops, or drag cursor: Handlers of `dragstart` alone are those of a list around what is draggable, or prevent that anything is dragged.
    ({ dragCursor, inherited, handlers }) =>
      handlers?.drop || (dragCursor && !inherited.dragCursor) ? button('drag') : undefined,
    // Part of a pressed box: A link without an address or an icon in a box that handles presses has an effect of its own.
    ({ element, tag, className, inherited }) => {
      const isPart = inherited.handled && inherited.ancestor?.basis !== 'drag';
      return isPart && isPressablePart(element, tag, className) && !isInsideExplicit(inherited)
        ? button('child')
        : undefined;
    },
    // Cell: An ancestor or the document handles the presses on the cells of grids, spreadsheets and calendars.
    (behavior, classifier) => (classifier.#isDelegated(behavior) ? button('child') : undefined),
    // Box without touch actions: The page moves it itself: no finger scrolls or zooms it.
    ({ style }, classifier) => {
      const { documentPress, frameworkPress } = classifier.#context;
      return (documentPress || frameworkPress) && style.touchAction === 'none' ? button('drag') : undefined;
    },
    // Widget used by keys: Nothing handles presses in it.
    (behavior, classifier) => (classifier.#takesKeysOnly(behavior) ? button('keys') : undefined),
    // Focus target: Keys reach it when it has the focus.
    ({ element, tag, role, style }) =>
      isFocusTarget(element, role)
        ? button(isScrollable(element, tag, style) ? 'scroll' : 'focus')
        : undefined,
    // Pointer cursor: The page shows the hand where a press has an effect.
    ({ element, tag, pointer, inherited }, classifier) =>
      pointer && !inherited.pointer && !isInsideExplicit(inherited)
        ? classifier.#classifyByCursor(element, tag)
        : undefined,
    // Box that scrolls itself: It handles the wheel in place of the browser.
    ({ element, tag, style, handlers }) =>
      handlers !== undefined && isScrollable(element, tag, style, handlers.wheel)
        ? button('scroll')
        : undefined,
    // Reaction to the pointer: A handler, or a style rule for what it opens, reacts when the pointer arrives.
    ({ element, tag, role, handlers }, classifier) => {
      const isHovered =
        handlers?.hover || handlers?.move
          ? !classifier.#isHoveredCell(element, tag, role)
          : classifier.#context.styleRules.opensOnHover(element);
      return isHovered ? button('hover') : undefined;
    },
    // Scrollable box: Its content is reached by scrolling only.
    ({ element, tag, style }) => (isScrollable(element, tag, style) ? button('scroll') : undefined),
  ];

  /** Classifies an element that handles presses: for itself, or for its entries, which it marks. Undefined if the entries alone are used. */
  #classifyHandler({ element, tag, style, pointer, handlers }: Behavior): Classification | null | undefined {
    const targets = delegationTargets(element, tag, pointer);
    if (targets === null) {
      this.#markWheel(element);
      return button(!pointer && isScrollable(element, tag, style) ? 'scroll' : 'handler');
    }
    // A list that takes presses and drops, but no clicks, sorts its entries.
    const sorts = handlers?.hold && handlers.drop && !handlers.click;
    for (const target of targets)
      if (!this.#delegated.has(target)) this.#delegated.set(target, sorts ? 'drag' : 'child');
    if (tag === 'svg') return CANVAS;
    if (!sorts || targets.length === 0) return undefined;
    return isScrollable(element, tag, style) ? button('scroll') : null;
  }

  /** Returns true for a grid, a tree or a list that moves its active cell or entry by keys, and in which nothing handles presses. */
  #takesKeysOnly({ element, role }: Behavior): boolean {
    if (role === null || !COMPOSITE_ROLES.has(role) || Number(getAttribute(element, 'tabindex') ?? -1) < 0)
      return false;
    const { handlers } = this.#context;
    const own = handlers.get(element);
    if (own?.press || !(own?.keys || hasAttribute(element, 'aria-activedescendant'))) return false;
    if (queryIn(element, CELL_CONTROLS) !== null) return false;
    return !Array.from(queryAllIn(element, ENTRIES)).some(entry => handlers.get(entry)?.press);
  }

  /** Returns true for a cell beside another one that reacts to the pointer: the table follows the pointer, its cells show nothing by it. */
  #isHoveredCell(element: Element, tag: string, role: string | null): boolean {
    if (tag !== 'td' && role !== 'gridcell' && role !== 'cell') return false;
    const beside = nextElementSibling(element) ?? previousElementSibling(element);
    const handlers = beside === null ? undefined : this.#context.handlers.get(beside);
    return handlers?.hover === true || handlers?.move === true;
  }

  /** Returns true for a cell of a grid, a sheet or a calendar whose handlers are around it, unless its whole row is pressed. */
  #isDelegated({ element, tag, role, inherited: { handled, ancestor } }: Behavior): boolean {
    const isDay = role === 'cell' && isCalendarDay(element);
    if (role !== 'gridcell' && !isDay && (tag !== 'td' || !hasCoordinates(element))) return false;
    if (!hasAttribute(element, 'tabindex')) {
      const inRow = ancestor !== null && (ancestor.tag === 'tr' || ancestor.role === 'row');
      if (inRow || !(handled || this.#context.documentPress)) return false;
    }
    return queryIn(element, CELL_CONTROLS) === null;
  }

  #markWheel(element: Element): void {
    if (!this.#context.handlers.get(element)?.hold) return;
    for (const entry of wheelEntries(element)) this.#delegated.set(entry, 'child');
  }

  /** Marks the entries of a list as draggable, for libraries that handle presses on the root of the document only. */
  #markDragged(element: Element, tag: string): void {
    if (!/^(div|ul|ol|section)$/.test(tag) || this.#delegated.has(element)) return;
    for (const entry of draggedEntries(element))
      if (!this.#delegated.has(entry)) this.#delegated.set(entry, 'drag');
  }

  /** Classifies an element without attributes: faster than `classify`, because most elements have none. */
  #classifyWithoutAttributes(traits: ElementTraits, inherited: InheritedContext): Classification | null {
    const { element, tag, style } = traits;
    const explicit = classifyExplicit(traits, inherited);
    if (explicit !== null) return explicit;
    if (inherited.editing || (traits.ariaHidden && !this.#delegated.has(element))) return null;
    const handlers = this.#context.handlers.get(element);
    if (handlers !== undefined || tag === 'canvas' || tag === 'svg' || tag === 'label')
      return this.#classifyByBehavior(traits, inherited);
    const delegated = this.#delegated.get(element);
    if (delegated !== undefined) return button(delegated);
    if (traits.dragCursor && !inherited.dragCursor) return button('drag');
    if (inherited.handled && tag === 'a' && !isInsideExplicit(inherited)) return button('child');
    if (traits.pointer && !inherited.pointer && !isInsideExplicit(inherited))
      return this.#classifyByCursor(element, tag);
    if (this.#context.styleRules.opensOnHover(element)) return button('hover');
    return isScrollable(element, tag, style) ? button('scroll') : null;
  }

  /** Marks the shapes of an SVG drawing, except text, as drop targets if some of its shapes can be dragged. */
  #markDropTargets(drawing: Element): void {
    const shapes = Array.from(queryAllIn(drawing, SHAPE_SELECTOR));
    const isDragged = (shape: Element) => {
      const handlers = this.#context.handlers.get(shape);
      return handlers?.hold === true && !handlers.click;
    };
    if (shapes.length <= MAX_SHAPES && shapes.some(isDragged))
      for (const shape of shapes) if (localName(shape) !== 'text') this.#delegated.set(shape, 'target');
  }

  /** Classifies an element with a pointer cursor. For a list or a table it returns null and marks the entries as interactive. */
  #classifyByCursor(element: Element, tag: string): Classification | null {
    const targets = /^(ul|ol|table|tbody|svg)$/.test(tag) ? delegationTargets(element, tag, true) : null;
    if (targets === null) return button('cursor');
    for (const target of targets) this.#delegated.set(target, 'child');
    return null;
  }
}

const EDITOR: Classification = { basis: 'control', letter: 'I', control: 'contenteditable' };
const CANVAS: Classification = { basis: 'handler', letter: 'B', control: 'canvas' };

/** Classifies an element that is a native control, an editable region or a slider, or has an interactive role; null for others. */
function classifyExplicit(traits: ElementTraits, inherited: InheritedContext): Classification | null {
  const { element, tag, role, className } = traits;
  const native = classifyNative(element, tag);
  if (native !== null) return inherited.editing && tag === 'a' ? null : native;
  if (traits.editing && !inherited.editing) return EDITOR;
  if (role === 'textbox' && hasEditContext(element)) return EDITOR;
  if (isSliderHandle(element, className)) return { basis: 'role', letter: 'I', control: 'slider' };
  // The border between two panes, which arrow keys move (WAI-ARIA 1.2, focusable separator).
  if (role === 'separator' && hasAttribute(element, 'aria-valuenow') && hasAttribute(element, 'tabindex'))
    return classifyRole('slider');
  return role === null ? null : classifyRole(role);
}

/** A box beside a canvas lies on it if it takes at least this part of its area. */
const MIN_OVERLAY_PART = 0.8;

/** Returns true for a box that lies on the canvas beside it and takes its presses: the cells of a spreadsheet. */
function isCanvasOverlay(element: Element): boolean {
  const before = previousElementSibling(element);
  if (before === null || localName(before) !== 'canvas') return false;
  const [canvas, own] = [boxOf(before), boxOf(element)];
  const width = Math.min(canvas.right, own.right) - Math.max(canvas.left, own.left);
  const height = Math.min(canvas.bottom, own.bottom) - Math.max(canvas.top, own.top);
  return width > 0 && height > 0 && width * height >= canvas.width * canvas.height * MIN_OVERLAY_PART;
}

/** Returns true if the nearest candidate around a canvas handles presses: then users draw on the canvas. */
const isDrawingSurface = ({ ancestor }: InheritedContext): boolean => ancestor?.basis === 'handler';

/** Returns true for an `a` or an empty icon in a box that handles presses. */
function isPressablePart(element: Element, tag: string, className: string | null): boolean {
  if (tag === 'a') return true;
  if ((tag !== 'i' && tag !== 'span') || className === null || className === '') return false;
  if (firstElementChild(element) !== null || (textContent(element) ?? '').trim() !== '') return false;
  // The empty boxes beside a control draw the control: the box of a check box, the rail of a slider.
  const parent = parentElement(element);
  return parent === null || queryIn(parent, CELL_CONTROLS) === null;
}

/** Returns true if attributes of a cell state its row and its column: the table is a spreadsheet or a board. */
const hasCoordinates = (cell: Element): boolean =>
  (hasAttribute(cell, 'data-x') && hasAttribute(cell, 'data-y')) ||
  (hasAttribute(cell, 'data-row') && (hasAttribute(cell, 'data-col') || hasAttribute(cell, 'data-column')));

/** A cell with one of these controls is not pressed as a whole; a cell with a link is. */
const CELL_CONTROLS = `${FIELDS}, button, ${DRAWN_TICKS}, [role=tab], [role=slider]`;

/** Roles of the widgets in which the arrow keys move between cells or entries (WAI-ARIA 1.2, composite). */
const COMPOSITE_ROLES: ReadonlySet<string> = new Set(['grid', 'treegrid', 'tree', 'listbox']);
const ENTRIES = 'td, tr, li, a, [role]';

const mayHoldIcon = ({ ancestor }: InheritedContext): boolean =>
  ancestor === null || !isExplicit(ancestor) || /\S/.test(textContent(ancestor.element) ?? '');

const isInsideExplicit = ({ ancestor }: InheritedContext): boolean =>
  ancestor !== null && isExplicit(ancestor);
