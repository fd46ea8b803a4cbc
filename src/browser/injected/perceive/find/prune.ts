/** Removes redundant candidates: boxes around one interactive element, and boxes that only handle events for others. */
import { around, NEAR_LEVELS } from '../../dom/around.ts';
import {
  boxOf,
  checkVisibility,
  childElementCount,
  closest,
  composedContains,
  composedParent,
  elementById,
  getAttribute,
  getRootNode,
  hasAttribute,
  isShadowRoot,
  labelsOf,
  localName,
  matches,
  parentElement,
  queryAllIn,
  queryDocument,
  queryIn,
  renderedParent,
} from '../../dom/domGetters.ts';
import { remembered } from '../../dom/lifetimes.ts';
import { BUTTONS } from '../../dom/vocabulary.ts';
import { type Candidate, isExplicit } from '../candidate.ts';
import { comboboxText, textBesideControls, visibleText } from '../element/renderedText.ts';
import { hasShadowTrees, shadowRootOf } from '../element/shadowRootOf.ts';
import { drawsSelect } from '../name/elementName.ts';
import { isCalendarDay } from '../name/weekColumns.ts';
import type { ObservationContext } from '../observationContext.ts';
import { isDraggable, isResizeCursor } from './interactionHints.ts';
import {
  dropPlacesOf,
  fills,
  isButtonDuplicate,
  isDragDuplicate,
  isIconIn,
  isRedundantBox,
  isSlider,
  lengthOf,
  PRESSED_BY_CLICK,
} from './redundantBoxes.ts';

/** Maximum number of levels in the rendered tree from a candidate up to the box around its slot. */
const MAX_SLOT_LEVELS = 24;

/** Returns the candidates in the slots of each box of a shadow tree; for a control only those that its own cursor makes candidates. */
export function slottedCandidates(
  candidates: readonly Candidate[],
): ReadonlyMap<Candidate, readonly Candidate[]> {
  const boxes = new Map<Element, Candidate>();
  const slotted = new Map<Candidate, Candidate[]>();
  if (!hasShadowTrees()) return slotted;
  for (const candidate of candidates)
    if (holdsSlot(candidate.element)) boxes.set(candidate.element, candidate);
  if (boxes.size === 0) return slotted;
  for (const candidate of candidates) {
    const box = boxAround(candidate, boxes);
    if (box === null || (isExplicit(box) && candidate.basis !== 'cursor')) continue;
    if (!checkVisibility(candidate.element)) continue;
    remembered(slotted, box, () => [] as Candidate[]).push(candidate);
  }
  return slotted;
}

const holdsSlot = (element: Element): boolean =>
  isShadowRoot(getRootNode(element)) && (localName(element) === 'slot' || queryIn(element, 'slot') !== null);

function boxAround(
  { element, ancestor }: Candidate,
  boxes: ReadonlyMap<Element, Candidate>,
): Candidate | null {
  let at = renderedParent(element);
  for (
    let up = 0;
    at !== null && at !== ancestor?.element && up < MAX_SLOT_LEVELS;
    up++, at = renderedParent(at)
  ) {
    const box = boxes.get(at);
    if (box !== undefined) return box;
  }
  return null;
}

/** Maximum size of the box around a field and the parts that draw it. CSS pixels. */
const MAX_TICK_BOX = { width: 100, height: 60 };
const MAX_FIELD_HEIGHT_PX = 80;
/** Words of icons that do something else than the field beside them. */
const OWN_PURPOSE =
  /clear|close|clos|remove|delete|reset|cancel|copy|cross|trash|edit|eye|search|help|info|minus|plus|incre|decre/i;

/** Finds the parts that draw the fields among the candidates of one observation. */
export class DrawnParts {
  /** The only field in each box near a field; null for a box with several. */
  readonly #fields = new Map<Element, Candidate | null>();

  constructor(candidates: readonly Candidate[]) {
    for (const candidate of candidates) {
      if (candidate.letter !== 'I') continue;
      for (const at of around(composedParent(candidate.element), NEAR_LEVELS))
        this.#fields.set(at, this.#fields.has(at) ? null : candidate);
    }
  }

  /** Returns true if a press on a candidate without text is a press on the field in the same box. */
  has(candidate: Candidate): boolean {
    if (isExplicit(candidate) || candidate.descendantCount > 1 || !PRESSED_BY_CLICK.has(candidate.basis))
      return false;
    const field = this.#fieldBeside(candidate.element);
    if (field === null || field.box === candidate.element) return false;
    if (queryIn(candidate.element, 'a, button, input, [role]') !== null) return false;
    if (visibleText(candidate.element) !== '' || isNamed(candidate.element)) return false;
    const { width, height } = boxOf(field.box);
    if (isTick(field.field))
      return (
        localName(field.box) === 'label' || (width <= MAX_TICK_BOX.width && height <= MAX_TICK_BOX.height)
      );
    return height <= MAX_FIELD_HEIGHT_PX && opensList(field.field);
  }

  #fieldBeside(element: Element): { box: Element; field: Candidate } | null {
    for (const at of around(composedParent(element), NEAR_LEVELS)) {
      const field = this.#fields.get(at);
      if (field !== undefined) return field === null ? null : { box: at, field };
    }
    return null;
  }
}

/** Returns true for a field that a press opens: a list of choices, a calendar. */
const opensList = ({ element, role, control }: Candidate): boolean =>
  control === 'text' &&
  (role === 'combobox' || hasAttribute(element, 'readonly') || hasAttribute(element, 'aria-haspopup'));

/** Returns true for an icon with a name of its own, or with a class that states another purpose. */
function isNamed(element: Element): boolean {
  const inner =
    localName(element) === 'svg' ? composedParent(element) : queryIn(element, 'svg, i, img, span');
  const texts = [element, inner].map(one =>
    one === null
      ? ''
      : `${getAttribute(one, 'class') ?? ''} ${getAttribute(one, 'data-icon') ?? ''} ${getAttribute(one, 'src') ?? ''}`,
  );
  return (
    OWN_PURPOSE.test(texts.join(' ')) || hasAttribute(element, 'title') || hasAttribute(element, 'aria-label')
  );
}

export function prune(candidates: readonly Candidate[], context: ObservationContext): readonly Candidate[] {
  const inside = Map.groupBy(candidates, ({ ancestor }) => ancestor);
  const dropped = new Set<Candidate>();
  const controls = controlsInside(candidates);
  for (const [box, slotted] of slottedCandidates(candidates)) {
    if (isExplicit(box)) {
      for (const part of slotted) dropped.add(part);
      continue;
    }
    box.descendantCount += slotted.length;
    inside.set(box, [...(inside.get(box) ?? []), ...slotted]);
    controls.set(box, (controls.get(box) ?? 0) + slotted.filter(isExplicit).length);
  }
  const labels = labelIds(candidates);
  const drawnParts = new DrawnParts(candidates);
  const dropPlaces = dropPlacesOf(candidates);
  const namedRows = new Set(candidates.filter(one => one.dragged && !isHandle(one)).map(rowOf));
  const railParents = new Set(candidates.filter(isSlider).map(({ element }) => composedParent(element)));
  const isRedundant = (candidate: Candidate): boolean => {
    const { ancestor, basis, element } = candidate;
    return (
      isRedundantBox(
        candidate,
        inside.get(candidate) ?? [],
        controls.get(candidate) ?? 0,
        context,
        dropPlaces,
      ) ||
      isFormCopy(candidate) ||
      (!isExplicit(candidate) &&
        (labels.has(getAttribute(element, 'id') ?? '') ||
          isLabelOfControl(candidate) ||
          isRail(candidate, railParents))) ||
      (basis === 'hover' && matches(element, LIVE)) ||
      drawnParts.has(candidate) ||
      isLabelOfGroup(candidate) ||
      isEmptyDay(candidate) ||
      isNumberOfDay(candidate, context) ||
      (ancestor !== null && PRESSED_BY_CLICK.has(ancestor.basis) && isIconIn(candidate, ancestor)) ||
      (ancestor?.dragged === true &&
        (isHandleOf(candidate, ancestor) || (!candidate.dragged && isDragDuplicate(ancestor, candidate)))) ||
      (isHandle(candidate) && (isOnlyHandle(candidate, inside) || isInRowOf(candidate, namedRows)))
    );
  };
  for (const candidate of candidates) {
    try {
      const { ancestor } = candidate;
      if (isHandle(candidate) && ancestor?.takesDrops && inside.get(ancestor)?.length === 1) {
        // The entry of a sorted list: it is dragged by its handle, and others are dropped on it.
        ancestor.takesDrops = false;
        dropped.add(candidate);
        continue;
      }
      if (isRedundant(candidate)) {
        dropped.add(candidate);
        continue;
      }
      const outer = keptAncestor(candidate, dropped);
      if (outer === null || !isPartOfControl(candidate, outer, context)) continue;
      if (isEntryControl(candidate, outer)) {
        if (takesPressOf(candidate, outer, context)) outer.pressedPart ??= candidate.element;
        if (hasPurposeOfItsOwn(candidate, outer)) continue;
      }
      if (!takesPlaceOf(candidate, outer)) dropped.add(candidate);
      else {
        candidate.role = outer.role;
        candidate.stateElement = outer.element;
        dropped.add(outer);
      }
    } catch {
      // Keep it: one element too many is better than a missing one.
    }
  }
  const kept = dropped.size === 0 ? candidates : candidates.filter(candidate => !dropped.has(candidate));
  for (const candidate of kept)
    if (candidate.role === null && candidate.letter === 'B' && drawsSelect(candidate.element))
      candidate.role = 'combobox';
  return kept;
}

/** Maximum width or height of a handle. CSS pixels. */
const MAX_HANDLE_PX = 40;

/** Returns true for the handle of something that is dragged: a small part without words. The edge that changes a size is no handle. */
function isHandle({ basis, dragged, element, style }: Candidate): boolean {
  if (basis !== 'drag' || !dragged || isResizeCursor(style.cursor)) return false;
  const { width, height } = boxOf(element);
  return Math.min(width, height) <= MAX_HANDLE_PX && lengthOf(visibleText(element)) === 0;
}

/** Returns true for a part with words that only the cursor over it marks, in something that an attribute or a class marks as dragged. */
const isHandleOf = ({ basis, element }: Candidate, { element: outer }: Candidate): boolean =>
  basis === 'drag' &&
  !isDraggable(element, getAttribute(element, 'class')) &&
  isDraggable(outer, getAttribute(outer, 'class')) &&
  lengthOf(visibleText(element)) > 0;

/** Returns true for a handle in something that is dragged and has no other handle. */
const isOnlyHandle = (
  { ancestor }: Candidate,
  inside: ReadonlyMap<Candidate | null, readonly Candidate[]>,
): boolean => ancestor?.dragged === true && inside.get(ancestor)?.filter(isHandle).length === 1;

const rowOf = ({ element }: Candidate): Element | null => closest(element, 'tr, [role=row]');

const isInRowOf = (candidate: Candidate, rows: ReadonlySet<Element | null>): boolean =>
  rowOf(candidate) !== null && rows.has(rowOf(candidate));

function keptAncestor({ ancestor }: Candidate, dropped: ReadonlySet<Candidate>): Candidate | null {
  let outer = ancestor;
  while (outer !== null && dropped.has(outer)) outer = outer.ancestor;
  return outer;
}

/** Returns the ids of the elements that label a control: a press on such a label does what a press on its control does. */
function labelIds(candidates: readonly Candidate[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const candidate of candidates)
    if (isExplicit(candidate) && candidate.descendantCount === 0)
      for (const id of (getAttribute(candidate.element, 'aria-labelledby') ?? '').split(/\s+/)) ids.add(id);
  ids.delete('');
  return ids;
}

function controlsInside(candidates: readonly Candidate[]): Map<Candidate, number> {
  const counts = new Map<Candidate, number>();
  // Backwards: what is inside comes after what is around it.
  for (const candidate of candidates.toReversed()) {
    const { ancestor } = candidate;
    if (ancestor === null) continue;
    const count = (counts.get(candidate) ?? 0) + (isExplicit(candidate) ? 1 : 0);
    if (count > 0) counts.set(ancestor, (counts.get(ancestor) ?? 0) + count);
  }
  return counts;
}

/** Returns true for the rail or the filled part of a slider: a box without content beside it. */
const isRail = ({ element, descendantCount }: Candidate, parents: ReadonlySet<Element | null>): boolean =>
  descendantCount === 0 && parents.has(composedParent(element)) && visibleText(element) === '';

/** Returns true for the label of an entry of a tree in a wider row that does nothing. */
const takesPlaceOf = (inner: Candidate, outer: Candidate): boolean =>
  outer.role === 'treeitem' && inner.pointer && !outer.pointer && !isExplicit(inner);

/** Returns true for what is all of an entry whose role stands on the box around it: a link, a button, an element with the focus or the handlers. */
const isEntryControl = ({ letter, control }: Candidate, outer: Candidate): boolean =>
  ENTRY_ROLES.has(outer.role ?? '') && outer.basis === 'role' && letter !== 'I' && control === 'click';

/** An address to which a link does not lead away. */
const NO_TARGET = /^(?:#|javascript:|$)/i;

/** Returns true if the control in an entry takes its press; one that does nothing leaves it to an entry with handlers, and an arrow to the entry's text. */
function takesPressOf(inner: Candidate, outer: Candidate, { handlers }: ObservationContext): boolean {
  const { element, tag } = inner;
  const isHandled = handlers.get(outer.element)?.press === true;
  if (!isExplicit(inner))
    return (
      !isHandled && lengthOf(visibleText(element)) === lengthOf(textBesideControls(outer.element, false))
    );
  if (!isHandled || handlers.get(element)?.press === true) return true;
  return tag === 'a' && !NO_TARGET.test(getAttribute(element, 'href')?.trim() ?? '');
}

/** Pictures, which an entry can show beside its text. */
const PICTURES = 'img, svg, canvas, [role=img]';

/** Returns true for a button that the keyboard reaches, in an entry that opens something or shows a picture beside it. */
function hasPurposeOfItsOwn({ element, tag }: Candidate, { element: entry }: Candidate): boolean {
  if ((tag !== 'button' && tag !== 'input') || isPassive(element)) return false;
  const isBeside = (picture: Element): boolean => !composedContains(element, picture);
  return hasAttribute(entry, 'aria-expanded') || Array.from(queryAllIn(entry, PICTURES)).some(isBeside);
}

/** Returns true for an element that the keyboard does not reach, or that says that it is no control. */
function isPassive(element: Element): boolean {
  const role = getAttribute(element, 'role');
  return role === 'presentation' || role === 'none' || getAttribute(element, 'tabindex') === '-1';
}

const isTick = ({ control }: Candidate): boolean => control === 'checkbox' || control === 'radio';

const ENTRY_ROLES: ReadonlySet<string> = new Set(
  'option menuitem menuitemcheckbox menuitemradio treeitem tab'.split(' '),
);

/** Returns true if the inner element is part of a control and does nothing itself: a link in a tab, a span in a button. */
function isPartOfControl(inner: Candidate, outer: Candidate, { handlers }: ObservationContext): boolean {
  if (!isExplicit(outer) || outer.control === 'contenteditable') return false;
  // The drawn box of an option that is chosen with others, and the handle or the stars of a slider.
  if (outer.role === 'option' && inner.control === 'checkbox') return true;
  // The input by which a drawn check box or switch takes part in a form.
  if (isTick(outer) && isTick(inner) && inner.tag === 'input' && hasAttribute(outer.element, 'aria-checked'))
    return true;
  if (isSlider(outer)) return !isExplicit(inner) || inner.control === 'range';
  if (isButtonDuplicate(inner, outer)) return true;
  if (!isExplicit(inner) && getRootNode(inner.element) === shadowRootOf(outer.element)) return true;
  if (inner.basis === 'scroll' || inner.letter === 'I') return false;
  if (outer.role === 'combobox' && outer.tag !== 'select' && inner.basis === 'role') return false;
  if (isExplicit(inner) && !isPassive(inner.element) && outer.basis !== 'role') return false;
  const text = visibleText(inner.element);
  const isList = outer.role === 'combobox' && outer.tag !== 'select';
  const whole = isList ? comboboxText(outer.element) : visibleText(outer.element);
  // The halves of a star.
  if (isTick(outer) && text === '' && !isExplicit(inner)) return true;
  // A text in an entry of a list that takes no clicks closes its tooltip when the pointer goes down.
  const isText =
    inner.basis === 'handler' && lengthOf(text) > 0 && handlers.get(inner.element)?.click !== true;
  if (isText && ENTRY_ROLES.has(outer.role ?? '') && whole.includes(text)) return true;
  // The ripple and the touch area of a button.
  if (text === '' && !isExplicit(inner) && fills(inner, outer)) return true;
  // An arrow beside the label of an entry is no word, and the box to tick beside it has a line of its own.
  const isLabel = (words: string): boolean => lengthOf(text) > 0 && lengthOf(text) === lengthOf(words);
  const isWhole =
    text === whole ||
    isLabel(whole) ||
    (ENTRY_ROLES.has(outer.role ?? '') && isLabel(textBesideControls(outer.element, false)));
  return isWhole && (text !== '' || inner.basis !== 'handler');
}

/** Announcements stay while the pointer is over them: that is no action. */
const LIVE = '[role=alert], [role=status], [aria-live]';

const DRAWN_TICKS = ':scope > :is([role=checkbox], [role=switch], [role=radio])[aria-checked]';

/** Returns true for the hidden input by which a drawn check box, switch, radio button or star beside it takes part in a form. */
function isFormCopy({ element, tag, control }: Candidate): boolean {
  if (tag !== 'input' || (control !== 'checkbox' && control !== 'radio')) return false;
  if (getAttribute(element, 'tabindex') !== '-1') return false;
  if (getAttribute(element, 'aria-hidden') !== 'true')
    return boxOf(element).width < 2 && labelsOf(element).some(label => queryIn(label, BUTTONS) !== null);
  const parent = parentElement(element);
  return parent !== null && queryIn(parent, DRAWN_TICKS) !== null;
}

/** Returns true for a box that does only what the label in it or around it does: a press on it is one on the control. */
function isLabelOfControl({ element, basis }: Candidate): boolean {
  const around = closest(element, 'label');
  const label = around ?? queryIn(element, 'label');
  const control = label instanceof HTMLLabelElement ? label.control : null;
  // A label names a widget that is no native control too.
  if (control === null)
    return (
      label === element && matches(elementById(label, (label as HTMLLabelElement).htmlFor) ?? label, WIDGET)
    );
  const choosesFile = control instanceof HTMLInputElement && control.type === 'file';
  if (around !== null) return choosesFile || basis === 'cursor';
  return choosesFile && visibleText(element) === visibleText(label as Element);
}

const WIDGET = '[role=combobox], [role=listbox], [role=slider], [role=spinbutton]';

const WEEK_CELLS = [7, 8];

/** Returns true for an empty cell among the days of a week: the month has no day there. */
function isEmptyDay({ element, tag, role, basis }: Candidate): boolean {
  if ((tag !== 'td' && role !== 'gridcell') || !PRESSED_BY_CLICK.has(basis)) return false;
  if (getAttribute(element, 'aria-label') || getAttribute(element, 'title')) return false;
  const row = parentElement(element);
  if (row === null || !WEEK_CELLS.includes(childElementCount(row)) || visibleText(element) !== '')
    return false;
  const texts = Array.from(queryAllIn(row, ':scope > *'))
    .map(cell => visibleText(cell))
    .filter(text => text !== '');
  return texts.length > 0 && texts.every(text => /^\d{1,2}$/.test(text));
}

/** Returns true for the number in the day of a calendar that does nothing by itself: a press on it is one on the day. */
function isNumberOfDay({ element, basis, ancestor }: Candidate, { handlers }: ObservationContext): boolean {
  if (basis !== 'child' || ancestor?.basis !== 'child' || hasAttribute(element, 'tabindex')) return false;
  return !handlers.has(element) && /^\d{1,2}$/.test(visibleText(element)) && isCalendarDay(ancestor.element);
}

function isLabelOfGroup({ element, tag, basis }: Candidate): boolean {
  const id = tag === 'label' && basis !== 'scroll' ? getAttribute(element, 'id') : null;
  return (
    id !== null && id !== '' && queryDocument(document, `[aria-labelledby~="${CSS.escape(id)}"]`) !== null
  );
}
