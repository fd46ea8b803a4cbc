/**
 * Prepares a field for typing, and decides whether the value has arrived. `values/typeText` enters it as a person would: it presses the field, and types
 * over its content. Then the field is read back:
 * - An input of one format (a date, a color, a range) must hold the same value.
 * - Any other field must hold what a person reads as the same (`isSameValue`). Lines and words must not be joined.
 * - An editor must have changed, and hold each line: what else it shows is its own.
 * - The page may keep a fixed beginning or end, such as `+47 ` or `.com`. It is found by emptying the field; the value is what stands beside it.
 * - The value may be passed on: to the text around an emptied field, as a tag, or to other fields, as the digits of a code.
 * - An emptied field may hold a format: the places of a mask, a sign, a unit.
 * - A field that people cannot see is not read: the script that draws the visible one empties it.
 * Everything else is VALUE_REFUSED, with what the field holds.
 */

import { cutText } from '../../../domain/space/pageText.ts';
import { around, WIDGET_LEVELS } from '../dom/around.ts';
import {
  activeElementOf,
  boxOf,
  checkVisibility,
  composedContains,
  composedParent,
  fieldValue,
  firstChild,
  firstElementChild,
  getAttribute,
  innerText,
  isContentEditable,
  isElement,
  lastChild,
  localName,
  matches,
  nextSibling,
  previousSibling,
  queryAllIn,
  shadowActiveElement,
  textContent,
} from '../dom/domGetters.ts';
import { documentState, step } from '../dom/lifetimes.ts';
import { isSecretField, markSecretField, noteSecretValue } from '../dom/secretFields.ts';
import { orNull } from '../dom/skipped.ts';
import { normalizeText } from '../perceive/element/plainText.ts';
import { hasFocus } from '../perceive/element/shadowRootOf.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import { isEditingHost } from '../perceive/find/interactionHints.ts';
import { type PressResult, pressResult } from './clickGuard.ts';
import { isSameValue, keepsLines, lacksLine, lettersAndDigits } from './isSameValue.ts';
import { armKeyGuard, endKeyGuard, type FocusTaker, takerOfKeys } from './keyGuard.ts';
import { waitForRest } from './waitForRest.ts';

export const isPresent = (key: number): boolean => elementByKey(key) !== null;

/**
 * Calls `click()` of the element with this key: the page's handlers run, but the pointer does not move. Does nothing when
 * the element has left the document.
 */
export function clickElement(key: number): void {
  (elementByKey(key) as HTMLElement | null)?.click();
}

/** Focuses the element with this key. Does nothing when it has left the document. */
export function focusElement(key: number): void {
  const element = elementByKey(key);
  // A form field named `focus` hides the method of its form.
  const { focus } = element instanceof SVGElement ? SVGElement.prototype : HTMLElement.prototype;
  if (element !== null) focus.call(element);
}

/** Sets the value and reports it to the page, as the end of a drag and a picker do. Does nothing if the input has left the document. */
export function setInputValue(key: number, value: string): void {
  const input = elementByKey(key);
  if (input instanceof HTMLInputElement) enterValue(input, value);
}

/** Sets the value of an input without a word to the page. */
export function setValue(input: HTMLInputElement, value: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
}

export function enterValue(input: HTMLInputElement, value: string): void {
  setValue(input, value);
  for (const type of ['input', 'change'])
    EventTarget.prototype.dispatchEvent.call(input, new Event(type, { bubbles: true, composed: true }));
}

/** Returns true if the element is in a positioned box, such as a popup, and a field outside of the box has the focus. */
export function isInPopupOfFocus(key: number): boolean {
  const element = elementByKey(key);
  const focused = document.activeElement;
  if (element === null || !(focused instanceof HTMLInputElement) || focused === element) return false;
  for (
    let at = composedParent(element);
    at !== null && !composedContains(at, focused);
    at = composedParent(at)
  )
    if (/^(absolute|fixed)$/.test(getComputedStyle(at).position)) return true;
  return false;
}

/** The present step: `isSecret` is true if it enters a secret. */
const entering = step.value(() => ({ isSecret: false }));

/** Starts to remember. Call it once for each document. */
export function watchSecretEntry(): void {
  const note = (event: Event): void => {
    const [element] = event.composedPath();
    if (!(element instanceof Node) || !isElement(element)) return;
    // The page has moved the focus to another field while a secret was typed.
    const receivesSecret = event.type === 'input' && event.isTrusted && entering().isSecret;
    if (receivesSecret && !isSecretField(element)) markSecretField(element);
    if (isSecretField(element)) noteSecretValue(element);
  };
  // Before the page reacts: it may change the type of the field then.
  for (const type of ['focusin', 'input', 'focusout'])
    addEventListener(type, note, { capture: true, passive: true });
}

/** Says that the present step enters text into this field. Returns true if that is a secret. */
export function beginSecretEntry(field: Element): boolean {
  const isSecret = isSecretField(field);
  if (isSecret) entering().isSecret = true;
  return isSecret;
}

/** Returns true if the text that the present step types goes into a secret field, also in a frame of this site. */
export function beginSecretTyping(): boolean {
  const active = focusedElement();
  return active !== null && beginSecretEntry(active);
}

export function focusedElement(): Element | null {
  let active = activeElementOf(document);
  for (let inner = active; inner !== null; inner = innerFocus(inner)) active = inner;
  return active;
}

function innerFocus(element: Element): Element | null {
  const frame = element instanceof HTMLIFrameElement ? element.contentDocument : null;
  return frame === null ? shadowActiveElement(element) : activeElementOf(frame);
}

export interface TextEntry {
  /** Result of the press that should have focused the field. */
  readonly press: PressResult;
  /** True if the content of the field is selected, so that the typed text replaces it. */
  readonly selected: boolean;
  /** True for a field that holds one line. */
  readonly isOneLine: boolean;
  /** True if the field is a password or one-time-code field now. */
  readonly isSecret: boolean;
  /** True for an `input` or a `textarea` that held something. */
  readonly heldText: boolean;
}

/** The text that the page has kept of the former content of a field, before or after the new one: a country code, a unit. */
export interface KeptAffix {
  readonly text: string;
  readonly isBefore: boolean;
}

/** The state of a field that has not kept the value of a step. */
export interface RefusedEntry {
  /** The content of the field; null if it is gone. */
  readonly held: string | null;
  /** The element that would have got keys of the step in place of the field; null if the field got them all. */
  readonly taker: FocusTaker | null;
}

/** Minimum width and height of a field whose value is checked: an editor that is drawn by script empties its hidden field. CSS pixels. */
const MIN_FIELD_PX = 5;
const MAX_HELD_LENGTH = 100;

/** The former value of the field of the last `beginTextEntry`, and the part of it that the page fixes; null if none was found. */
const entry = documentState.value(() => ({ valueBefore: '', fixedAffix: null as KeptAffix | null }));

/** Ends the click guard, focuses the field if the press has not, selects its content, and starts the guard of its keys. */
export function beginTextEntry(key: number): TextEntry {
  const press = pressResult();
  const element = elementByKey(key);
  if (element === null || press === 'changed')
    return { press, selected: false, isOneLine: false, heldText: false, isSecret: false };
  if (!hasFocus(element)) focusElement(key);
  armKeyGuard(element);
  const valueBefore = heldText(element) ?? '';
  Object.assign(entry(), { valueBefore, fixedAffix: null });
  const isSecret = beginSecretEntry(element);
  return {
    press,
    selected: selectContent(element),
    isOneLine: holdsOneLine(element),
    heldText: fieldValue(element) !== null && valueBefore.trim() !== '',
    isSecret,
  };
}

/** The characters of an editor but white space, and how many blank lines it has at its end more than the text. */
export interface EditorEnd {
  readonly characters: string;
  readonly addedLines: number;
}

/** Reads the end of an editor, and puts the caret there if blank lines were added. Returns null for what is no editor, or is gone. */
export function goToBlankLine(key: number, text: string): EditorEnd | null {
  const editor = elementByKey(key);
  if (editor === null || !isEditingHost(editor)) return null;
  const addedLines = Math.max(0, blankLinesOf(editor) - newLinesAtEnd(text));
  if (addedLines > 0) {
    selectContent(editor);
    getSelection()?.collapseToEnd();
  }
  return { characters: withoutMarks(textContent(editor) ?? '').replaceAll(/\s/g, ''), addedLines };
}

/** Returns the number of blank blocks and line breaks at the end of an editor, and of the new lines of its last text. */
function blankLinesOf(editor: Element): number {
  let box: Element = editor;
  for (
    let only = firstElementChild(box);
    only !== null && firstChild(box) === only && nextSibling(only) === null && firstChild(only) !== null;
    only = firstElementChild(box)
  )
    box = only;
  let count = 0;
  let node = lastChild(box);
  // The last line break ends a line, and begins none.
  if (node !== null && isElement(node) && localName(node) === 'br') node = previousSibling(node);
  for (; node !== null; node = previousSibling(node)) {
    if (isElement(node) && !isBlankLine(node)) break;
    const text = textContent(node) ?? '';
    count += isElement(node) ? 1 : newLinesAtEnd(text);
    if (hasText(text)) break;
  }
  return count;
}

/** The elements of which an editor makes lines of text. Others show something without text. */
const LINE_PARTS = 'p, div, span, br, li, ul, ol, pre, code, b, i, u, em, strong, font';

/** Returns true for a line to write in that shows nothing: no picture, no button of the editor between the lines. */
const isBlankLine = (line: Element): boolean =>
  !hasText(textContent(line) ?? '') &&
  [line, ...Array.from(queryAllIn(line, '*'))].every(
    part => part instanceof HTMLElement && isContentEditable(part) && matches(part, LINE_PARTS),
  );

const withoutMarks = (text: string): string => text.replaceAll('\u200b', '');
const hasText = (text: string): boolean => withoutMarks(text).trim() !== '';

function newLinesAtEnd(text: string): number {
  const lines = withoutMarks(text);
  return lines.slice(lines.trimEnd().length).split('\n').length - 1;
}

/** Returns true if a field holds the letters and digits of a text in another order: the page moved the caret while it was typed. */
export function isMixedUp(key: number, text: string): boolean {
  const element = elementByKey(key);
  const charactersOf = (value: string): readonly string[] =>
    Array.from(value.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''));
  const [typed, held] = [text, element === null ? '' : (heldText(element) ?? '')].map(charactersOf);
  return `${typed}` !== `${held}` && `${typed?.toSorted()}` === `${held?.toSorted()}`;
}

/** Returns what a field that has not kept a value has kept of its former content, up to a space or a sign; null if that is nothing. */
export function keptAffix(key: number, value: string): KeptAffix | null {
  const element = elementByKey(key);
  const held = element === null ? null : heldText(element);
  const { valueBefore } = entry();
  if (held === null || isSameValue(value, held, valueBefore)) return null;
  const before = Array.from(valueBefore);
  const now = Array.from(held);
  const start = before.findIndex((character, nth) => character !== now[nth]);
  const prefix = /^(.*[\p{L}\p{N}].*)?[^\p{L}\p{N}]/u.exec(
    start < 0 ? valueBefore : before.slice(0, start).join(''),
  );
  if (prefix?.[1] !== undefined) return { text: prefix[0].trim(), isBefore: true };
  const end = before.findLastIndex((character, nth) => character !== now[nth + now.length - before.length]);
  const suffix = /[^\p{L}\p{N}](.*[\p{L}\p{N}].*)?$/u.exec(before.slice(end + 1).join(''));
  return suffix?.[1] === undefined ? null : { text: suffix[0].trim(), isBefore: false };
}

/**
 * Returns what an emptied field still holds of a kept part, and selects the rest: the page fixes that part, and `refusedValue` ignores it then.
 * A page that puts back all of a value fixes its first word with the signs after it, unless it has digits, which can be the value.
 */
export function fixedPart(key: number, { text, isBefore }: KeptAffix): KeptAffix | null {
  const element = elementByKey(key);
  const valueBefore = element === null ? '' : (heldText(element) ?? '');
  const left = valueBefore.trim();
  const isKept = left !== '' && (isBefore ? text.startsWith(left) : text.endsWith(left));
  const first = isBefore && left.startsWith(text) ? (FIRST_PART.exec(left)?.[0] ?? '') : '';
  const part = isKept ? left : first.slice(0, text.length);
  const fixedAffix = part === '' ? null : { text: part, isBefore };
  Object.assign(entry(), { valueBefore, fixedAffix });
  if (fixedAffix !== null && element !== null) selectBeside(element, fixedAffix, valueBefore);
  return fixedAffix;
}

const FIRST_PART = /^[^\p{L}\p{N}]*\p{L}+[^\p{L}\p{N}]+/u;

function selectBeside(element: Element, { text, isBefore }: KeptAffix, held: string): void {
  if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) return;
  const at = isBefore ? held.indexOf(text) + text.length : held.lastIndexOf(text);
  const edge = isBefore
    ? held.length - held.slice(at).trimStart().length
    : held.slice(0, at).trimEnd().length;
  // An input for a number or an e-mail address has no selection.
  orNull(() => element.setSelectionRange(isBefore ? edge : 0, isBefore ? held.length : edge));
}

/** Matches the places of a mask without what is entered, and the sign of an amount or a phone number. */
const EMPTY_FORMAT = /^(?=.*_)[^\p{L}\p{N}]+$|^[\p{Sc}%+]$/u;

/** Returns true if an emptied field holds the beginning or the end of its former value up to a sign, or its unit: `€ ` of `€ 25`, `kg` of `5 kg`. */
function isFixedAffix(held: string, before: string): boolean {
  const [left, whole] = [held.trim(), before.trim()];
  if (left === '' || EMPTY_FORMAT.test(left)) return true;
  if (left === whole) return false;
  const rest = whole.slice(0, -left.length);
  return (
    (whole.startsWith(left) && /[^\p{L}\p{N}]$/u.test(left)) ||
    (whole.endsWith(left) &&
      (/^[^\p{L}\p{N}]/u.test(left) || (/[^\p{L}\p{N}]$/u.test(rest) && /^\p{L}+$/u.test(left))))
  );
}

/** Returns what a field holds without the part that the page fixes. */
function withoutAffix(held: string): string {
  const [text, affix] = [held.trim(), entry().fixedAffix];
  if (affix === null || !(affix.isBefore ? text.startsWith(affix.text) : text.endsWith(affix.text)))
    return held;
  return affix.isBefore ? text.slice(affix.text.length) : text.slice(0, -affix.text.length);
}

const holdsOneLine = (element: Element): boolean =>
  element instanceof HTMLInputElement || getAttribute(element, 'aria-multiline') === 'false';

function selectContent(element: Element): boolean {
  if (element instanceof HTMLInputElement) HTMLInputElement.prototype.select.call(element);
  else if (element instanceof HTMLTextAreaElement) HTMLTextAreaElement.prototype.select.call(element);
  else if (isEditingHost(element)) {
    const range = new Range();
    range.selectNodeContents(element);
    const selection = getSelection();
    selection?.removeAllRanges();
    selection?.addRange(range);
  } else return false;
  return true;
}

/**
 * Returns what a field holds instead of the value; null if it kept it, passed it on or is gone.
 * @param isLast false if a key follows
 * @param isDrawn true for the field without a box that takes the keys of an editor that a script draws: it holds no more than what is selected
 */
export async function refusedValue(
  key: number,
  value: string,
  timeoutMs: number,
  isLast: boolean,
  isDrawn = false,
): Promise<RefusedEntry | null> {
  for (const end = performance.now() + timeoutMs; ; ) {
    const refused = readRefusedValue(key, value, isDrawn);
    if (refused !== null && performance.now() < end) {
      await waitForRest(1, end - performance.now());
      continue;
    }
    const element = elementByKey(key);
    if (isLast || refused !== null) endKeyGuard();
    else if (element !== null && takerOfKeys() === null) armKeyGuard(element);
    return refused;
  }
}

function readRefusedValue(key: number, value: string, isDrawn: boolean): RefusedEntry | null {
  const taker = takerOfKeys();
  const refused = readHeldValue(key, value, isDrawn);
  if (refused !== null || taker === null) return refused === null ? null : { ...refused, taker };
  const element = elementByKey(key);
  const held = element === null ? null : (heldText(element) ?? textContent(element) ?? '');
  const active = activeElementOf(document);
  const { valueBefore } = entry();
  if (held === null) return active !== null && heldText(active) === value ? null : { held, taker };
  const isWhole =
    isSameValue(value, held, valueBefore) || (element !== null && isPassedOn(element, value, held));
  return isWhole || element === null ? null : { held: shownText(element, held), taker };
}

function readHeldValue(key: number, value: string, isDrawn: boolean): { readonly held: string } | null {
  const element = elementByKey(key);
  if (element === null || (TEXT_CONTROL.test(typeOf(element)) && !isReadable(element))) return null;
  const held = heldText(element);
  if (held !== null && EXACT_CONTROL.test(typeOf(element)))
    return isSameInput(typeOf(element), value, held) ? null : { held };
  if (held === null) return null;
  const { valueBefore } = entry();
  const lines = isEditingHost(element) ? (innerText(element as HTMLElement) ?? '') : held;
  if (!keepsLines(value, lines, holdsOneLine(element))) return { held: shownText(element, lines) };
  if (isSameValue(value, held, valueBefore) || isSameValue(value, withoutAffix(held), valueBefore))
    return null;
  if (value === '' && isFixedAffix(held, valueBefore)) return null;
  if (value !== '' && fieldValue(element) === null)
    return held === valueBefore || lacksLine(value, held) ? { held: shownText(element, held) } : null;
  if (isPassedOn(element, value, held, isDrawn)) return null;
  return { held: shownText(element, held) };
}

const shownText = (element: Element, held: string): string =>
  isSecretField(element) ? 'something else' : cutText(held, MAX_HELD_LENGTH);

/** Inputs that have one format: the page cannot format their value, or pass it on. */
const EXACT_CONTROL = /^(date|time|datetime-local|month|week|color|range)$/;

/** Returns true if two texts are the same value of an input of this type: 14:05 and 14:05:00. */
function isSameInput(type: string, one: string, other: string): boolean {
  if (type === 'range') return Number(one) === Number(other);
  const [probe, otherProbe] = [one, other].map(text => {
    const input = document.createElement('input');
    input.type = type;
    input.value = text.trim();
    return input;
  }) as [HTMLInputElement, HTMLInputElement];
  return probe.value === otherProbe.value || probe.valueAsNumber === otherProbe.valueAsNumber;
}

const TEXT_CONTROL = /^(text|search|email|url|tel|password|)$/;

const typeOf = (element: Element): string => (element instanceof HTMLInputElement ? element.type : '');

export function heldText(element: Element): string | null {
  return fieldValue(element) ?? (isEditingHost(element) ? textContent(element) : null);
}

function isReadable(element: Element): boolean {
  const { width, height } = boxOf(element);
  const isShown = checkVisibility(element, { checkOpacity: true, checkVisibilityCSS: true });
  return isShown && width >= MIN_FIELD_PX && height >= MIN_FIELD_PX;
}

/** Minimum number of letters and digits by which a text is found that the page shows with other signs: fewer stand in any text. */
const MIN_FORMATTED_LENGTH = 4;

/** Returns true if the page shows the text of an emptied field near it, or other fields hold it: the focused one, or several together. */
function isPassedOn(element: Element, value: string, held: string, isDrawn = false): boolean {
  const text = value.replace(/[\s,;]+$/, '').trim();
  if (text === '') return held === '';
  const digits = lettersAndDigits(text);
  const active = activeElementOf(document);
  if (active !== null && active !== element && heldText(active) === value) return true;
  for (const box of around(composedParent(element), WIDGET_LEVELS)) {
    const fields = Array.from(queryAllIn(box, 'input')) as HTMLInputElement[];
    const values = fields.slice(fields.indexOf(element as HTMLInputElement)).map(({ value }) => value);
    const [own, all] = [held, values.join('')].map(text => lettersAndDigits(text).startsWith(digits));
    if (!own && all && values.length > 1) return true;
    if (held !== '' && !isDrawn) continue;
    const shown = textContent(box) ?? '';
    if (normalizeText(shown).includes(normalizeText(text))) return true;
    const isFormatted = digits.length >= (isDrawn ? 1 : MIN_FORMATTED_LENGTH);
    // A drawn editor shows the numbers of its lines between them.
    const lines = (isDrawn ? text.split('\n') : [text]).map(lettersAndDigits);
    const letters = lettersAndDigits(shown);
    if (isFormatted && lines.every(line => letters.includes(line))) return true;
  }
  return false;
}
