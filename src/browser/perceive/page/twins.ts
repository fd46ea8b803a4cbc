/** What tells elements of the same description apart: the shortest context, else the place among their like. */
import type { Found } from './found.ts';
import { marksOf } from './marks.ts';
import { visibleText } from './name.ts';
import {
  characters,
  composedParent,
  getAttribute,
  isElement,
  localName,
  nextElementSibling,
  nodeType,
  previousSibling,
  queryAllIn,
  queryIn,
} from './native.ts';
import type { Placing } from './placing.ts';
import { cut, fold, ordinal, quoted } from './text.ts';
import { titleIn } from './titles.ts';

export interface Twin {
  readonly found: Found;
  readonly placing: Placing;
}

const MOST_CONTEXT = 50;
/** Contexts are read for this many of a group at most; the others have their place in it. */
const MOST_READ = 600;

/**
 * @param group elements whose descriptions are the same, in document order; two at least
 * @param places where each stands in a grid that others stand in too; empty where it stands in none
 * @returns for each what tells it apart
 */
export function distinctions(group: readonly Twin[], places: readonly string[] = []): string[] {
  const contexts = group.length > MOST_READ ? group.map(() => '') : contextsOf(group);
  const counts = Map.groupBy(contexts.keys(), index => contexts[index] ?? '');
  const cells = places.some(place => place !== '') ? places : gridPlaces(group);
  const marks = counts.size < group.length ? marksOf(group.map(({ found }) => found.element)) : null;
  const nths = new Map(
    [...counts.values()].flatMap(sharing => sharing.map((index, nth) => [index, nth + 1])),
  );
  return group.map((_, index) => {
    const context = contexts[index] ?? '';
    const sharing = counts.get(context)?.length ?? 0;
    if (context !== '' && sharing === 1) return `in ${quoted(context)}`;
    const cell = cells?.[index] ? ` (${cells[index]})` : '';
    // Alone without a context, but not alone of its kind.
    const [nth, of] = sharing > 1 ? [nths.get(index) ?? 1, sharing] : [index + 1, group.length];
    const place = marks?.[index] ?? `${ordinal(nth)} of ${of}`;
    return context === '' ? place + cell : `in ${quoted(context)}, ${place}${cell}`;
  });
}

/** For an element that nothing is known of: `row 2, column 1`, else its place among its siblings of the same kind. */
export function placeAmongSiblings(element: Element): string {
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

function contextsOf(group: readonly Twin[]): string[] {
  const members = new Map<Element, number>();
  for (const { found } of group)
    for (let at: Element | null = found.element; at !== null; at = composedParent(at))
      members.set(at, (members.get(at) ?? 0) + 1);
  return group.map(({ found }) => contextOf(found.element, members));
}

/** The words of the largest box that holds this one of the group alone; nearer ones first. */
function contextOf(element: Element, members: ReadonlyMap<Element, number>): string {
  let alone = element;
  for (let at = composedParent(element); at !== null && members.get(at) === 1; at = composedParent(at))
    alone = at;
  if (alone !== element) {
    const words = leadingWords(alone, element);
    if (words !== '') return words;
  }
  const before = wordsBefore(alone);
  if (before !== '') return before;
  const shared = alone === element ? sharedWords(element, members) : '';
  return shared || (alone === element ? wordsAfter(element) : cut(getAttribute(alone, 'id') ?? '', 30));
}

/** What an arrow or a bullet stands before: a short text just there. */
function wordsAfter(sign: Element): string {
  const next = nextElementSibling(sign);
  if (next === null || !/^(span|a|label|b|strong|em)$/.test(localName(next))) return '';
  const text = visibleText(next, null, MOST_CONTEXT * 2);
  return text.length <= MOST_CONTEXT ? text : '';
}

/** How far up a box may be that a few of the group share. */
const MOST_CLIMBED = 3;

/** The words of the smallest box that holds this one and a few others of the group. */
function sharedWords(element: Element, members: ReadonlyMap<Element, number>): string {
  let size = Number.POSITIVE_INFINITY;
  for (let at: Element | null = element; at !== null; at = composedParent(at)) size = members.get(at) ?? size;
  let at = composedParent(element);
  for (let climbed = 0; at !== null && climbed < MOST_CLIMBED; climbed++, at = composedParent(at)) {
    if ((members.get(at) ?? 0) * 2 > size) return '';
    const words = leadingWords(at, element);
    if (words !== '') return words;
  }
  return '';
}

/** The box's own title where it has one, else the first words in it. */
function leadingWords(box: Element, except: Element): string {
  const label = fold(getAttribute(box, 'aria-label') ?? '');
  if (label !== '') return cut(label, MOST_CONTEXT);
  const title = titleIn(box);
  const text = title === null || title === except ? '' : visibleText(title, null, MOST_CONTEXT * 2);
  if (text !== '') return cut(text, MOST_CONTEXT);
  const cell = localName(box) === 'tr' ? queryIn(box, 'th, td') : null;
  const first = cell === null || cell.contains(except) ? '' : visibleText(cell, null, MOST_CONTEXT * 2);
  return cut(first || visibleText(box, except, MOST_CONTEXT * 2), MOST_CONTEXT);
}

/** Siblings that are looked at for words before a box. */
const MOST_BEFORE = 6;

/** What stands before the box: a short text just there, else the heading over it, else the beginning of a long text. */
function wordsBefore(box: Element): string {
  let long = '';
  for (
    let node = previousSibling(box), seen = 0;
    node !== null && seen < MOST_BEFORE;
    node = previousSibling(node), seen++
  ) {
    const heading = isElement(node) && /^h[1-6]$/.test(localName(node));
    const text =
      nodeType(node) === Node.TEXT_NODE
        ? fold(characters(node as CharacterData))
        : isElement(node) && /^(label|span|b|strong|em|p|dt|td|th|h[1-6]|div)$/.test(localName(node))
          ? visibleText(node, null, MOST_CONTEXT * 2)
          : '';
    if (text === '') continue;
    if (heading) return cut(text, MOST_CONTEXT);
    if (long === '' && text.length <= MOST_CONTEXT) return text.length > 1 ? text : '';
    if (long === '') long = cut(text, MOST_CONTEXT);
  }
  return long;
}

/** `row 2, column 3` where the group stands in a full grid of boxes; null where it does not. */
export function gridPlaces(group: readonly Twin[]): string[] | null {
  if (group.length < 4 || group.length > 900) return null;
  const rows = lines(group.map(({ placing }) => (placing.box.top + placing.box.bottom) / 2));
  const columns = lines(group.map(({ placing }) => (placing.box.left + placing.box.right) / 2));
  if (rows.length < 2 || columns.length < 2 || rows.length * columns.length > group.length * 1.5) return null;
  return group.map(({ placing }) => {
    const row = lineOf(rows, (placing.box.top + placing.box.bottom) / 2);
    const column = lineOf(columns, (placing.box.left + placing.box.right) / 2);
    return `row ${row}, column ${column}`;
  });
}

/** Middles closer than this are on one line. CSS pixels. */
const SAME_LINE = 4;

function lines(middles: readonly number[]): number[] {
  const found: number[] = [];
  for (const middle of [...middles].sort((a, b) => a - b)) {
    const last = found.at(-1);
    if (last === undefined || middle - last > SAME_LINE) found.push(middle);
  }
  return found;
}

const lineOf = (all: readonly number[], middle: number): number =>
  all.findIndex(line => Math.abs(line - middle) <= SAME_LINE) + 1;
