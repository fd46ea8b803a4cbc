/** Turns listed candidates into the elements that the service receives: distinguished, with keys, state and parameters. */

import { paramsOf } from './actionParams.ts';
import { quote } from './element/plainText.ts';
import { roundPixels } from './element/roundPixels.ts';
import { isShape } from './element/svgShape.ts';
import { assignKeys } from './elementKeys.ts';
import { stateOf } from './elementState.ts';
import {
  clearListed,
  type ListedCandidate,
  rememberListed,
  rememberRepeatedNames,
} from './lastObservation.ts';
import { describeElement } from './name/describeElement.ts';
import { disambiguate, siblingPosition } from './name/disambiguation.ts';
import { gridPositions } from './name/gridPositions.ts';
import { contextSearchOfList, identifyingContext, needsContext } from './name/identifyingContext.ts';
import { columnHeader, isBelowHeaders, isCell, isInCell, rowTitle } from './name/tableContext.ts';
import { orNull } from './orNull.ts';
import { shapeSizes } from './reach/shapeSizes.ts';
import type { ObservedElement } from './wireFormat.ts';

/** Maximum number of elements whose context is remembered. */
const MAX_CONTEXTS = 500;

/**
 * Turns the candidates of an observation into the elements that the service receives.
 * @param reachable the candidates that a user can see or click, in document order
 */
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
  clearListed();
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
  const state = stateOf(candidate, name.text);
  const description = describeElement(candidate, name, state, distinction, disabled);
  rememberListed(one, description, context);
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
  rememberRepeatedNames(repeatedNames);
  const search = contextSearchOfList(repeatedNames);
  return new Map(
    ambiguous
      .slice(0, MAX_CONTEXTS)
      .map(one => [
        one,
        orNull(() => identifyingContext(one.candidate.element, one.name.text, search)) ?? '',
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

/**
 * Returns a distinguishing text for each element that has the same noun, name and size as another or has no name; elements
 * that need none are not in the map.
 */
function distinguish(
  listed: readonly ListedCandidate[],
  sizeOf: (one: ListedCandidate) => string,
): ReadonlyMap<ListedCandidate, string> {
  const distinctions = new Map<ListedCandidate, string>();
  const groups = Map.groupBy(listed, one => `${one.name.kindNoun}|${nameWithoutNumber(one)}|${sizeOf(one)}`);
  const cells = orNull(() => gridCells(listed)) ?? new Map<ListedCandidate, string>();
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
    const texts = orNull(() => disambiguate(group, positions));
    group.forEach((one, index) => {
      const text = texts?.[index] ?? '';
      distinctions.set(one, [text, rowAndColumn(one, text)].filter(part => part !== '').join(', '));
    });
  }
  return distinctions;
}

/**
 * Returns the row and the column of an element in a table with headers, as far as neither its name nor `text` contains
 * them: `in "Customer 8", column "Price"`. Empty for links, and outside of a table.
 */
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

/**
 * Returns the grid positions of buttons without a name. Computes them over all such buttons of one size and section, so
 * that a change to one of them (a cell that is now marked) does not change the positions of the others.
 */
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
