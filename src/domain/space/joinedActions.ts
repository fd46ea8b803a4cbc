/** Joins actions that follow each other into lines, each with the ids and the texts of several of them. */
import type { Action } from './action.ts';
import { type ActionPhrase, textAfterId } from './actionPhrase.ts';
import { endOfPart, endOfSeries, MAX_SERIES, MIN_SERIES } from './nameSeries.ts';

/** A line, and the actions in it. A line with its context above it has two. */
export interface ActionLines {
  readonly text: string;
  readonly actions: readonly Action[];
}

/** An action with the parts of its line. */
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

/** Returns the line of actions whose names count, such as the years of a list; null for others. */
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

/** Returns the ids of actions that follow each other: `L3–L7`. */
export const idRange = (listed: readonly Listed[]): string =>
  `${listed.at(0)?.action.id}–${listed.at(-1)?.action.id}`;

/** Returns true if an id is the next one after another with the same letter: `B3` after `B2`. */
export const isNextId = (id: string, before: string | undefined): boolean =>
  before !== undefined &&
  id.charAt(0) === before.charAt(0) &&
  Number(id.slice(1)) === Number(before.slice(1)) + 1;

/** Returns true if an action has the id after that of another one. */
export const isNext = (one: Listed | undefined, before: Listed | undefined): boolean =>
  one !== undefined && isNextId(one.action.id, before?.action.id);

/** Returns the letter of the id and the kind of element. */
export const kindOf = (listed: Listed | undefined): string =>
  listed === undefined ? '' : `${listed.phrase.id.charAt(0)} ${listed.phrase.role}`;

/** Returns true if two actions are of the same kind and have the same text. */
export const isSame = (one: Listed | undefined, other: Listed | undefined): boolean =>
  one !== undefined &&
  one.wholeText === other?.wholeText &&
  one.action.id.charAt(0) === other.action.id.charAt(0);
