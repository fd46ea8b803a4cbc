/** Reads the state of form controls, and the values that they accept, for actions on them. */
import { closest, getAttribute, matches } from '../dom/domGetters.ts';
import { isCustomChecked } from '../perceive/element/customElement.ts';
import { optionText } from '../perceive/element/optionText.ts';
import { statedTraits } from '../perceive/element/statedTraits.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import { statesChecked } from '../perceive/elementState.ts';
import type { ValueRange } from './valueRange.ts';

/** One option of a `select`. */
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

/** Returns the options of a `select`; none when the element has left the document. */
export function readOptions(key: number): SelectOption[] {
  const select = elementByKey(key);
  if (select === null) return [];
  return Array.from((select as HTMLSelectElement).options, (option, index) => {
    const { listed, names } = optionText(option);
    const isDisabled = option.disabled || closest(option, 'optgroup[disabled]') !== null;
    const { value, selected } = option;
    return { index, label: listed, names, value, disabled: isDisabled, selected };
  });
}

/** Returns true for a `select` whose list is open. */
export function isOpenList(key: number): boolean {
  const select = elementByKey(key);
  return select !== null && matches(select, 'select:open');
}

/**
 * Returns whether a checkbox, radio button or switch is checked; null when the element has no such state or has left the document, and
 * `stated` for one that states it only to the browser.
 */
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

/** Returns true if the element is an `input` and its current value is not `value`. */
export function differsFrom(key: number, value: string): boolean {
  const element = elementByKey(key);
  return element instanceof HTMLInputElement && element.value !== value;
}

/**
 * Returns why this input does not accept a text as its value: `malformed`, or the range that a number lies outside of; null
 * if it accepts it, and for an element that is not an `input`. Tests the text on a new input outside of the document, so
 * that the page does not notice.
 */
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
