/** Turns listed candidates into the elements that the service receives: distinguished, with keys, state and parameters. */

import type { ActionParam } from '../../../domain/space/action.ts';
import {
  clientHeight,
  composedParent,
  getAttribute,
  hasAttribute,
  localName,
  queryIn,
  scrollHeight,
  scrollTop,
} from '../dom/domGetters.ts';
import { orSkipped } from '../dom/skipped.ts';
import type { Candidate } from './candidate.ts';
import { isShape, roundPixels } from './element/box.ts';
import { statedTraits } from './element/customElement.ts';
import { isDisabled, optionText, sliderSource } from './element/fields.ts';
import { normalizeText, quote, tellingTexts, truncate } from './element/plainText.ts';
import { assignKeys } from './elementKeys.ts';
import { type ElementState, stateOf } from './elementState.ts';
import { addListed, type ListedCandidate, setRepeatedNames } from './lastObservation.ts';
import { disambiguate, gridPositions, siblingPosition } from './name/disambiguation.ts';
import type { ElementName } from './name/elementName.ts';
import { contextSearchOfList, identifyingContext, needsContext } from './name/identifyingContext.ts';
import { columnHeader, isBelowHeaders, isCell, isInCell, rowTitle } from './name/tableContext.ts';
import type { Reachability } from './reach/reachability.ts';
import { isStale } from './reach/standIn.ts';
import type { ObservedElement, StatedTraits } from './wireFormat.ts';

/** Maximum number of options of a `select` or a data list that are listed. */
const MAX_OPTIONS = 100;
const MEDIA_COMMANDS = ['play', 'pause', 'mute', 'unmute', 'seek seconds', 'volume 0..100'];

/** Returns the parameters of an action; the value of `state` is the default. */
export function paramsOf(candidate: Candidate, state: ElementState): readonly ActionParam[] {
  const { element, control } = candidate;
  const value = (type: ActionParam['type'], values: readonly string[] | null = null): ActionParam[] => [
    { name: 'value', type, default: state.value === '' ? null : state.value, values },
  ];
  switch (control) {
    case 'click':
      return [];
    case 'text':
      return value('string', datalistValues(element));
    case 'contenteditable':
      return value('string');
    case 'number':
      return value('number', numberRange(element));
    case 'range':
      return value('range', numberRange(element, '0', '100'));
    case 'slider':
      return value('range', sliderRange(sliderSource(element), statedTraits(element)));
    case 'date':
      return value('date', dateFormats(element, 'YYYY-MM-DD'));
    case 'time':
      return value('time', dateFormats(element, 'HH:MM'));
    case 'datetime':
      return value('date', dateFormats(element, 'YYYY-MM-DDTHH:MM'));
    case 'month':
      return value('date', dateFormats(element, 'YYYY-MM'));
    case 'week':
      return value('date', dateFormats(element, 'YYYY-Www'));
    case 'color':
      return value('color', ['#rrggbb']);
    case 'select':
      return value(hasAttribute(element, 'multiple') ? 'options' : 'option', optionLabels(element));
    case 'checkbox':
    case 'radio':
      return [{ name: 'value', type: 'boolean', default: null, values: ['true', 'false'] }];
    case 'file':
      return [{ name: 'value', type: 'file', default: null, values: acceptedFileTypes(element) }];
    case 'media':
      return [{ name: 'command', type: 'string', default: null, values: MEDIA_COMMANDS }];
    case 'canvas':
      return [{ name: 'position', type: 'string', default: null, values: ['x,y'] }];
  }
}

function optionLabels(element: Element): string[] {
  if (!(element instanceof HTMLSelectElement)) return [];
  return Array.from(element.options)
    .filter(option => !isDisabled(option, 'option'))
    .slice(0, MAX_OPTIONS)
    .map(option => optionText(option).listed);
}

function numberRange(element: Element, defaultMin = '', defaultMax = ''): string[] | null {
  const min = numberIn(element, 'min') ?? defaultMin;
  const max = numberIn(element, 'max') ?? defaultMax;
  const step = getAttribute(element, 'step') === 'any' ? 'any' : numberIn(element, 'step');
  if (min === '' && max === '' && step === null) return null;
  return [`${min}..${max}${step === null ? '' : ` step ${step}`}`];
}

/** Returns the number in an attribute as it is written; null for a text that is no number, which browsers ignore. */
function numberIn(element: Element, name: string): string | null {
  const text = getAttribute(element, name)?.trim() ?? '';
  return text === '' || !Number.isFinite(Number(text)) ? null : text;
}

function sliderRange(element: Element, stated: StatedTraits | null): string[] | null {
  const min = getAttribute(element, 'aria-valuemin') ?? stated?.min ?? null;
  const max = getAttribute(element, 'aria-valuemax') ?? stated?.max ?? null;
  return min === null && max === null ? null : [`${min ?? '0'}..${max ?? '100'}`];
}

function dateFormats(element: Element, pattern: string): string[] {
  const min = getAttribute(element, 'min');
  const max = getAttribute(element, 'max');
  return min === null && max === null ? [pattern] : [pattern, `${min ?? ''}..${max ?? ''}`];
}

function acceptedFileTypes(element: Element): string[] | null {
  const accept = getAttribute(element, 'accept');
  return accept === null || accept === '' ? null : accept.split(',').map(normalizeText);
}

function datalistValues(element: Element): string[] | null {
  if (!(element instanceof HTMLInputElement) || !hasAttribute(element, 'list')) return null;
  const list = element.list;
  if (list === null || localName(list) !== 'datalist' || queryIn(list, 'option') === null) return null;
  return Array.from(list.options)
    .slice(0, MAX_OPTIONS)
    .map(option => option.value || normalizeText(option.label));
}

/** Maximum length of a value or a placeholder in the description of an element. Characters. */
const MAX_QUOTED_LENGTH = 60;

/**
 * Returns the description by which an agent selects an element: its kind, name and state, and the distinction.
 * @param distinction text that distinguishes the element from elements with the same description; empty if none is needed
 * @example `textbox "Name", value "Ada", required, in "Billing address"`
 */
export function describeElement(
  candidate: Candidate,
  name: ElementName,
  state: ElementState,
  distinction: string,
  disabled: boolean,
): string {
  const { text, kindNoun } = name;
  let line = kindNoun;
  if (text !== '' && !kindNoun.endsWith(text))
    line += name.isHint && text === name.color ? ` ${text}` : ` ${quote(text)}`;
  if (name.symbolMeaning !== undefined) line += ` ${quote(name.symbolMeaning)}`;
  if (state.value !== null && state.value !== '')
    line += `, value ${quote(shownValue(candidate.element, state.value))}`;
  if (state.checked !== null) line += state.checked ? ', checked' : ', not checked';
  if (state.expanded !== null) line += state.expanded ? ', expanded' : ', collapsed';
  for (const word of state.words) line += `, ${word}`;
  if (candidate.gesture !== null) line += `, ${candidate.gesture}`;
  if (candidate.tag === 'textarea') line += ', multiline';
  if (disabled) line += ', disabled';
  const placeholder = candidate.letter === 'I' ? placeholderOf(candidate) : '';
  if (placeholder !== '' && placeholder !== text && !state.value)
    line += `, placeholder ${quote(truncate(placeholder, MAX_QUOTED_LENGTH))}`;
  if (candidate.basis === 'scroll' || candidate.tag === 'textarea') line += scrollState(candidate.element);
  return distinction === '' ? line : `${line}, ${distinction}`;
}

/** Returns what an empty field shows in place of a value; editors draw it from an attribute of theirs or of their first paragraph. */
function placeholderOf({ element, control }: Candidate): string {
  const own = getAttribute(element, 'placeholder');
  if (own !== null || control !== 'contenteditable') return normalizeText(own ?? '');
  const drawn = hasAttribute(element, 'data-placeholder') ? element : queryIn(element, '[data-placeholder]');
  return normalizeText((drawn === null ? null : getAttribute(drawn, 'data-placeholder')) ?? '');
}

/** Returns a value as the line shows it. That of a list of choices that begin alike keeps the part in which it differs from the others. */
function shownValue(element: Element, value: string): string {
  if (value.length <= MAX_QUOTED_LENGTH) return value;
  const choices =
    element instanceof HTMLSelectElement
      ? Array.from(element.options, option => optionText(option).name)
      : [];
  const shown = tellingTexts(choices, MAX_QUOTED_LENGTH, MAX_QUOTED_LENGTH);
  return shown.get(value) ?? truncate(value, MAX_QUOTED_LENGTH);
}

function scrollState(element: Element): string {
  const above = Math.round(scrollTop(element));
  const below = Math.round(scrollHeight(element) - clientHeight(element) - scrollTop(element));
  if (above <= 0 && below <= 0) return '';
  return above <= 0 ? ', at the top' : below <= 1 ? ', at the end' : ', part way';
}

/** Minimum ratio between the largest and the smallest shape of a drawing; below it, all count as one size. */
const MIN_SIZE_RATIO = 1.4;

/** Returns `small` or `large` for each shape of a drawing with two sizes; other candidates are not in the map. */
export function shapeSizes(
  listed: ReadonlyArray<{ readonly candidate: Candidate; readonly reachability: Reachability }>,
): ReadonlyMap<Candidate, string> {
  const sizes = new Map<Candidate, string>();
  const shapes = listed.filter(({ candidate }) => isShape(candidate.tag) && candidate.tag !== 'line');
  for (const drawing of Map.groupBy(shapes, ({ candidate }) => svgRoot(candidate.element)).values()) {
    const kinds = [
      drawing.filter(({ candidate }) => candidate.tag === 'text'),
      drawing.filter(({ candidate }) => candidate.tag !== 'text'),
    ];
    const thresholds = kinds.map(kind => sizeThreshold(kind.map(longerSide)));
    kinds.forEach((kind, index) => {
      // A kind with a single size is compared with the threshold of the other kind.
      const threshold = thresholds[index] ?? thresholds[1 - index] ?? null;
      if (threshold !== null)
        for (const one of kind) sizes.set(one.candidate, longerSide(one) < threshold ? 'small' : 'large');
    });
  }
  return sizes;
}

/** Returns the geometric mean of the smallest and the largest size; null when the sizes do not fall into two classes. */
function sizeThreshold(sides: readonly number[]): number | null {
  const min = Math.min(...sides);
  const max = Math.max(...sides);
  return sides.length < 2 || max < min * MIN_SIZE_RATIO ? null : Math.sqrt(min * max);
}

const longerSide = ({ reachability: { box } }: { readonly reachability: Reachability }): number =>
  Math.max(box.right - box.left, box.bottom - box.top);

function svgRoot(element: Element): Element | null {
  for (let at = composedParent(element); at !== null; at = composedParent(at))
    if (localName(at) === 'svg') return at;
  return null;
}

const MAX_CONTEXTS = 500;

/** Turns the reachable candidates, in document order, into the elements that the service receives. */
export function toObservedElements(reachable: readonly ListedCandidate[]): ObservedElement[] {
  const listed = withColors(reachable);
  const sizes = shapeSizes(listed);
  const distinctions = distinguish(listed, one => sizes.get(one.candidate) ?? '');
  const keys = assignKeys(
    listed.map(one => ({
      element: one.candidate.element,
      fingerprint: one.fingerprint,
      identity: `${one.fingerprint}|${one.category}|${distinctions.get(one) ?? ''}`,
    })),
  );
  const contexts = identifyingContexts(listed);
  return listed.map((one, index) => {
    const { candidate } = one;
    const parts = [sizes.get(candidate) ?? '', distinctions.get(one) ?? ''];
    const distinction = parts.filter(part => part !== '').join(', ');
    return toObservedElement(one, keys[index] ?? 0, distinction, contexts.get(one) ?? null);
  });
}

function toObservedElement(
  one: ListedCandidate,
  key: number,
  distinction: string,
  context: string | null,
): ObservedElement {
  const { candidate, reachability, name, category, fingerprint } = one;
  const { box, disabled } = reachability;
  const known = stateOf(candidate, name.text);
  const state = isStale(candidate, reachability) ? { ...known, value: null } : known;
  const description = describeElement(candidate, name, state, distinction, disabled);
  addListed(one, description, context);
  return {
    key,
    letter: candidate.letter,
    control: candidate.control,
    role: candidate.role,
    name: name.text,
    description,
    category,
    status: reachability.status,
    params: paramsOf(candidate, state),
    value: state.value,
    checked: state.checked,
    disabled,
    expanded: state.expanded,
    gesture: candidate.gesture,
    inViewport: reachability.inViewport,
    layer: reachability.layer,
    box: [
      roundPixels(box.left),
      roundPixels(box.top),
      roundPixels(box.right - box.left),
      roundPixels(box.bottom - box.top),
    ],
    fingerprint,
  };
}

/** Returns the context of each element whose name does not identify it; the elements at the end of a very long list have none. */
function identifyingContexts(listed: readonly ListedCandidate[]): ReadonlyMap<ListedCandidate, string> {
  const counts = new Map<string, number>();
  for (const { fingerprint } of listed) counts.set(fingerprint, (counts.get(fingerprint) ?? 0) + 1);
  const ambiguous = listed.filter(({ name, fingerprint }) =>
    needsContext(name.text, (counts.get(fingerprint) ?? 0) > 1),
  );
  const repeatedNames = new Set(
    listed.filter(({ fingerprint }) => (counts.get(fingerprint) ?? 0) > 1).map(({ name }) => name.text),
  );
  setRepeatedNames(repeatedNames);
  const search = contextSearchOfList(repeatedNames);
  return new Map(
    ambiguous
      .slice(0, MAX_CONTEXTS)
      .map(one => [
        one,
        orSkipped(() => identifyingContext(one.candidate.element, one.name.text, search)) ?? '',
      ]),
  );
}

/** Puts the color before the hint of an element, if elements with the same hint have different colors. */
function withColors(listed: readonly ListedCandidate[]): readonly ListedCandidate[] {
  const colors = new Map<string, string>();
  const colorDiffers = new Set<string>();
  for (const { name } of listed) {
    if (!name.isHint || name.stem === '') continue;
    const known = colors.get(name.stem);
    if (known === undefined) colors.set(name.stem, name.color);
    else if (known !== name.color) colorDiffers.add(name.stem);
  }
  if (colorDiffers.size === 0) return listed;
  return listed.map(one => {
    const { name } = one;
    if (!name.isHint || name.color === '' || !colorDiffers.has(name.stem)) return one;
    return { ...one, name: { ...name, text: `${name.color} ${name.stem}` } };
  });
}

/** Returns a distinguishing text for each element without a name, or with the noun, name and size of another. */
function distinguish(
  listed: readonly ListedCandidate[],
  sizeOf: (one: ListedCandidate) => string,
): ReadonlyMap<ListedCandidate, string> {
  const distinctions = new Map<ListedCandidate, string>();
  const groups = Map.groupBy(listed, one => `${one.name.kindNoun}|${nameWithoutNumber(one)}|${sizeOf(one)}`);
  const cells = orSkipped(() => gridCells(listed)) ?? new Map<ListedCandidate, string>();
  for (const group of groups.values()) {
    const [only] = group;
    if (only !== undefined && group.length === 1) {
      const cell = cells.get(only);
      const place = rowAndColumn(only, '');
      if (place !== '') distinctions.set(only, place);
      else if (cell !== undefined) distinctions.set(only, cell);
      else if (only.name.text === '' && only.candidate.letter !== 'I')
        distinctions.set(only, siblingPosition(only.candidate.element));
      continue;
    }
    const positions = group.map(one => cells.get(one) ?? '');
    const texts = orSkipped(() => disambiguate(group, positions));
    group.forEach((one, index) => {
      const text = texts?.[index] ?? '';
      distinctions.set(one, [text, rowAndColumn(one, text)].filter(part => part !== '').join(', '));
    });
  }
  return distinctions;
}

/** Returns `in "Customer 8", column "Price"`, as far as neither the name nor `text` has them. Empty for links. */
function rowAndColumn({ candidate, name }: ListedCandidate, text: string): string {
  const { element, letter } = candidate;
  if (letter === 'L' || candidate.basis === 'scroll' || !isInCell(element)) return '';
  const header = columnHeader(element);
  const isSymbol = !/[\p{L}\p{N}]/u.test(name.text);
  const isValue = letter === 'I' || name.isHint || isSymbol || isCell(element);
  const title = isBelowHeaders(element) || isCell(element) ? rowTitle(element) : '';
  const hasTitle = title !== '' && (name.text.includes(title) || isDayOf(name.text, title));
  // A name such as "Select Customer 8" says what the field is for.
  const isWhole = hasTitle && name.text !== title && !name.isHint && !isCell(element);
  const isColumn = isValue && header !== '' && header !== name.text && !isWhole;
  const column = isColumn ? `column ${quote(header)}` : '';
  const row = title === '' || text.startsWith('in ') || hasTitle ? '' : `in ${quote(title)}`;
  return [row, column].filter(part => part !== '').join(', ');
}

const ISO_DATE = /^(\d{4})-\d\d-0?(\d{1,2})$/;

/** Returns true for a name with the day and the year of a date, such as `May 1, 2026`. */
function isDayOf(name: string, date: string): boolean {
  const [, year, day] = ISO_DATE.exec(date) ?? [];
  const numbers: readonly (string | undefined)[] = name.match(/\d+/g) ?? [];
  return year !== undefined && numbers.includes(year) && numbers.includes(day);
}

/** Returns the name; for a hint, without the number at its end: hints that only count (`tt0`, `tt1`) name elements of one kind. */
const nameWithoutNumber = ({ name }: ListedCandidate): string =>
  name.isHint ? name.text.replace(/^(\D*)\d+$/, '$1') : name.text;

/** Returns the grid positions of buttons without a name: a cell that is marked now does not change those of the others. */
function gridCells(listed: readonly ListedCandidate[]): Map<ListedCandidate, string> {
  const cells = new Map<ListedCandidate, string>();
  const unnamed = listed.filter(
    ({ candidate, name }) => name.isHint && candidate.letter === 'B' && !isShape(candidate.tag),
  );
  const groups = Map.groupBy(unnamed, ({ candidate, reachability: { box }, category }) => {
    const size = `${Math.round(box.right - box.left)}x${Math.round(box.bottom - box.top)}`;
    return `${candidate.tag}|${size}|${category}`;
  });
  for (const group of groups.values()) {
    // Hints that tell most of them apart, such as the colors of a palette, say more than a place.
    if (new Set(group.map(nameWithoutNumber)).size * 2 > group.length) continue;
    gridPositions(group)?.forEach((position, index) => {
      const one = group[index];
      if (one !== undefined) cells.set(one, position);
    });
  }
  return cells;
}
