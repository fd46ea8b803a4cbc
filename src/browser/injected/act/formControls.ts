/** Reads the state of form controls, and the values that they accept, for actions on them. */
import { MASK } from '../../../domain/space/pageText.ts';
import {
  boxOf,
  checkVisibility,
  closest,
  composedContains,
  composedParent,
  elementById,
  getAttribute,
  matches,
  queryAllDocument,
  queryAllFragment,
  queryAllIn,
  textContent,
} from '../dom/domGetters.ts';
import { isSecretField } from '../dom/secretFields.ts';
import { isCustomChecked, statedTraits } from '../perceive/element/customElement.ts';
import { optionText } from '../perceive/element/fields.ts';
import { normalizeText, truncate } from '../perceive/element/plainText.ts';
import { shadowRootOf } from '../perceive/element/shadowRootOf.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import { statesChecked } from '../perceive/elementState.ts';
import { minutesOfDay, type TimeRow, timeRows } from '../perceive/name/weekColumns.ts';
import { deepestElementAt } from '../perceive/reach/hitTest.ts';
import { expectOwnScroll } from '../settle/quiet.ts';
import type { ValueRange } from './sliderReadings.ts';
import { heldText } from './textEntry.ts';

/** Returns true if a press on the element sends a form: it is in a button for that, or has one in it. */
export function submitsForm(key: number): boolean {
  const element = elementByKey(key);
  if (element === null) return false;
  const submits = 'button:not([type=button i], [type=reset i]), input:is([type=submit i], [type=image i])';
  for (let at: Element | null = element; at !== null; at = composedParent(at))
    if (matches(at, submits)) return (at as HTMLButtonElement).form !== null;
  return queryAllIn(element, submits).length > 0;
}

export interface OfferedOptions {
  readonly held: string;
  readonly options: readonly string[];
  readonly count: number;
}

/** Maximum number of options whose texts the note of a step lists. */
const MAX_OPTIONS = 5;
const MAX_TEXT_LENGTH = 60;
const OPTION = '[role=option], [role=treeitem], [role=row]';

export function offeredOptions(key: number): OfferedOptions | null {
  const element = elementByKey(key);
  const host = element === null ? null : comboboxOf(element);
  const text = element === null ? '' : isSecretField(element) ? MASK : heldText(element);
  const held = normalizeText(text ?? '');
  if (element === null || host === null || held === null || held === '') return null;
  const lists = [element, host].flatMap(one =>
    `${getAttribute(one, 'aria-controls') ?? ''} ${getAttribute(one, 'aria-owns') ?? ''}`
      .split(/\s+/)
      .map(id => (id === '' ? null : elementById(one, id)))
      .filter(list => list !== null),
  );
  const found = lists.length > 0 ? [...new Set(lists)].flatMap(optionsIn) : optionsOfPage();
  const texts = [...new Set(found)]
    .filter(option => checkVisibility(option, { checkOpacity: true, checkVisibilityCSS: true }))
    .map(option => normalizeText(textContent(option) ?? ''))
    .filter(text => text !== '');
  const options = texts.slice(0, MAX_OPTIONS).map(text => truncate(text, MAX_TEXT_LENGTH));
  // A list that the field does not name may be one that no selector finds.
  if (texts.length === 0 && lists.length === 0) return null;
  return { held: truncate(held, MAX_TEXT_LENGTH), options, count: texts.length };
}

/** Returns the options in a list, also those that the user of a web component has put into its slots. */
function optionsIn(list: Element): readonly Element[] {
  const slotted = Array.from(queryAllIn(list, 'slot')).flatMap(slot =>
    slot instanceof HTMLSlotElement ? slot.assignedElements({ flatten: true }) : [],
  );
  const inSlots = slotted.flatMap(one => [
    ...(matches(one, OPTION) ? [one] : []),
    ...queryAllIn(one, OPTION),
  ]);
  return [...queryAllIn(list, OPTION), ...inSlots];
}

/** Returns the element that says that a field is a combobox: the field, or the box around it. */
function comboboxOf(element: Element): Element | null {
  if (/^(list|both)$/.test(getAttribute(element, 'aria-autocomplete') ?? '')) return element;
  for (const one of [element, composedParent(element)])
    if (one !== null && getAttribute(one, 'role') === 'combobox') return one;
  return null;
}

/** Returns the options of the lists of the page, also in shadow trees: a field of a web component cannot name a list outside of its own tree. */
function optionsOfPage(): readonly Element[] {
  const found: Element[] = [];
  // Not a recursion: a page can nest shadow trees deeper than the call stack allows.
  const left: Element[] = Array.from(queryAllDocument(document, '*')).reverse();
  for (let element = left.pop(); element !== undefined; element = left.pop()) {
    if (getAttribute(element, 'role') === 'option') found.push(element);
    const shadow = shadowRootOf(element);
    if (shadow !== null) left.push(...Array.from(queryAllFragment(shadow, '*')).reverse());
  }
  return found;
}

/** Distance below the line of a time at which it is pressed. CSS pixels. */
const BELOW_LINE_PX = 2;

/** Returns the point of a time of a day in a week view, scrolled into view; null if nothing free of it is there. */
export function timePoint(key: number, time: string): readonly [number, number] | null {
  const day = elementByKey(key);
  const minutes = minutesOfDay(time);
  if (day === null || minutes === null) return null;
  const rows = timeRows(day);
  const index = rows.findLastIndex(row => row.minutes <= minutes);
  const row = rows[index];
  if (row === undefined) return null;
  const length =
    (rows[index + 1]?.minutes ?? row.minutes + row.minutes - (rows[index - 1]?.minutes ?? 0)) - row.minutes;
  if (minutes >= row.minutes + length) return null;
  const part = (minutes - row.minutes) / length;
  const inView = freeTimePoint(day, row, part, false);
  if (inView !== null) return inView;
  expectOwnScroll();
  Element.prototype.scrollIntoView.call(row.element, {
    block: 'center',
    inline: 'nearest',
    behavior: 'instant',
  });
  return freeTimePoint(day, row, part, true);
}

/** Returns the point at a part (0 to 1) of a row; null if something else lies there. @param isInView then the box around it may */
function freeTimePoint(
  day: Element,
  row: TimeRow,
  part: number,
  isInView: boolean,
): readonly [number, number] | null {
  const column = boxOf(day);
  const slot =
    row.offset === undefined ? boxOf(row.element) : { top: column.top + row.offset, height: row.height ?? 0 };
  const x = column.left + column.width / 2;
  const y = slot.top + slot.height * part + BELOW_LINE_PX;
  const top = deepestElementAt(x, y);
  // The rows of a table of times can lie above the days, and take the presses for them.
  const rowsTable = closest(row.element, 'table') ?? row.element;
  const isFree =
    top !== null &&
    (composedContains(day, top) ||
      composedContains(rowsTable, top) ||
      (isInView && composedContains(top, row.element)));
  return isFree ? [x, y] : null;
}

export interface SelectOption {
  readonly index: number;
  /** The text of the option in lists: `Monday: Evening`. */
  readonly label: string;
  /** All texts that name the option. */
  readonly names: readonly string[];
  readonly value: string;
  readonly disabled: boolean;
  readonly selected: boolean;
}

export function readOptions(key: number): SelectOption[] {
  const select = elementByKey(key);
  return select === null ? [] : optionsOf(select as HTMLSelectElement);
}

export function optionsOf(select: HTMLSelectElement): SelectOption[] {
  return Array.from(select.options, (option, index) => {
    const { listed, names } = optionText(option);
    const isDisabled = option.disabled || closest(option, 'optgroup[disabled]') !== null;
    const { value, selected } = option;
    return { index, label: listed, names, value, disabled: isDisabled, selected };
  });
}

export function isOpenList(key: number): boolean {
  const select = elementByKey(key);
  return select !== null && matches(select, 'select:open');
}

/** Returns the state; null for an element without one, `stated` for one that states it only to the browser. */
export function isChecked(key: number): boolean | 'stated' | null {
  const element = elementByKey(key);
  if (element === null) return null;
  if (element instanceof HTMLInputElement && !statesChecked(element)) return element.checked;
  if (statedTraits(element) !== null) return 'stated';
  const state = ['aria-checked', 'aria-selected', 'aria-pressed']
    .map(name => getAttribute(element, name))
    .find(value => value !== null);
  return state === undefined ? isCustomChecked(element) : state === 'true';
}

export function differsFrom(key: number, value: string): boolean {
  const element = elementByKey(key);
  return element instanceof HTMLInputElement && element.value !== value;
}

/** Returns why an input does not take a text. Tests a new input outside of the document, so that the page does not notice. */
export function valueProblem(key: number, text: string): 'malformed' | ValueRange | null {
  const element = elementByKey(key);
  if (!(element instanceof HTMLInputElement)) return null;
  const probe = document.createElement('input');
  probe.type = element.type;
  if (probe.type === 'range') {
    if (text.trim() === '' || !Number.isFinite(Number(text))) return 'malformed';
    const [min, max] = [numberOf(element.min, 0), numberOf(element.max, 100)];
    const isInside = Number(text) >= min && Number(text) <= Math.max(min, max);
    return isInside ? null : { min, max: Math.max(min, max), held: element.value };
  }
  probe.value = text;
  const isAccepted =
    probe.value !== '' && (probe.type !== 'color' || probe.value === text.trim().toLowerCase());
  return isAccepted ? null : 'malformed';
}

const numberOf = (attribute: string, whenAbsent: number): number =>
  attribute.trim() === '' || !Number.isFinite(Number(attribute)) ? whenAbsent : Number(attribute);
