/** Distinguishes elements that have the same description: by the shortest context that differs, else by their position. */

import { around, NEAR_LEVELS } from '../../dom/around.ts';
import {
  attributeNames,
  attributeText,
  closest,
  composedContains,
  composedParent,
  firstElementChild,
  getAttribute,
  isElement,
  localName,
  matches,
  nextElementSibling,
  nodeType,
  previousElementSibling,
  previousSibling,
  queryAllIn,
  queryIn,
} from '../../dom/domGetters.ts';
import { CONTROLS } from '../../dom/vocabulary.ts';
import type { Candidate } from '../candidate.ts';
import { normalizeText, ordinal, quote, truncate } from '../element/plainText.ts';
import { visibleText } from '../element/renderedText.ts';
import type { Reachability } from '../reach/reachability.ts';
import { firstTitleIn } from './elementName.ts';
import { identifierWords } from './identifierWords.ts';
import { rowTitle } from './tableContext.ts';
import { dateAround } from './weekColumns.ts';

const IDENTIFYING_ATTRIBUTES = /^(?:id|name|value|data-(?!reactid|v-|testid).*)$/;
/** Maximum length of an attribute value that can distinguish an element: longer values are database keys, not words. Characters. */
const MAX_VALUE_LENGTH = 24;
/** Matches attribute values that a library generates, which mean nothing to a reader. */
const GENERATED =
  /:r\w*:|«|(?:^|[-_:])(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{8,}(?:$|[-_:])|^(?:ui-id-|ember|react|radix|mui-|headlessui|input_|gwt-|ag-\d|ant-\d)|[0-9a-f]{8}|^\d{5,}$|^(?=.*\d)(?=.*[a-z])[a-z\d]{10,}$/i;

const MAX_ATTRIBUTE_GROUP_SIZE = 600;

/** Finds an attribute whose value differs on every element, and returns its name and value for each element, such as `id "left"`; null if there is no such attribute. */
export function distinguishingAttributes(group: readonly Element[]): string[] | null {
  const [first] = group;
  if (first === undefined || group.length > MAX_ATTRIBUTE_GROUP_SIZE) return null;
  for (const name of attributeNames(first).filter(attribute => IDENTIFYING_ATTRIBUTES.test(attribute))) {
    const values = group.map(element => attributeText(element, name));
    const areWords = values.every(
      value => value !== '' && value.length <= MAX_VALUE_LENGTH && !GENERATED.test(value),
    );
    if (areWords && new Set(values).size === values.length && !isSequence(values))
      return values.map(value =>
        name.startsWith('data-')
          ? quote(`${name.slice('data-'.length)} ${value}`)
          : `${name} ${quote(value)}`,
      );
  }
  return null;
}

/** Returns true for values that only count, like `row-1`, `row-2` or `x-60-y`, `x-67-y`: they say no more than the position. */
function isSequence(values: readonly string[]): boolean {
  const numbers = values.map(value => /^(\D*)(\d+)(\D*)$/.exec(value));
  const [first] = numbers;
  const countsBy = first?.[1] === '' && first[3] === '' ? 1 : Number.POSITIVE_INFINITY;
  return numbers.every((match, index) => {
    if (match == null || match[1] !== first?.[1] || match[3] !== first?.[3]) return false;
    const step = index === 0 ? 1 : Number(match[2]) - Number(numbers[index - 1]?.[2]);
    return step > 0 && step <= countsBy;
  });
}

export interface BoxedElement {
  readonly reachability: Reachability;
}

const MIN_GROUP_SIZE = 4;
const MAX_GRID_GROUP_SIZE = 900;
/** Maximum number of grid cells per element of the group: with more cells, too many are empty for a grid. */
const MAX_CELLS_PER_ELEMENT = 1.5;

/** Returns `row 2, column 3` for each element if the boxes of the group fill a grid on the screen; null if they do not. */
export function gridPositions(group: readonly BoxedElement[]): string[] | null {
  if (group.length < MIN_GROUP_SIZE || group.length > MAX_GRID_GROUP_SIZE) return null;
  const rows = clusterPositions(group.map(centerY));
  const columns = clusterPositions(group.map(centerX));
  if (rows.length < 2 || columns.length < 2) return null;
  if (rows.length * columns.length > group.length * MAX_CELLS_PER_ELEMENT) return null;
  return group.map(
    element =>
      `row ${clusterIndex(rows, centerY(element))}, column ${clusterIndex(columns, centerX(element))}`,
  );
}

const centerX = ({ reachability: { box } }: BoxedElement): number => (box.left + box.right) / 2;
const centerY = ({ reachability: { box } }: BoxedElement): number => (box.top + box.bottom) / 2;

/** Centers closer than this are in the same row or column. CSS pixels. */
const SAME_LINE_PX = 4;

function clusterPositions(centers: readonly number[]): number[] {
  const lines: number[] = [];
  for (const center of [...centers].sort((a, b) => a - b)) {
    const last = lines.at(-1);
    if (last === undefined || center - last > SAME_LINE_PX) lines.push(center);
  }
  return lines;
}

/** Returns the number of the row or column that this center is in, starting at 1. */
const clusterIndex = (lines: readonly number[], center: number): number =>
  lines.findIndex(line => Math.abs(line - center) <= SAME_LINE_PX) + 1;

export interface DuplicateElement extends BoxedElement {
  readonly candidate: Candidate;
  /** Name of the section that contains the element; the list shows it above the element. */
  readonly category: string;
}

const MAX_CONTEXT_LENGTH = 50;
/** The same for a title, of which the list shows the part that differs. */
const MAX_TITLE_LENGTH = 160;
const MAX_ID_LENGTH = 30;
/** Larger groups of equal descriptions are told apart only by attributes or by position. */
const MAX_GROUP_WITH_CONTEXTS = 600;

/** Returns what tells each of two or more equal descriptions apart: `in "Billing address"`, `2nd of 3`, `id "left"`. @param gridCells their places among other elements */
export function disambiguate(
  group: readonly DuplicateElement[],
  gridCells: readonly string[] = [],
): string[] {
  const contexts = group.length > MAX_GROUP_WITH_CONTEXTS ? group.map(() => '') : contextsOf(group);
  // A context that all of them share says nothing.
  if (new Set(contexts).size === 1) contexts.fill('');
  // Elements without a context in different sections are told apart by the names of the sections.
  const shareOf = (index: number) => contexts[index] || `# ${group[index]?.category}`;
  const byContext = Map.groupBy(contexts.keys(), shareOf);
  const cells = gridCells.some(cell => cell !== '') ? gridCells : gridPositions(group);
  const attributes =
    byContext.size < group.length
      ? distinguishingAttributes(group.map(({ candidate }) => candidate.element))
      : null;
  const positions = new Map(
    [...byContext.values()].flatMap(sharing => sharing.map((index, nth) => [index, nth + 1])),
  );
  return group.map((_, index) => {
    const context = contexts[index] ?? '';
    const sharing = byContext.get(shareOf(index))?.length ?? 0;
    if (sharing === 1) return context === '' ? '' : `in ${quote(context)}`;
    const own = cells?.[index] ?? '';
    // A row and a column of its own says more than the position in the list.
    const isOwn =
      own !== '' && byContext.get(shareOf(index))?.every(other => other === index || cells?.[other] !== own);
    if (isOwn && !attributes?.[index]) return context === '' ? own : `in ${quote(context)}, ${own}`;
    const cell = own === '' ? '' : ` (${own})`;
    const position = attributes?.[index] ?? `${ordinal(positions.get(index) ?? 1)} of ${sharing}`;
    return context === '' ? position + cell : `in ${quote(context)}, ${position}${cell}`;
  });
}

/** Returns the place of an element without a name: `row 2, column 1` in a table, else `2nd of 3` among equal tags. */
export function siblingPosition(element: Element): string {
  const parent = composedParent(element);
  if (parent === null) return '';
  const tag = localName(element);
  const siblings = Array.from(queryAllIn(parent, `:scope > ${CSS.escape(tag)}`));
  const nth = siblings.indexOf(element) + 1;
  const table = tag === 'td' || tag === 'th' ? composedParent(parent) : null;
  if (table !== null) {
    const rows = Array.from(queryAllIn(table, ':scope > tr'));
    return `row ${rows.indexOf(parent) + 1}, column ${nth}`;
  }
  return siblings.length > 1 && nth > 0 ? `${ordinal(nth)} of ${siblings.length}` : '';
}

function contextsOf(group: readonly DuplicateElement[]): string[] {
  const titles = group.map(({ candidate }) => titleOfCell(candidate.element));
  if (titles.every(title => title !== '') && new Set(titles).size === titles.length) return titles;
  const membersIn = new Map<Element, number>();
  for (const { candidate } of group)
    for (let at: Element | null = candidate.element; at !== null; at = composedParent(at))
      membersIn.set(at, (membersIn.get(at) ?? 0) + 1);
  const short = group.map(({ candidate }) => contextOf(candidate.element, membersIn, true));
  const uses = new Map<string, number>();
  for (const { text } of short) uses.set(text, (uses.get(text) ?? 0) + 1);
  return short.map(({ text, isFirstLine }, index) => {
    const element = group[index]?.candidate.element;
    if (uses.get(text) === 1 || !isFirstLine || element === undefined) return text;
    return contextOf(element, membersIn, false).text;
  });
}

interface FoundContext {
  readonly text: string;
  /** True if the text is the first line of the box: the box has more text, which may differ where the line does not. */
  readonly isFirstLine: boolean;
}

/** Returns the first words of the largest box without another element of the group, else the text before or after that box. */
function contextOf(
  element: Element,
  membersIn: ReadonlyMap<Element, number>,
  firstLine: boolean,
): FoundContext {
  const box = boxOfOne(element, membersIn);
  const row = rowTitle(element);
  if (row !== '') return { text: row, isFirstLine: false };
  const title = box === element ? null : titleIn(box, element);
  const line = firstLine && box !== element ? (title ?? firstLineOf(box, element)) : '';
  if (line !== '') return { text: line, isFirstLine: true };
  const text = contextAround(element, box, title, membersIn);
  // The numbers beside a number are its neighbours in a calendar or a wheel: they do not say which one it is.
  const isNeighbour = ONLY_NUMBERS.test(text) && ONLY_NUMBERS.test(visibleText(element, null, MAX_ID_LENGTH));
  return { text: isNeighbour ? '' : text, isFirstLine: false };
}

const ONLY_NUMBERS = /^[\d\s.,:…]+$/;

/** Returns the largest box around an element that contains no other element of the group. */
function boxOfOne(element: Element, membersIn: ReadonlyMap<Element, number>): Element {
  let box = element;
  for (let at = composedParent(element); at !== null && membersIn.get(at) === 1; at = composedParent(at))
    box = at;
  return box;
}

/** Returns the text of the box around an element, else the text before or after it. @param title the title in the box; null if none */
function contextAround(
  element: Element,
  box: Element,
  title: string | null,
  membersIn: ReadonlyMap<Element, number>,
): string {
  if (box !== element) {
    const text = title ?? (isEntry(box) ? beginningOf(box, element) : shortText(box, element));
    if (text !== '') return text;
  }
  const before = textBefore(box);
  if (before !== '') return before;
  if (box !== element) return truncate(identifierWords(getAttribute(box, 'id') ?? ''), MAX_ID_LENGTH);
  return sharedContext(element, membersIn) || textAfter(element);
}

/** Returns the title attribute of an element or of the cell around it, such as the date of a day; empty if it has none. */
function titleOfCell(element: Element): string {
  const cell = closest(element, 'td, [role=gridcell], [role=cell]');
  const title = getAttribute(element, 'title') ?? (cell === null ? null : getAttribute(cell, 'title'));
  return truncate(normalizeText(title ?? ''), MAX_CONTEXT_LENGTH) || (cell === null ? '' : dateAround(cell));
}

/** Returns true for a box that is one of several similar ones: an entry of a list, a card, a row. */
function isEntry(box: Element): boolean {
  if (/^(li|tr|article|section|fieldset|dd)$/.test(localName(box))) return true;
  const name = getAttribute(box, 'class');
  return [previousElementSibling(box), nextElementSibling(box)].some(
    sibling =>
      sibling !== null && localName(sibling) === localName(box) && getAttribute(sibling, 'class') === name,
  );
}

/** Returns the first short text in a box before `except`: that of a control only in an entry of a list, whose label is its link. */
function firstLineOf(box: Element, except: Element): string {
  const isListEntry = localName(box) === 'li';
  const words = isListEntry ? /[\p{L}\p{N}]{2}/u : /\p{L}{2}/u;
  for (let child = firstElementChild(box); child !== null; child = nextElementSibling(child)) {
    if (composedContains(child, except)) return '';
    const text = visibleText(child, null, MAX_CONTEXT_LENGTH * 2);
    if (!words.test(text)) continue;
    const isLabel = isListEntry || (queryIn(child, CONTROLS) === null && !matches(child, CONTROLS));
    return isLabel && text.length <= MAX_CONTEXT_LENGTH ? text : '';
  }
  return '';
}

const PRESSED = `${CONTROLS}, a, [onclick]`;

/** Returns the text of a box without that of one element, if it is short: a longer one belongs to more than the element. */
function shortText(box: Element, except: Element): string {
  const text = visibleText(box, except, MAX_CONTEXT_LENGTH * 2);
  return text.length <= MAX_CONTEXT_LENGTH ? text : '';
}

/** Returns the text of the next sibling if it is short and inline, like the label of an arrow or a bullet; else empty. */
function textAfter(element: Element): string {
  const next = nextElementSibling(element);
  if (next === null || !/^(span|a|label|b|strong|em)$/.test(localName(next))) return '';
  const text = visibleText(next, null, MAX_CONTEXT_LENGTH * 2);
  return text.length <= MAX_CONTEXT_LENGTH ? text : '';
}

/** Returns the leading text of the smallest box around an element that contains at most half of the elements in its group. */
function sharedContext(element: Element, membersIn: ReadonlyMap<Element, number>): string {
  let size = Number.POSITIVE_INFINITY;
  for (let at: Element | null = element; at !== null; at = composedParent(at))
    size = membersIn.get(at) ?? size;
  for (const at of around(composedParent(element), NEAR_LEVELS)) {
    if ((membersIn.get(at) ?? 0) * 2 > size) return '';
    const text = leadingText(at, element);
    if (text !== '') return text;
  }
  return '';
}

const leadingText = (box: Element, except: Element): string =>
  titleIn(box, except) ?? beginningOf(box, except);

function beginningOf(box: Element, except: Element): string {
  const cell = localName(box) === 'tr' ? queryIn(box, 'th, td') : null;
  const first = cell === null || cell.contains(except) ? '' : visibleText(cell, null, MAX_CONTEXT_LENGTH * 2);
  return truncate(first || visibleText(box, except, MAX_CONTEXT_LENGTH * 2), MAX_CONTEXT_LENGTH);
}

function titleIn(box: Element, except: Element): string | null {
  const label = attributeText(box, 'aria-label');
  if (label !== '') return truncate(label, MAX_TITLE_LENGTH);
  const title = firstTitleIn(box);
  const text = title === null || title === except ? '' : visibleText(title, null, MAX_TITLE_LENGTH);
  return text === '' ? null : truncate(text, MAX_TITLE_LENGTH);
}

const MAX_PREVIOUS_SIBLINGS = 6;

/** Returns the text among the siblings before a box: a short text just before it, else a heading, else the beginning of a long text. */
function textBefore(box: Element): string {
  let long = '';
  for (
    let node = previousSibling(box), seen = 0;
    node !== null && seen < MAX_PREVIOUS_SIBLINGS;
    node = previousSibling(node), seen++
  ) {
    // The text of a box with controls is theirs.
    if (isElement(node) && (matches(node, PRESSED) || queryIn(node, PRESSED) !== null)) continue;
    const isHeading = isElement(node) && /^h[1-6]$/.test(localName(node));
    const text =
      nodeType(node) === Node.TEXT_NODE
        ? normalizeText((node as CharacterData).data)
        : isElement(node) && /^(label|span|b|strong|em|p|dt|td|th|h[1-6]|div)$/.test(localName(node))
          ? visibleText(node, null, MAX_CONTEXT_LENGTH * 2)
          : '';
    if (text === '') continue;
    if (isHeading) return truncate(text, MAX_CONTEXT_LENGTH);
    if (long === '' && text.length <= MAX_CONTEXT_LENGTH) return text.length > 1 ? text : '';
    if (long === '') long = truncate(text, MAX_CONTEXT_LENGTH);
  }
  return long;
}
