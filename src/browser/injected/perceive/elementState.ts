/** Reads the current state of an element: value, checked, expanded, and words such as `required`. */

import { MASK } from '../../../domain/space/pageText.ts';
import {
  attributeText,
  closest,
  composedParent,
  elementById,
  firstElementChild,
  getAttribute,
  hasAttribute,
  lastElementChild,
  localName,
  nextElementSibling,
  parentElement,
  queryIn,
} from '../dom/domGetters.ts';
import { isSecretField } from '../dom/secretFields.ts';
import { generatedStyleOf, styleOf } from '../dom/styleOf.ts';
import type { Candidate } from './candidate.ts';
import { isCustomChecked, statedTraits } from './element/customElement.ts';
import { optionText, sliderSource } from './element/fields.ts';
import { normalizeText, truncate } from './element/plainText.ts';
import { chosenText, contentText } from './element/renderedText.ts';
import { hasFocus } from './element/shadowRootOf.ts';
import { timeRows } from './name/weekColumns.ts';
import { hoverHostOf } from './reach/shownOnHover.ts';
import { choiceHint, shownChoice } from './reach/standIn.ts';

const MAX_NEIGHBOURS = 24;

/** The classes and the style of each control at the last observation. */
const looks = new WeakMap<Element, string>();
const highlighted = new WeakSet<Element>();

/** Returns true for a control that has got other colors or another sign than all its neighbours; colors from the start say nothing. */
export function isHighlighted(element: Element): boolean {
  const look = lookOf(element);
  const before = looks.get(element);
  if (before !== look) looks.set(element, look);
  if (before !== undefined && before !== look) {
    if (standsOut(element, look, before)) highlighted.add(element);
    else highlighted.delete(element);
  }
  return highlighted.has(element);
}

const lookOf = (element: Element): string =>
  `${getAttribute(element, 'class') ?? ''}\n${getAttribute(element, 'style') ?? ''}`;

function standsOut(element: Element, look: string, before: string): boolean {
  const [first, ...others] = neighboursOf(element);
  if (first === undefined) return false;
  const usual = lookOf(first);
  if (usual === look || others.some(other => lookOf(other) !== usual)) return false;
  // Of two, the one that was pressed: it looks as the other one did.
  if (others.length === 0 && (usual !== before || !hasFocus(element))) return false;
  return colorsOf(element) !== colorsOf(first);
}

/** Returns the controls beside an element: its siblings, or those in the boxes beside its own one. */
function neighboursOf(element: Element): Element[] {
  const parent = parentElement(element);
  if (parent === null) return [];
  const isAlone = firstElementChild(parent) === lastElementChild(parent);
  const box = isAlone ? parentElement(parent) : parent;
  const tag = localName(element);
  const found: Element[] = [];
  let child = box === null ? null : firstElementChild(box);
  for (let left = MAX_NEIGHBOURS; child !== null && left > 0; child = nextElementSibling(child), left--) {
    const one = isAlone ? firstElementChild(child) : child;
    if (one !== null && one !== element && localName(one) === tag) found.push(one);
  }
  return found;
}

function colorsOf(element: Element): string {
  const { backgroundColor, color, borderTopColor, borderBottomColor, borderBottomWidth, fontWeight } =
    styleOf(element);
  const signs = PSEUDO_ELEMENTS.map(pseudo => generatedStyleOf(element, pseudo).content);
  return [
    backgroundColor,
    color,
    borderTopColor,
    borderBottomColor,
    borderBottomWidth,
    fontWeight,
    ...signs,
  ].join();
}

/** They draw ticks and other signs of icon fonts. */
const PSEUDO_ELEMENTS = ['::before', '::after'] as const;

export interface ElementState {
  /** The current value as text; null for an element without a value. */
  readonly value: string | null;
  /** True when the element is checked; null when it cannot be checked or is in the mixed state. */
  readonly checked: boolean | null;
  readonly expanded: boolean | null;
  /** Other states, as words for the description, such as `selected` or `required`. */
  readonly words: readonly string[];
}

const MAX_VALUE_LENGTH = 2_000;

/** Reads the current state of an element. @param name its name, which the widget of a list of choices may show beside its value */
export function stateOf(candidate: Candidate, name: string): ElementState {
  const { tag, stateElement: element = candidate.element } = candidate;
  const value = shownValue(candidate, currentValue(candidate));
  return {
    value:
      value === '' ? shownChoice(candidate, name) : isDrawnList(candidate) && value === name ? null : value,
    checked: checkedOf(element, candidate),
    expanded: expandedOf(element, tag),
    words: [
      ...withHighlight(candidate, stateWordsOf(element, tag)),
      ...(takesTime(candidate) ? ['takes a time'] : []),
      ...(candidate.basis === 'keys' ? ['takes keys'] : []),
      ...(hoverHostOf(candidate) === null ? [] : ['shown on hover']),
    ],
  };
}

/** Returns true for a list of choices that is drawn without an input: one without a label is named by what it shows. */
const isDrawnList = ({ element, letter, role }: Candidate): boolean =>
  letter === 'B' && role === 'combobox' && localName(element) !== 'select';

/** Returns the mask in place of the value of a password or one-time-code field. */
const shownValue = ({ element }: Candidate, value: string | null): string | null =>
  value === null || value === '' || !isSecretField(element) ? value : MASK;

function currentValue(candidate: Candidate): string | null {
  const { element, control } = candidate;
  if (element instanceof HTMLInputElement) return inputValueOf(element);
  if (element instanceof HTMLTextAreaElement) return truncate(element.value, MAX_VALUE_LENGTH);
  if (element instanceof HTMLSelectElement)
    return Array.from(element.options)
      .filter(option => option.selected)
      .map(option => optionText(option).name)
      .join(', ');
  if (control === 'contenteditable') return truncate(contentText(element, false), MAX_VALUE_LENGTH);
  if (control === 'slider')
    return sliderValue(element) || (candidate.role === 'spinbutton' ? spinbuttonText(element) : '');
  if (candidate.role === 'combobox') {
    const chosen = truncate(chosenText(element), MAX_VALUE_LENGTH);
    return chosen === '' || chosen === choiceHint(element) ? null : chosen;
  }
  if (candidate.basis === 'keys') return activeText(element);
  return ariaValue(element);
}

/** Returns the text of the active cell or entry of a grid, a tree or a list that takes keys; null if it states none. */
function activeText(element: Element): string | null {
  const id = getAttribute(element, 'aria-activedescendant');
  const active = id ? elementById(element, id) : null;
  if (active === null) return null;
  return attributeText(active, 'aria-label') || truncate(contentText(active, false), MAX_VALUE_LENGTH);
}

function inputValueOf(input: HTMLInputElement): string | null {
  switch (input.type) {
    case 'checkbox':
    case 'radio':
    case 'submit':
    case 'button':
    case 'reset':
    case 'image':
      return null;
    case 'file':
      return Array.from(input.files ?? [], file => file.name).join(', ');
    default:
      return truncate(input.value, MAX_VALUE_LENGTH);
  }
}

function ariaValue(element: Element): string | null {
  const text = getAttribute(element, 'aria-valuetext') ?? getAttribute(element, 'aria-valuenow');
  return text === null ? null : normalizeText(text);
}

/** Returns the ARIA value of a slider, else its position on the track in percent (`40%`); empty if neither is known. */
function sliderValue(element: Element): string {
  const style = getAttribute(element, 'style') ?? '';
  const stated = statedTraits(element)?.value ?? '';
  return (
    ariaValue(sliderSource(element)) ??
    (stated || null) ??
    /(?:left|bottom|inset-inline-start)\s*:\s*([\d.]+%)/.exec(style)?.[1] ??
    ''
  );
}

/** Maximum length of the number that a spinbutton shows. Characters. */
const MAX_NUMBER_LENGTH = 20;

function spinbuttonText(element: Element): string {
  const text = contentText(element, false);
  return text.length > MAX_NUMBER_LENGTH ? '' : text;
}

function checkedOf(element: Element, { control }: Candidate): boolean | null {
  const isNative = element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type);
  if (isNative && !statesChecked(element)) return element.indeterminate ? null : element.checked;
  const isTicked = control === 'checkbox' || control === 'radio';
  return ariaBoolean(element, 'aria-checked') ?? (isTicked ? isCustomChecked(element) : null);
}

/** Adds `highlighted` to the states of a control that its colors alone mark as the chosen one of several. */
function withHighlight({ element, letter, control }: Candidate, words: readonly string[]): readonly string[] {
  if (letter === 'I' || control !== 'click' || words.some(word => CHOICE.test(word))) return words;
  return isHighlighted(element) ? [...words, 'highlighted'] : words;
}

const CHOICE = /^(?:selected|current|pressed|not pressed)$/;

const takesTime = ({ basis, element }: Candidate): boolean =>
  basis === 'child' && timeRows(element).length > 0;

/** Returns true for an input that a script draws as a switch: the page keeps its state in `aria-checked`, and prevents that of the input. */
export const statesChecked = (input: Element): boolean =>
  hasAttribute(input, 'role') && hasAttribute(input, 'aria-checked');

function expandedOf(element: Element, tag: string): boolean | null {
  const expanded = ariaBoolean(element, 'aria-expanded');
  if (expanded !== null || tag !== 'summary') return expanded ?? statedTraits(element)?.expanded ?? null;
  const details = composedParent(element);
  return details instanceof HTMLDetailsElement ? details.open : null;
}

function ariaBoolean(element: Element, name: string): boolean | null {
  const value = getAttribute(element, name);
  return value === 'true' ? true : value === 'false' ? false : null;
}

function stateWordsOf(element: Element, tag: string): string[] {
  const words: string[] = [];
  const hasValue = (name: string, value = 'true') => getAttribute(element, name) === value;
  if (hasAttribute(element, 'required') || hasValue('aria-required')) words.push('required');
  if (hasAttribute(element, 'readonly') || hasValue('aria-readonly')) words.push('read-only');
  if (hasValue('aria-pressed')) words.push('pressed');
  if (hasValue('aria-pressed', 'false')) words.push('not pressed');
  const current = getAttribute(element, 'aria-current');
  // A class such as `checked` says no more than the state that an attribute says.
  const statesChoice = hasValue('aria-selected', 'false') || hasAttribute(element, 'aria-checked');
  if (
    hasValue('aria-selected') ||
    hasValue('data-selected') ||
    (!statesChoice &&
      ((tag.includes('-') && statedTraits(element)?.selected) ||
        (tag !== 'input' && hasSelectedClass(element))))
  )
    words.push('selected');
  else if (current !== null && current !== 'false') words.push('current');
  const sorted = sortedBy(element);
  if (sorted !== null) words.push(`sorted ${sorted}`);
  if (hasValue('aria-invalid')) words.push('invalid');
  if (hasValue('aria-busy')) words.push('busy');
  if (element instanceof HTMLMediaElement) words.push(...mediaWords(element));
  if (element instanceof HTMLInputElement && element.indeterminate) words.push('mixed');
  const popup = getAttribute(element, 'aria-haspopup');
  if (popup !== null && popup !== 'false' && getAttribute(element, 'aria-expanded') === null)
    words.push('opens a menu');
  return words;
}

const SORT_CONTROL = 'button, [role=button], a, [tabindex]';

/** Returns `ascending` or `descending` for the header of the column by which a table is sorted, or the first control in it; null for others. */
function sortedBy(element: Element): string | null {
  const header = closest(element, '[aria-sort]');
  const order = header === null ? null : getAttribute(header, 'aria-sort');
  if (header === null || (order !== 'ascending' && order !== 'descending')) return null;
  if (header === element) return order;
  // Where the header itself is pressed, the control in it is another one: the menu of the column.
  if (hasAttribute(header, 'tabindex') || hasAttribute(header, 'onclick')) return null;
  const control = queryIn(header, SORT_CONTROL);
  return control === element || control === null ? order : null;
}

function mediaWords(media: HTMLMediaElement): string[] {
  const words = [media.paused ? 'paused' : 'playing'];
  if (media.muted) words.push('muted');
  const duration = media.duration;
  const position = Math.floor(media.currentTime);
  if (Number.isFinite(duration)) words.push(`at ${position} of ${Math.round(duration)} seconds`);
  else if (position > 0) words.push(`at ${position} seconds`);
  return words;
}

const SELECTED_CLASSES =
  /(^|\s)(selected|active|current|checked|ui-selected|ui-state-active|is-active|is-selected)(\s|$)/;

const hasSelectedClass = (element: Element): boolean => {
  const classes = getAttribute(element, 'class');
  return classes !== null && SELECTED_CLASSES.test(classes);
};
