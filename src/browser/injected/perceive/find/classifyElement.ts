/** Decides whether an element is interactive, from its own traits and from its ancestors. */

import {
  boxOf,
  firstElementChild,
  getAttribute,
  hasAttribute,
  inputType,
  isContentEditable,
  labelControl,
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
import type { ObservationContext } from '../observationContext.ts';
import type { Control } from '../wireFormat.ts';
import { delegationTargets, draggedEntries, wheelEntries } from './eventDelegation.ts';
import {
  isDraggable,
  isDropTarget,
  isFocusTarget,
  isResizeCursor,
  isSliderHandle,
} from './interactionHints.ts';

const CHECKED_ROLES = new Set(['checkbox', 'switch', 'menuitemcheckbox', 'radio']);
const CLICK_INPUTS = new Set(['submit', 'button', 'reset', 'image']);

/** The control for each `input` type. Types that are neither here nor in `CLICK_INPUTS` are text fields, except `hidden`. */
const INPUT_CONTROLS: Readonly<Record<string, Control>> = {
  checkbox: 'checkbox',
  radio: 'radio',
  file: 'file',
  number: 'number',
  range: 'range',
  date: 'date',
  time: 'time',
  'datetime-local': 'datetime',
  month: 'month',
  week: 'week',
  color: 'color',
};

const link = (basis: ClassificationBasis): Classification => ({ basis, letter: 'L', control: 'click' });
const button = (basis: ClassificationBasis): Classification => ({ basis, letter: 'B', control: 'click' });
const input = (basis: ClassificationBasis, control: Control): Classification => ({
  basis,
  letter: 'I',
  control,
});

export const BUTTON: Classification = button('control');

/** Classifies a `body` that is edited as a whole, as in the frame of a text editor; null for any other root. */
export function editableBody(element: Element, tag: string): Classification | null {
  if (tag !== 'body' || !isContentEditable(element as HTMLElement)) return null;
  return input('control', 'contenteditable');
}

const roleIn = (element: Element): string => (getAttribute(element, 'role') ?? '').trim().toLowerCase();

/** Classifies a checkbox, a switch or a radio button: its value sets it, whatever its tag is. Null for other elements. */
function checkedControl(element: Element): Classification | null {
  const role = roleIn(element);
  return CHECKED_ROLES.has(role) ? input('control', role === 'radio' ? 'radio' : 'checkbox') : null;
}

/** Classifies an element that the browser makes interactive; null for all others. */
export function classifyNative(element: Element, tag: string): Classification | null {
  switch (tag) {
    case 'a':
    case 'area':
      return hasAttribute(element, 'href') ? (checkedControl(element) ?? link('control')) : null;
    case 'button': {
      const checked = checkedControl(element);
      if (checked !== null) return checked;
      const role = roleIn(element);
      // The border between two panes, which arrow keys move (WAI-ARIA 1.2, focusable separator).
      const isBorder = role === 'separator' && hasAttribute(element, 'aria-valuenow');
      return role === 'slider' || role === 'spinbutton' || isBorder
        ? input('control', 'slider')
        : button('control');
    }
    case 'summary':
      return button('control');
    case 'select':
      return input('control', 'select');
    case 'textarea':
      return input('control', 'text');
    case 'input':
      return element instanceof HTMLInputElement ? classifyInput(inputType(element)) : null;
    case 'video':
    case 'audio':
      return hasAttribute(element, 'controls') ? { basis: 'control', letter: 'B', control: 'media' } : null;
    default:
      return null;
  }
}

function classifyInput(type: string): Classification | null {
  if (type === 'hidden') return null;
  if (CLICK_INPUTS.has(type)) return button('control');
  return input('control', INPUT_CONTROLS[type] ?? 'text');
}

/** Classifies an element by its explicit role; null when the role is not interactive. */
export function classifyRole(role: string): Classification | null {
  switch (role) {
    case 'link':
      return link('role');
    case 'checkbox':
    case 'switch':
    case 'menuitemcheckbox':
      return input('role', 'checkbox');
    case 'radio':
      return input('role', 'radio');
    case 'slider':
    case 'spinbutton':
      return input('role', 'slider');
    case 'button':
    case 'tab':
    case 'menuitem':
    case 'menuitemradio':
    case 'option':
    case 'treeitem':
    case 'combobox':
      return button('role');
    default:
      return null;
  }
}

/** Sizes of an icon that a pointer presses. CSS pixels. */
const [MIN_PX, MAX_PX] = [8, 48];
const OPENED_FIELDS = `${FIELDS}, [role=combobox], ${EDITABLE}`;

/**
 * Returns true for an icon with handlers of its own that is hidden only from screen readers, which have keys for it: the button of a filter
 * in the header of a grid.
 * @param traits the element, and whether the cursor over it is a hand
 */
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

/** Traits that an element inherits from its ancestors. */
export interface InheritedContext {
  readonly section: Section;
  /** The nearest ancestor that is a candidate; null if there is none. */
  readonly ancestor: Candidate | null;
  /** True when the parent already has a pointer cursor: then the cursor does not show that the element itself is interactive. */
  readonly pointer: boolean;
  /** True when the parent already has a drag cursor: then the cursor does not show that the element itself can be dragged. */
  readonly dragCursor: boolean;
  /** True when an ancestor has `aria-hidden`. */
  readonly ariaHidden: boolean;
  /** True when an ancestor is an editable region. */
  readonly editing: boolean;
  /** True when an ancestor has a handler of presses (clicks, or mouse, pen or touch buttons). */
  readonly handled: boolean;
}

/** Traits of an element that are known before it is classified. */
export interface ElementTraits {
  readonly element: Element;
  readonly tag: string;
  /** The role in the `role` attribute; null if it has none. */
  readonly role: string | null;
  readonly className: string | null;
  readonly style: CSSStyleDeclaration;
  readonly hasAttributes: boolean;
  /** True when the cursor over the element is `pointer` (a hand). */
  readonly pointer: boolean;
  /** True when the cursor over the element shows that it can be dragged. */
  readonly dragCursor: boolean;
  /** True when the element or an ancestor has `aria-hidden`. */
  readonly ariaHidden: boolean;
  /** True when the element or an ancestor is an editable region. */
  readonly editing: boolean;
}

/** Maximum number of shapes in a drawing that is searched for drop targets. */
const MAX_SHAPES = 300;

/**
 * Classifies the elements of one observation. Call `classify` in document order: a container that handles events for its
 * descendants marks them as interactive before they are classified.
 */
export class ElementClassifier {
  readonly #context: ObservationContext;
  /** The elements that an ancestor has marked as interactive, each with the reason. */
  readonly #delegated = new Map<Element, ClassificationBasis>();

  constructor(context: ObservationContext) {
    this.#context = context;
  }

  /** Returns the classification of an element; null when it is not interactive. */
  classify(traits: ElementTraits, inherited: InheritedContext): Classification | null {
    if (this.#context.rootHold) this.#markDragged(traits.element, traits.tag);
    if (!traits.hasAttributes) return this.#classifyWithoutAttributes(traits, inherited);
    const { element } = traits;
    const explicit = classifyExplicit(traits, inherited);
    if (explicit !== null) return explicit;
    const focusable = hasAttribute(element, 'tabindex');
    if (traits.ariaHidden && !focusable && !this.#delegated.has(element)) {
      this.#markWheel(element);
      return !isInsideExplicit(inherited) && isIconForPointer(traits, this.#context)
        ? button('handler')
        : null;
    }
    if (inherited.editing) return null;
    return this.#classifyByBehavior(traits, inherited);
  }

  /** Classifies an element by its handlers, drag and drop, focus, cursor and scrolling; null when it is not interactive. */
  #classifyByBehavior(traits: ElementTraits, inherited: InheritedContext): Classification | null {
    const { element, tag, role, className, style } = traits;
    if (tag === 'label' && element instanceof HTMLLabelElement && labelControl(element) !== null) return null;
    const handlers = this.#context.handlers.get(element);
    const inline = hasAttribute(element, 'onclick') || hasAttribute(element, 'onmousedown');
    if (tag === 'canvas')
      return handlers !== undefined ||
        inline ||
        traits.pointer ||
        hasAttribute(element, 'tabindex') ||
        isDrawingSurface(inherited)
        ? CANVAS
        : null;
    if (isDropTarget(element, className)) return button('target');
    if (isDraggable(element, className)) return button('drag');
    if (handlers?.hold && !handlers.click && isShape(tag)) return button('drag');
    if (tag === 'svg') this.#markDropTargets(element);
    if (handlers?.press && isCanvasOverlay(element)) return CANVAS;
    // The border between two panes: it takes presses, and the cursor over it says where it goes.
    if (handlers?.hold && !handlers.click && isResizeCursor(style.cursor)) return button('drag');
    // A handle: it takes presses but no clicks, and has the cursor of what is dragged.
    if (handlers?.hold && !handlers.click && traits.dragCursor && !inherited.dragCursor)
      return button('drag');
    const isPressed = handlers?.press || inherited.handled || this.#context.documentPress;
    if (isPressed && findWeekColumn(element, className)) return button('child');
    if (handlers?.press || inline) {
      const targets = delegationTargets(element, tag, traits.pointer);
      if (targets === null) this.#markWheel(element);
      if (targets === null)
        return button(!traits.pointer && isScrollable(element, tag, style) ? 'scroll' : 'handler');
      // A list that takes presses and drops, but no clicks, sorts its entries.
      const sorts = handlers?.hold && handlers.drop && !handlers.click;
      for (const target of targets)
        if (!this.#delegated.has(target)) this.#delegated.set(target, sorts ? 'drag' : 'child');
      if (tag === 'svg') return CANVAS;
      if (sorts && targets.length > 0) return isScrollable(element, tag, style) ? button('scroll') : null;
    }
    const delegated = this.#delegated.get(element);
    if (delegated !== undefined) return button(delegated);
    // Handlers of `dragstart` alone are those of a list around what is draggable, or prevent that anything is dragged.
    if (handlers?.drop || (traits.dragCursor && !inherited.dragCursor)) return button('drag');
    const isPart =
      inherited.handled && inherited.ancestor?.basis !== 'drag' && isPressablePart(element, tag, className);
    if (isPart && !isInsideExplicit(inherited)) return button('child');
    if (this.#isDelegated(traits, inherited)) return button('child');
    if ((this.#context.documentPress || this.#context.frameworkPress) && style.touchAction === 'none')
      return button('drag');
    if (this.#takesKeysOnly(traits)) return button('keys');
    if (isFocusTarget(element, role)) return button(isScrollable(element, tag, style) ? 'scroll' : 'focus');
    if (traits.pointer && !inherited.pointer && !isInsideExplicit(inherited))
      return this.#classifyByCursor(element, tag);
    if (handlers !== undefined && isScrollable(element, tag, style, handlers.wheel)) return button('scroll');
    const hovers = handlers?.hover || handlers?.move;
    if (hovers ? !this.#isHoveredCell(element, tag, role) : this.#context.styleRules.opensOnHover(element))
      return button('hover');
    return isScrollable(element, tag, style) ? button('scroll') : null;
  }

  /** Returns true for a grid, a tree or a list that moves its active cell or entry by keys, and in which nothing handles presses. */
  #takesKeysOnly({ element, role }: ElementTraits): boolean {
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

  /**
   * Returns true for the cell of a grid, a spreadsheet or a calendar whose handlers an ancestor or the document has. A row that has them
   * is pressed as a whole, unless its cells can have the focus.
   */
  #isDelegated({ element, tag, role }: ElementTraits, { handled, ancestor }: InheritedContext): boolean {
    const isDay = role === 'cell' && isCalendarDay(element);
    if (role !== 'gridcell' && !isDay && (tag !== 'td' || !hasCoordinates(element))) return false;
    if (!hasAttribute(element, 'tabindex')) {
      const inRow = ancestor !== null && (ancestor.tag === 'tr' || ancestor.role === 'row');
      if (inRow || !(handled || this.#context.documentPress)) return false;
    }
    return queryIn(element, CELL_CONTROLS) === null;
  }

  /** Marks the entries of a wheel that a pointer turns. */
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

/**
 * Returns true if an element inside a box that handles presses can be pressed itself: an `a` element, or an icon (an `i` or
 * `span` with a class and no content).
 */
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

/** Controls that a cell is not pressed for as a whole. A link in a cell is. */
const CELL_CONTROLS = `${FIELDS}, button, ${DRAWN_TICKS}, [role=tab], [role=slider]`;

/** Roles of the widgets in which the arrow keys move between cells or entries (WAI-ARIA 1.2, composite). */
const COMPOSITE_ROLES: ReadonlySet<string> = new Set(['grid', 'treegrid', 'tree', 'listbox']);
/** The cells and entries of these widgets. */
const ENTRIES = 'td, tr, li, a, [role]';

const isInsideExplicit = ({ ancestor }: InheritedContext): boolean =>
  ancestor !== null && isExplicit(ancestor);
