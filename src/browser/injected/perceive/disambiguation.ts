/** What tells elements of the same description apart: the shortest context, else the place among their like. */

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
} from '../dom/domGetters.ts';
import { visibleText } from './accessibleName.ts';
import type { Candidate } from './candidate.ts';
import { distinguishingAttributes } from './distinguishingAttributes.ts';
import { normalizeText, ordinal, quote, truncate } from './plainText.ts';
import type { Reachability } from './reachability.ts';
import { firstTitleIn } from './titleIndex.ts';

export interface DuplicateElement {
  readonly found: Candidate;
  readonly placing: Reachability;
}

const MAX_CONTEXT_LENGTH = 50;
/** Contexts are read for this many of a group at most; the others have their place in it. */
const MAX_CONTEXTS = 600;

/**
 * @param group elements whose descriptions are the same, in document order; two at least
 * @param places where each stands in a grid that others stand in too; empty where it stands in none
 * @returns for each what tells it apart
 */
export function disambiguate(group: readonly DuplicateElement[], places: readonly string[] = []): string[] {
  const contexts = group.length > MAX_CONTEXTS ? group.map(() => '') : contextsOf(group);
  const counts = Map.groupBy(contexts.keys(), index => contexts[index] ?? '');
  const cells = places.some(place => place !== '') ? places : gridPositions(group);
  const marks =
    counts.size < group.length ? distinguishingAttributes(group.map(({ found }) => found.element)) : null;
  const nths = new Map(
    [...counts.values()].flatMap(sharing => sharing.map((index, nth) => [index, nth + 1])),
  );
  return group.map((_, index) => {
    const context = contexts[index] ?? '';
    const sharing = counts.get(context)?.length ?? 0;
    if (context !== '' && sharing === 1) return `in ${quote(context)}`;
    const cell = cells?.[index] ? ` (${cells[index]})` : '';
    // Alone without a context, but not alone of its kind.
    const [nth, of] = sharing > 1 ? [nths.get(index) ?? 1, sharing] : [index + 1, group.length];
    const place = marks?.[index] ?? `${ordinal(nth)} of ${of}`;
    return context === '' ? place + cell : `in ${quote(context)}, ${place}${cell}`;
  });
}

/** For an element that nothing is known of: `row 2, column 1`, else its place among its siblings of the same kind. */
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
    const words = leadingText(alone, element);
    if (words !== '') return words;
  }
  const before = textBefore(alone);
  if (before !== '') return before;
  const shared = alone === element ? sharedContext(element, members) : '';
  return shared || (alone === element ? textAfter(element) : truncate(getAttribute(alone, 'id') ?? '', 30));
}

/** What an arrow or a bullet stands before: a short text just there. */
function textAfter(sign: Element): string {
  const next = nextElementSibling(sign);
  if (next === null || !/^(span|a|label|b|strong|em)$/.test(localName(next))) return '';
  const text = visibleText(next, null, MAX_CONTEXT_LENGTH * 2);
  return text.length <= MAX_CONTEXT_LENGTH ? text : '';
}

/** How far up a box may be that a few of the group share. */
const MAX_SHARED_ANCESTORS = 3;

/** The words of the smallest box that holds this one and a few others of the group. */
function sharedContext(element: Element, members: ReadonlyMap<Element, number>): string {
  let size = Number.POSITIVE_INFINITY;
  for (let at: Element | null = element; at !== null; at = composedParent(at)) size = members.get(at) ?? size;
  let at = composedParent(element);
  for (let climbed = 0; at !== null && climbed < MAX_SHARED_ANCESTORS; climbed++, at = composedParent(at)) {
    if ((members.get(at) ?? 0) * 2 > size) return '';
    const words = leadingText(at, element);
    if (words !== '') return words;
  }
  return '';
}

/** The box's own title where it has one, else the first words in it. */
function leadingText(box: Element, except: Element): string {
  const label = normalizeText(getAttribute(box, 'aria-label') ?? '');
  if (label !== '') return truncate(label, MAX_CONTEXT_LENGTH);
  const title = firstTitleIn(box);
  const text = title === null || title === except ? '' : visibleText(title, null, MAX_CONTEXT_LENGTH * 2);
  if (text !== '') return truncate(text, MAX_CONTEXT_LENGTH);
  const cell = localName(box) === 'tr' ? queryIn(box, 'th, td') : null;
  const first = cell === null || cell.contains(except) ? '' : visibleText(cell, null, MAX_CONTEXT_LENGTH * 2);
  return truncate(first || visibleText(box, except, MAX_CONTEXT_LENGTH * 2), MAX_CONTEXT_LENGTH);
}

/** Siblings that are looked at for words before a box. */
const MAX_PREVIOUS_SIBLINGS = 6;

/** What stands before the box: a short text just there, else the heading over it, else the beginning of a long text. */
function textBefore(box: Element): string {
  let long = '';
  for (
    let node = previousSibling(box), seen = 0;
    node !== null && seen < MAX_PREVIOUS_SIBLINGS;
    node = previousSibling(node), seen++
  ) {
    const heading = isElement(node) && /^h[1-6]$/.test(localName(node));
    const text =
      nodeType(node) === Node.TEXT_NODE
        ? normalizeText(characters(node as CharacterData))
        : isElement(node) && /^(label|span|b|strong|em|p|dt|td|th|h[1-6]|div)$/.test(localName(node))
          ? visibleText(node, null, MAX_CONTEXT_LENGTH * 2)
          : '';
    if (text === '') continue;
    if (heading) return truncate(text, MAX_CONTEXT_LENGTH);
    if (long === '' && text.length <= MAX_CONTEXT_LENGTH) return text.length > 1 ? text : '';
    if (long === '') long = truncate(text, MAX_CONTEXT_LENGTH);
  }
  return long;
}

/** `row 2, column 3` where the group stands in a full grid of boxes; null where it does not. */
export function gridPositions(group: readonly DuplicateElement[]): string[] | null {
  if (group.length < 4 || group.length > 900) return null;
  const rows = clusterPositions(group.map(({ placing }) => (placing.box.top + placing.box.bottom) / 2));
  const columns = clusterPositions(group.map(({ placing }) => (placing.box.left + placing.box.right) / 2));
  if (rows.length < 2 || columns.length < 2 || rows.length * columns.length > group.length * 1.5) return null;
  return group.map(({ placing }) => {
    const row = clusterIndex(rows, (placing.box.top + placing.box.bottom) / 2);
    const column = clusterIndex(columns, (placing.box.left + placing.box.right) / 2);
    return `row ${row}, column ${column}`;
  });
}

/** Middles closer than this are on one line. CSS pixels. */
const SAME_LINE_PX = 4;

function clusterPositions(middles: readonly number[]): number[] {
  const found: number[] = [];
  for (const middle of [...middles].sort((a, b) => a - b)) {
    const last = found.at(-1);
    if (last === undefined || middle - last > SAME_LINE_PX) found.push(middle);
  }
  return found;
}

const clusterIndex = (all: readonly number[], middle: number): number =>
  all.findIndex(line => Math.abs(line - middle) <= SAME_LINE_PX) + 1;
