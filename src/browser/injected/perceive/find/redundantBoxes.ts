/** Recognizes boxes that are no action of their own: what is in them is listed, and they only handle events for it. */

import {
  boxOf,
  checkVisibility,
  closest,
  composedContains,
  firstElementChild,
  getAttribute,
  localName,
  matches,
  nextElementSibling,
  previousElementSibling,
  queryAllIn,
  queryIn,
} from '../../dom/domGetters.ts';
import { styleOf } from '../../dom/styleOf.ts';
import { FIELDS } from '../../dom/vocabulary.ts';
import { type Candidate, isExplicit } from '../candidate.ts';
import { textBesideControls, visibleText } from '../element/renderedText.ts';
import { displayOf } from '../element/visibility.ts';
import { accessibleName } from '../name/accessibleName.ts';
import { isCalendarDay, isWeekColumn } from '../name/weekColumns.ts';
import type { ObservationContext } from '../observationContext.ts';
import { hasOwnText } from './eventDelegation.ts';

/** The inner candidate takes at least this part of the area of the outer one. */
const MIN_AREA_PART = 0.6;

/** The attributes that name an element which shows no text; the text of the box around it includes them. */
const NAMES = ['aria-label', 'title'] as const;

/** Returns true if the outer box adds neither text nor a larger click area to the single candidate in it. */
export function isDuplicateOf(outer: Candidate, inner: Candidate): boolean {
  const text = visibleText(outer.element);
  const texts = [visibleText(inner.element), ...NAMES.map(name => getAttribute(inner.element, name))];
  if (!texts.includes(text)) return false;
  if (isIconIn(inner, outer)) return false;
  return text !== '' || isExplicit(inner) || fills(inner, outer);
}

/** Returns true for the drawing in a box that has no more than it: the box has the class that names the icon. */
export const isIconIn = (inner: Candidate, outer: Candidate): boolean =>
  inner.tag === 'svg' &&
  outer.tag !== 'svg' &&
  !isExplicit(inner) &&
  visibleText(outer.element) === '' &&
  fills(inner, outer);

/** Returns true if a box that is dragged, or takes what is dropped, contains nothing but another one. */
export const isDragDuplicate = (outer: Candidate, inner: Candidate): boolean =>
  outer.basis === 'drag' && inner.basis === 'drag' && isDuplicateOf(outer, inner) && fills(inner, outer);

/** Returns true for a button in a button with the same name that takes most of its area: a press on it is a press on both. */
export function isButtonDuplicate(inner: Candidate, outer: Candidate): boolean {
  if (inner.role !== 'button' || outer.role !== 'button') return false;
  const name = accessibleName(inner.element, inner.tag, false);
  return name !== '' && name === accessibleName(outer.element, outer.tag, false) && fills(inner, outer);
}

export function fills(inner: Candidate, outer: Candidate): boolean {
  const [part, whole] = [boxOf(inner.element), boxOf(outer.element)];
  return part.width * part.height >= whole.width * whole.height * MIN_AREA_PART;
}

/** A box with more candidates only handles their events, unless it has a pointer cursor or text of its own. */
const MAX_DESCENDANTS = 8;

/** Returns true for a mere container. @param inner what it contains directly @param controls number of explicit controls in it @param dropPlaces innermost boxes for drops */
export function isRedundantBox(
  outer: Candidate,
  inner: readonly Candidate[],
  controls: number,
  context: ObservationContext,
  dropPlaces: ReadonlySet<Candidate>,
): boolean {
  // The box of a list of choices, in the first version of the pattern; its input has the same role in the later ones.
  if (outer.role === 'combobox' && outer.letter === 'B')
    return inner.some(one => isTextInput(one, outer)) || showsInput(outer);
  if (isExplicit(outer) || outer.control === 'canvas') return false;
  if (isRowResizer(outer)) return true;
  if (outer.descendantCount === 0) return false;
  const isSliderBox = inner.every(isSlider) || (controls === 1 && queryIn(outer.element, SLIDER) !== null);
  if (outer.basis !== 'scroll' && isSliderBox && addsNoText(outer, inner)) return true;
  if (outer.basis !== 'scroll' && inner.length === 1 && inner.every(isListOpener)) return true;
  if (outer.basis !== 'scroll' && controls === 1 && isBoxOfList(outer)) return true;
  switch (outer.basis) {
    case 'scroll':
    case 'target':
    case 'keys':
      return false;
    case 'drag': {
      // Of several places, such as the columns of a board, each is listed; the only one is that of the entries of a list.
      outer.holdsDragged =
        outer.takesDrops && dropPlaces.size > 1 && dropPlaces.has(outer) && inner.some(isDraggedText);
      if (outer.holdsDragged) return false;
      const [only] = inner;
      const isDuplicate = only !== undefined && inner.length === 1 && isDragDuplicate(outer, only);
      if (isDuplicate && (only.dragged || !outer.dragged)) return true;
      if (outer.dragged) return false;
      if (outer.takesDrops && (hasSeveralDragged(inner) || !dropPlaces.has(outer))) return true;
      if (queryIn(outer.element, EDITOR) !== null && addsNoText(outer, inner)) return true;
      if (outer.descendantCount > MAX_DESCENDANTS) return true;
      return inner.length > 1 && addsNoText(outer, inner);
    }
    case 'focus':
      return true;
    case 'hover':
      if (inner.every(({ shownBy }) => shownBy === outer.element)) return true;
      if (hasOwnText(outer.element)) return false;
      if (!context.styleRules.opensOnHover(outer.element)) return true;
      return !hidesContent(outer.element, inner) && addsNoText(outer, inner);
    default:
      return isContainer(outer, inner, controls, context);
  }
}

export function dropPlacesOf(candidates: readonly Candidate[]): ReadonlySet<Candidate> {
  const places = new Set(candidates.filter(({ takesDrops }) => takesDrops));
  for (const { takesDrops, ancestor } of candidates)
    for (let outer = takesDrops ? ancestor : null; outer !== null; outer = outer.ancestor)
      places.delete(outer);
  return places;
}

const isDraggedText = ({ dragged, element }: Candidate): boolean =>
  dragged && lengthOf(visibleText(element)) > 0;

const hasSeveralDragged = (inner: readonly Candidate[]): boolean =>
  inner.filter(({ dragged }) => dragged).length > 1;

/** A text editor: the boxes around it take what is dropped into its text. */
const EDITOR = '[contenteditable=""], [contenteditable=true]';

function isContainer(
  outer: Candidate,
  inner: readonly Candidate[],
  controls: number,
  context: ObservationContext,
): boolean {
  const only = inner.length === 1 ? inner[0] : undefined;
  if (isDayOfCalendar(outer) && inner.every(one => isSmallPart(one, outer))) return false;
  if (only !== undefined && only.basis !== 'scroll' && only.basis !== 'drag' && isDuplicateOf(outer, only))
    return true;
  // The cell around the handle of a row.
  if (only?.basis === 'drag' && outer.tag === 'td' && visibleText(outer.element) === '') return true;
  if (inner.length > 1 && inner.some(one => PRESSED_BY_CLICK.has(one.basis)) && addsNoText(outer, inner))
    return true;
  if (inner.length > 1 && inner.every(isExplicit) && addsNoText(outer, inner) && areFilling(inner, outer))
    return true;
  if (controls > 1 && isPressedEntry(outer, context)) return false;
  if (!outer.pointer && controls > 1) return true;
  if (
    controls > 0 &&
    (!outer.pointer || inner.every(({ letter }) => letter === 'I')) &&
    addsNoText(outer, inner)
  )
    return true;
  // Only the cursor makes the box a candidate, and its entries are what users click.
  if (outer.basis === 'cursor' && inner.length > 1 && addsNoText(outer, inner)) return true;
  const { width, height } = boxOf(outer.element);
  const share = (width * height) / Math.max(1, context.width * context.height);
  if (share > 0.8) return true;
  if (outer.pointer || hasOwnText(outer.element)) return false;
  return outer.descendantCount > MAX_DESCENDANTS || share > 0.5;
}

/** Maximum part of the window that an entry with controls covers. */
const MAX_ENTRY_PART = 0.2;

/** Returns true for a box with words and handlers of its own that the keyboard reaches, or that stands among others with handlers: a row, a card. */
function isPressedEntry(
  { element, tag, basis, descendantCount }: Candidate,
  context: ObservationContext,
): boolean {
  const { handlers, width, height } = context;
  if (basis !== 'handler' || descendantCount > MAX_DESCENDANTS || handlers.get(element)?.press !== true)
    return false;
  const box = boxOf(element);
  if (box.width * box.height > MAX_ENTRY_PART * width * height) return false;
  if (!/\p{L}{2}/u.test(textBesideControls(element, false)) || isCardOfLink(element)) return false;
  if ((getAttribute(element, 'tabindex') ?? '-1') !== '-1') return true;
  return [previousElementSibling(element), nextElementSibling(element)].some(
    one => one !== null && localName(one) === tag && handlers.get(one)?.press === true,
  );
}

/**
 * Returns true for a card with one destination, whose title is the link to it: people expect that a press on the card follows that link.
 * The row of a table can have a link and do something else, such as to open its details.
 */
function isCardOfLink(element: Element): boolean {
  if (matches(element, 'tr, [role=row]')) return false;
  const links = Array.from(queryAllIn(element, 'a[href]')).filter(link => visibleText(link) !== '');
  const [first] = links;
  if (first === undefined || new Set(links.map(link => getAttribute(link, 'href'))).size > 1) return false;
  const isHeading = closest(first, HEADING) !== null || queryIn(first, HEADING) !== null;
  return isHeading || visibleText(element).startsWith(visibleText(first));
}

const HEADING = 'h1, h2, h3, h4, h5, h6, [role=heading]';

/** Returns true for the day of a calendar that takes presses for itself: a link in it leads elsewhere. */
const isDayOfCalendar = ({ element, basis }: Candidate): boolean =>
  basis === 'child' && (isCalendarDay(element) || isWeekColumn(element));

/** Maximum part of the area of a day that a link or an event in it covers. */
const MAX_PART = 0.5;

function isSmallPart(inner: Candidate, outer: Candidate): boolean {
  const [part, whole] = [boxOf(inner.element), boxOf(outer.element)];
  return part.width * part.height < whole.width * whole.height * MAX_PART;
}

/** The reasons for which a press on a part is also a press on the box around it, because the event goes on to the box. */
export const PRESSED_BY_CLICK: ReadonlySet<string> = new Set(['handler', 'child', 'cursor']);

/** Returns true if a box shows no text besides that of the candidates in it and their names. */
function addsNoText(outer: Candidate, inner: readonly Candidate[]): boolean {
  const outerLength = lengthOf(visibleText(outer.element));
  return inner.reduce((sum, part) => sum + shownLength(part), 0) >= outerLength;
}

/** Returns true for the input of a list of choices: a press on it, or on the box that shows what is chosen, opens the list. */
const isListOpener = ({ role, letter, tag }: Candidate): boolean =>
  role === 'combobox' && letter === 'I' && tag === 'input';

/** Returns true for a box that shows only the name and the value of the list of choices in it. */
function isBoxOfList({ element }: Candidate): boolean {
  const input = queryIn(element, 'input[role=combobox]');
  if (input === null) return false;
  const own = accessibleName(input, 'input', false) + (input as HTMLInputElement).value;
  return lengthOf(visibleText(element)) <= lengthOf(own);
}

const isTextInput = ({ tag, letter, element }: Candidate, outer: Candidate): boolean =>
  tag === 'input' &&
  letter === 'I' &&
  !isInPopup(element, outer) &&
  !isOutOfReach(element) &&
  !matches(element, UNUSED_INPUT) &&
  checkVisibility(element, { visibilityProperty: true });

/** The open list of a list of choices; the input in it searches the list. */
const POPUP = '[role=listbox], [role=dialog], [role=tree], [role=grid]';

function isInPopup(input: Element, list: Candidate): boolean {
  const popup = closest(input, POPUP);
  return popup !== null && popup !== list.element && composedContains(list.element, popup);
}

/** Returns true for an input that neither the pointer nor the keyboard reaches: the box around it takes both. */
const isOutOfReach = (input: Element): boolean =>
  getAttribute(input, 'tabindex') === '-1' && styleOf(input).pointerEvents === 'none';

/** An input that neither people nor screen readers use: the box around it is the control. */
const UNUSED_INPUT = '[aria-hidden=true], [readonly][tabindex="-1"]';

const SLIDER = '[role=slider], input[type=range]';

/** Returns true if a box contains exactly one field, a text field that people see. */
function showsInput(outer: Candidate): boolean {
  const { element } = outer;
  const [only, second] = queryAllIn(element, FIELDS);
  return (
    only !== undefined &&
    second === undefined &&
    matches(only, 'input:not([type=hidden], [type=search])') &&
    !matches(only, UNUSED_INPUT) &&
    !isInPopup(only, outer) &&
    !isOutOfReach(only) &&
    checkVisibility(only, { visibilityProperty: true, opacityProperty: true })
  );
}

export const isSlider = ({ control }: Candidate): boolean => control === 'slider' || control === 'range';

/** Returns the number of letters and digits that a candidate shows; for a field with those of its label, which is elsewhere in the box. */
function shownLength(candidate: Candidate): number {
  const { element, tag, letter } = candidate;
  const text = visibleText(element);
  if (letter !== 'I' && candidate.role !== 'combobox')
    return Math.max(
      ...[text, getAttribute(element, 'aria-label') ?? '', getAttribute(element, 'title') ?? ''].map(
        lengthOf,
      ),
    );
  const name = accessibleName(element, tag, false);
  return lengthOf(text.includes(name) ? text : name + text);
}

export const lengthOf = (text: string): number => text.replace(/[^\p{L}\p{N}]/gu, '').length;

/** Maximum width or height of a line that is dragged to change the size of a column or a row. CSS pixels. */
const MAX_RESIZER_PX = 14;

/** Returns true for a line by which each row of a table changes the size of a column: the header of the table has it too. */
function isRowResizer({ element, style, basis }: Candidate): boolean {
  if (basis === 'scroll') return false;
  if (!/^(col|ew|row|ns)-resize$/.test(style.cursor) && !/resiz/i.test(getAttribute(element, 'class') ?? ''))
    return false;
  const { width, height } = boxOf(element);
  if (Math.min(width, height) > MAX_RESIZER_PX) return false;
  return closest(element, HEADER) === null && closest(element, '[role=row], tr') !== null;
}

const HEADER = 'th, thead, [role=columnheader], [role=rowheader], [class*=header]';

/** Returns true if a child of an element is not rendered and not listed: it may open when the pointer is over the element. */
function hidesContent(element: Element, inner: readonly Candidate[]): boolean {
  for (let child = firstElementChild(element); child !== null; child = nextElementSibling(child)) {
    if (/^(script|style|template)$/.test(localName(child)) || displayOf(child).shown) continue;
    const { display } = displayOf(child);
    if (display === 'none' || !inner.some(one => child.contains(one.element))) return true;
  }
  return false;
}

/** The controls in a box that are the box take at least this part of its area. */
const MIN_CONTROLS_PART = 0.5;

function areFilling(inner: readonly Candidate[], outer: Candidate): boolean {
  const areaOf = ({ element }: Candidate) => boxOf(element).width * boxOf(element).height;
  return inner.reduce((sum, one) => sum + areaOf(one), 0) >= areaOf(outer) * MIN_CONTROLS_PART;
}
