/** Reads and answers the picker that the page has open: Chromium draws it beside the page. */

import type { OpenOption, OpenPicker, PickerType } from '../../../domain/session/takeOver.ts';
import { closest, isConnected, matches, queryDocument } from '../dom/domGetters.ts';
import { documentState } from '../dom/lifetimes.ts';
import { styleOf } from '../dom/styleOf.ts';
import { PICKED } from '../perceive/element/fields.ts';
import { normalizeText, truncate } from '../perceive/element/plainText.ts';
import { optionsOf } from './formControls.ts';
import { enterValue, focusedElement, setValue } from './textEntry.ts';
import { waitForFrames } from './waitForRest.ts';

const MAX_OPTIONS = 1_000;
const MAX_OPTION_LENGTH = 200;
/** Maximum wait for Chromium to draw a picker, in milliseconds. */
const MAX_DRAW_MS = 1_000;

interface ReadPicker {
  readonly input: HTMLInputElement;
  readonly suggestions: readonly string[];
  /** The value that keys choose; null before. */
  wanted: string | null;
  /** True if the page got that value with a trusted event; it may have changed it since. */
  isEntered: boolean;
}

const lastRead = documentState.value(() => ({ read: null as ReadPicker | null }));

function noteRead(input: HTMLInputElement, suggestions: readonly string[]): void {
  lastRead().read = { input, suggestions, wanted: null, isEntered: false };
}

/** Returns the open picker, or the suggestions of the focused field. @param isTouched then an input with a picker counts as open, as on a telephone */
export function openPicker(isTouched: boolean): OpenPicker | null {
  lastRead().read = null;
  // A page can open the picker of an input that has no focus, or none of its size. A frame that has lost the focus keeps its active element.
  const control = queryDocument(document, OPEN) ?? (document.hasFocus() ? focusedElement() : null);
  if (control instanceof HTMLSelectElement) return matches(control, ':open') ? listOf(control) : null;
  if (!(control instanceof HTMLInputElement) || matches(control, ':disabled, [readonly]:not(:open)'))
    return null;
  const type = control.type;
  if (!PICKED.test(type)) return suggestionsFor(control);
  if (!isTouched && !matches(control, ':open')) return null;
  noteRead(control, []);
  return pickerOf(control, type.replace('-', '_') as PickerType, []);
}

const OPEN = ':is(select, input):open';

/** Returns true if Chromium draws the picker that was read last, also two frames later: it takes the next key. */
export async function isPickerDrawn(): Promise<boolean> {
  const { read } = lastRead();
  const isOpen = (): boolean => read !== null && matches(read.input, ':open');
  if (isOpen()) await waitForFrames(2, MAX_DRAW_MS);
  return isOpen();
}

/**
 * Opens the picker that was read last anew, while the input keeps its value, so that it shows `value` and Enter chooses it. Needs a user
 * gesture. False if the page got the value, or Chromium draws no picker that could choose it with one key, as for a colour.
 */
export function reopenPicker(value: string): boolean {
  const { read } = lastRead();
  if (read === null || read.suggestions.length > 0 || !isConnected(read.input)) return false;
  const { input } = read;
  const before = input.value;
  if (read.isEntered || before === value || input.type === 'color' || matches(input, ':open')) return false;
  setValue(input, value);
  // Without a value that the input allows, Enter would choose another one: without any, the present day or time.
  const isAllowed = value !== '' && input.value === value && input.validity.valid;
  try {
    if (isAllowed) HTMLInputElement.prototype.showPicker.call(input);
  } catch {
    // A frame of another site may not open one.
  }
  setValue(input, before);
  if (!matches(input, ':open')) return false;
  read.wanted = value;
  addEventListener('input', noteEntered, true);
  return true;
}

function noteEntered(event: Event): void {
  const { read } = lastRead();
  if (event.isTrusted && read !== null && event.composedPath()[0] === read.input)
    read.isEntered ||= read.input.value === read.wanted;
}

/** Gives the input that was read last a suggestion, by its number, or a value that it takes, and reports it to the page if that did not get it yet. */
export function answerPicker(option: number | null, text: string | null): void {
  const { read } = lastRead();
  const value = option === null ? text : read?.suggestions[option];
  if (read === null || value == null || read.isEntered) return;
  if (read.input.value !== value && isConnected(read.input)) enterValue(read.input, value);
}

/** Returns the options that Chromium's list shows and its keys reach. */
function listOf(select: HTMLSelectElement): OpenPicker {
  const options = optionsOf(select)
    .filter(({ index }) => isOptionShown(select.options[index]))
    .map(({ label, selected, disabled }) => optionOf(label, selected, disabled));
  return { type: 'select', value: '', min: '', max: '', step: '', options: options.slice(0, MAX_OPTIONS) };
}

function isOptionShown(option: HTMLOptionElement | undefined): boolean {
  if (option === undefined || styleOf(option).display === 'none') return false;
  const group = closest(option, 'optgroup');
  return group === null || styleOf(group).display !== 'none';
}

/** Returns the suggestions that go with the text of the field, as Chromium filters them; null for none. */
function suggestionsFor(input: HTMLInputElement): OpenPicker | null {
  const typed = input.value.toLowerCase();
  const options = Array.from(input.list?.options ?? [])
    .filter(
      ({ value, label, disabled }) =>
        !disabled && value !== '' && `${value}\n${label}`.toLowerCase().includes(typed),
    )
    .slice(0, MAX_OPTIONS);
  const suggestions = options.map(({ value }) => value);
  if (suggestions.every(value => value === input.value)) return null;
  noteRead(input, suggestions);
  const shown = options.map(({ value, label }) =>
    optionOf(label === '' || label === value ? value : `${value}: ${label}`, false, false),
  );
  return pickerOf(input, 'suggestions', shown);
}

const pickerOf = (
  { value, min, max, step }: HTMLInputElement,
  type: PickerType,
  options: readonly OpenOption[],
): OpenPicker => ({ type, value: type === 'suggestions' ? '' : value, min, max, step, options });

const optionOf = (label: string, selected: boolean, disabled: boolean): OpenOption => ({
  label: truncate(normalizeText(label), MAX_OPTION_LENGTH),
  selected,
  disabled,
});
