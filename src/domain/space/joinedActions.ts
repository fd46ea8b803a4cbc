import type { Action } from './action.ts';
import { type ActionPhrase, textAfterId } from './actionPhrase.ts';

/** Finds names that count: the years of a list of choices, the days of a calendar. The first and the last one say all of them. */

/** Minimum number of names that are written as a series. */
const MIN_SERIES = 7;
/** Maximum number of names that are compared at once: a part of a series has fewer. */
const MAX_SERIES = 24;
/** A word that comes again with each seventh name: the day of the week. */
const WEEK = 7;
/** Minimum number of names of a part of a series, so that its parts can begin at round numbers. */
const MIN_PART = 3;
const ROUND = 10;

/** A name, divided at its numbers: texts at even places, numbers at odd ones. */
type Parts = readonly string[];

const partsOf = (name: string): Parts =>
  name
    .split(/(\d{1,9})/)
    .map((part, index) => (index > 0 && index % 2 === 0 ? part.replace(/^(?:st|nd|rd|th)\b/, '') : part));

/** Returns the place of the number that is one greater than in the name before, if no other number differs; -1 if there is none. */
function countingPlace(before: Parts, now: Parts): number {
  if (before.length !== now.length) return -1;
  let place = -1;
  for (let index = 1; index < now.length; index += 2) {
    const [one = '', other = ''] = [before[index], now[index]];
    if (one === other) continue;
    const isNext = Number(other) === Number(one) + 1 && (one.length === other.length || /^9+$/.test(one));
    if (!isNext || place >= 0) return -1;
    place = index;
  }
  return place;
}

/** Returns true if the words around the numbers are those of the name before, or of the name a week before. */
function hasSameWords(names: readonly Parts[], at: number): boolean {
  const [now = [], before = [], weekBefore = null] = [names[at], names[at - 1], names[at - WEEK]];
  const isSame = (other: Parts): boolean =>
    now.every((part, index) => index % 2 === 1 || part === other[index]);
  if (isSame(before)) return true;
  // Only the first word may differ, and in each name of the week.
  const isOtherDay = now.every((part, index) => index % 2 === 1 || index === 0 || part === before[index]);
  const start = now[0]?.replace(/^\p{L}+/u, '');
  if (!isOtherDay || start === now[0] || start !== before[0]?.replace(/^\p{L}+/u, '')) return false;
  return weekBefore === null || isSame(weekBefore);
}

/** Returns the end of the names from this one on that count up by one, each like the one before: `1925` to `1999`, `Friday, May 1` to `Sunday, May 31`; less than `MIN_SERIES` beyond the start if there are too few. */
function endOfSeries(names: readonly string[], start: number): number {
  const parts: Parts[] = [];
  let place = -1;
  let end = start;
  for (; end < names.length; end++) {
    const name = names[end];
    if (name === undefined) break;
    parts.push(partsOf(name));
    const at = parts.length - 1;
    if (at === 0) continue;
    const counting = countingPlace(parts[at - 1] ?? [], parts[at] ?? []);
    if (counting < 0 || (place >= 0 && counting !== place) || !hasSameWords(parts, at)) break;
    place = counting;
  }
  const isWeekly = parts[0]?.[0] !== parts[1]?.[0];
  return isWeekly && end - start <= WEEK ? start + 1 : end;
}

/** Returns the end of the first part of a series: parts begin at round numbers, so that a reader finds an id without counting far. */
function endOfPart(names: readonly string[], start: number, end: number): number {
  const place = countingPlace(partsOf(names[start] ?? ''), partsOf(names[start + 1] ?? ''));
  const numberAt = (index: number): number => Number(partsOf(names[index] ?? '')[place]);
  for (let at = start + MIN_PART; at <= end - MIN_PART; at++) if (numberAt(at) % ROUND === 0) return at;
  return end;
}

/** A line, and the actions in it. A line with its context above it has two. */
export interface ActionLines {
  readonly text: string;
  readonly actions: readonly Action[];
}

export interface Listed {
  readonly action: Action;
  readonly phrase: ActionPhrase;
  /** The text after the id in the action's line, without its place and without what a line above says of all actions with this name. */
  readonly text: string;
  /** The same, complete: actions are compared by it. */
  readonly wholeText: string;
}

/** Maximum number of different names in a line, so that a reader finds the id of each without counting far. */
const MAX_NAMES = 6;
/** Minimum number of different names in a line: two take as many characters as two lines. */
const MIN_NAMES = 3;
/** Maximum length of a line with several names, in characters. */
const MAX_LENGTH = 260;

/**
 * Returns the lines of actions that follow each other.
 *
 * - `L5–L6 "Blue shirt"` stands for actions with the same text and consecutive ids.
 * - `I1 checkbox, L7 "Red"` stands for actions with the same name and different kinds.
 * - `B3–B12 option "1925"–"1934"` stands for actions with consecutive ids whose names count.
 * - `L8–L10 "Home" "News" "About"` stands for actions with consecutive ids, each with a name of its own; the kind before the names and the states after them hold for each.
 * @param indent the start of each line
 */
export function joinedLines(listed: readonly Listed[], indent = ''): ActionLines[] {
  const lines: ActionLines[] = [];
  for (let start = 0; start < listed.length; ) {
    const { end, text } = lineFrom(listed, start);
    lines.push({ text: indent + text, actions: listed.slice(start, end).map(({ action }) => action) });
    start = end;
  }
  return lines;
}

/** Returns the text of the line that begins with an action, and the index of the action after it. */
function lineFrom(listed: readonly Listed[], start: number): { readonly end: number; readonly text: string } {
  const alikeEnd = endOfAlike(listed, start);
  if (alikeEnd > start + 1)
    return { end: alikeEnd, text: idRange(listed.slice(start, alikeEnd)) + listed[start]?.text };
  const kindsEnd = endOfKinds(listed, start);
  if (kindsEnd > start + 1) return { end: kindsEnd, text: kindsText(listed.slice(start, kindsEnd)) };
  const series = seriesFrom(listed, start);
  if (series !== null) return series;
  const namesEnd = endOfNames(listed, start);
  if (namesEnd > start + 1) return { end: namesEnd, text: namesText(listed.slice(start, namesEnd)) };
  return { end: start + 1, text: `${listed[start]?.action.id}${listed[start]?.text}` };
}

/** Returns the end of the actions from this one on that have the same text and consecutive ids. */
export function endOfAlike(listed: readonly Listed[], start: number): number {
  let end = start + 1;
  while (isSame(listed[end], listed[end - 1]) && isNext(listed[end], listed[end - 1])) end++;
  return end;
}

/** Returns the end of the actions from this one on that differ in their kinds only: a checkbox and the link beside it. */
function endOfKinds(listed: readonly Listed[], start: number): number {
  const first = listed[start];
  let end = start + 1;
  for (let one = listed[end]; first !== undefined && one !== undefined; one = listed[++end]) {
    if (one.phrase.name !== first.phrase.name || !isPlain(one) || !isPlain(first)) break;
    const kind = kindOf(one);
    if (listed.slice(start, end).some(other => kindOf(other) === kind)) break;
  }
  return end;
}

const isPlain = ({ phrase: { name, states, notes } }: Listed): boolean =>
  name !== null && states === '' && notes === '';

const kindsText = (listed: readonly Listed[]): string =>
  listed
    .map(({ action, phrase, text }, index) =>
      index === listed.length - 1
        ? action.id + text
        : `${action.id}${phrase.role === '' ? '' : ` ${phrase.role}`}`,
    )
    .join(', ');

/** Returns the end of the actions from this one on whose names can stand in one line; that of this one alone if they are too few. */
function endOfNames(listed: readonly Listed[], start: number): number {
  const first = listed[start];
  if (first === undefined || first.phrase.name === null || first.phrase.states.startsWith(' '))
    return start + 1;
  let end = start + 1;
  let length = first.action.id.length * 2 + 1 + first.text.length;
  for (; end < start + MAX_NAMES; end++) {
    const one = listed[end];
    if (one === undefined || !isNext(one, listed[end - 1]) || !isOfKind(one, first)) break;
    length += one.phrase.shownName.length + 3;
    if (length > MAX_LENGTH || endOfAlike(listed, end) > end + 1 || endOfKinds(listed, end) > end + 1) break;
    // A series that begins here is one line with all of its names.
    if (seriesFrom(listed, end) !== null) break;
  }
  return end < start + MIN_NAMES ? start + 1 : end;
}

function seriesFrom(
  listed: readonly Listed[],
  start: number,
): { readonly end: number; readonly text: string } | null {
  const first = listed[start];
  if (first === undefined || !/\d/.test(first.phrase.shownName) || first.phrase.states.startsWith(' '))
    return null;
  let length = 1;
  while (
    length < MAX_SERIES &&
    isNext(listed[start + length], listed[start + length - 1]) &&
    isCounted(listed[start + length], first)
  )
    length++;
  if (length < MIN_SERIES) return null;
  const names = listed.slice(start, start + length).map(({ phrase }) => phrase.shownName);
  const end = endOfSeries(names, 0);
  if (end < MIN_SERIES) return null;
  const partEnd = endOfPart(names, 0, end);
  const shown = ` "${names[0]}"–"${names[partEnd - 1]}"`;
  const text = idRange(listed.slice(start, start + partEnd)) + textAfterId(first.phrase, '', shown);
  return { end: start + partEnd, text };
}

const isCounted = (one: Listed | undefined, first: Listed): boolean =>
  one !== undefined && /\d/.test(one.phrase.shownName) && isOfKind(one, first);

/** Returns true if an action has a name and differs from another one in nothing else. */
const isOfKind = ({ phrase }: Listed, { phrase: other }: Listed): boolean =>
  phrase.name !== null &&
  phrase.role === other.role &&
  phrase.states === other.states &&
  phrase.notes === other.notes;

function namesText(listed: readonly Listed[]): string {
  const [first] = listed;
  if (first === undefined) return '';
  const names = listed.map(({ phrase }) => ` "${phrase.shownName}"`).join('');
  return idRange(listed) + textAfterId(first.phrase, '', names);
}

export const idRange = (listed: readonly Listed[]): string =>
  `${listed.at(0)?.action.id}–${listed.at(-1)?.action.id}`;

export const isNextId = (id: string, before: string | undefined): boolean =>
  before !== undefined &&
  id.charAt(0) === before.charAt(0) &&
  Number(id.slice(1)) === Number(before.slice(1)) + 1;

export const isNext = (one: Listed | undefined, before: Listed | undefined): boolean =>
  one !== undefined && isNextId(one.action.id, before?.action.id);

export const kindOf = (listed: Listed | undefined): string =>
  listed === undefined ? '' : `${listed.phrase.id.charAt(0)} ${listed.phrase.role}`;

export const isSame = (one: Listed | undefined, other: Listed | undefined): boolean =>
  one !== undefined &&
  one.wholeText === other?.wholeText &&
  one.action.id.charAt(0) === other.action.id.charAt(0);
