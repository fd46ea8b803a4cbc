/** Joins actions that follow each other into lines, each with the ids and the texts of several of them. */
import type { Action } from './action.ts';
import { type ActionPhrase, textAfterId } from './actionPhrase.ts';

/** A line, and the actions in it. A line with its context above it has two. */
export interface ActionLines {
  readonly text: string;
  readonly actions: readonly Action[];
}

/** An action with the parts of its line. */
export interface Listed {
  readonly action: Action;
  readonly phrase: ActionPhrase;
  /** The text after the id in the action's line, without its place. */
  readonly text: string;
}

/** Maximum number of different names in a line, so that a reader finds the id of each without counting far. */
const MAX_NAMES = 6;
/** Minimum number of different names in a line: two take as many characters as two lines. */
const MIN_NAMES = 3;
/** Maximum length of a line with several names, in characters. */
const MAX_LENGTH = 160;

/**
 * Returns the lines of actions that follow each other.
 *
 * - `L5–L6 "Blue shirt"` stands for actions with the same text and consecutive ids.
 * - `I1 checkbox, L7 "Red"` stands for actions with the same name and different kinds.
 * - `L8–L10 "Home" "News" "About"` stands for actions with consecutive ids, each with a name of its own; the kind before the names and the states after them hold for each.
 * @param indent the start of each line
 */
export function joinedLines(listed: readonly Listed[], indent = ''): ActionLines[] {
  const lines: ActionLines[] = [];
  for (let index = 0; index < listed.length; ) {
    const rest = listed.slice(index, index + MAX_LOOKAHEAD);
    const [first] = rest;
    if (first === undefined) break;
    const alike = alikeOf(listed, index);
    const found = alike.length > 1 ? alike : kindsOf(rest);
    const joined = found.length > 1 ? found : namesOf(rest);
    const text =
      alike.length > 1
        ? idRange(alike) + first.text
        : found.length > 1
          ? kindsText(found)
          : joined.length > 1
            ? namesText(joined)
            : first.action.id + first.text;
    lines.push({ text: indent + text, actions: joined.map(({ action }) => action) });
    index += joined.length;
  }
  return lines;
}

/** Number of actions that a line with several names, and the check whether the next one starts another line, look at. */
const MAX_LOOKAHEAD = MAX_NAMES + 1;

/** Returns the actions from this one on that have the same text and consecutive ids. */
function alikeOf(listed: readonly Listed[], start: number): readonly Listed[] {
  let end = start + 1;
  while (isSame(listed[end], listed[end - 1]) && isNext(listed[end], listed[end - 1])) end++;
  return listed.slice(start, end);
}

/** Returns the actions from the first one on that differ in their kinds only: a checkbox and the link beside it. */
function kindsOf(listed: readonly Listed[]): readonly Listed[] {
  const [first] = listed;
  if (first === undefined || !isPlain(first)) return [];
  const end = listed.findIndex(
    (one, index) =>
      !isPlain(one) ||
      one.phrase.name !== first.phrase.name ||
      listed.slice(0, index).some(other => kindOf(other) === kindOf(one)),
  );
  return listed.slice(0, end < 0 ? listed.length : end);
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

/** Returns the actions from the first one on whose names can stand in one line; fewer than two for none. */
function namesOf(listed: readonly Listed[]): readonly Listed[] {
  const [first] = listed;
  if (first === undefined || first.phrase.name === null || first.phrase.states.startsWith(' '))
    return listed.slice(0, 1);
  let count = 1;
  let length = first.action.id.length * 2 + 1 + first.text.length;
  for (; count < MAX_NAMES; count++) {
    const [one, before, after] = [listed[count], listed[count - 1], listed[count + 1]];
    if (one === undefined || !isNext(one, before) || !isOfKind(one, first)) break;
    if (after !== undefined && (isSame(one, after) || kindsOf([one, after]).length > 1)) break;
    length += one.phrase.shownName.length + 3;
    if (length > MAX_LENGTH) break;
  }
  return listed.slice(0, count < MIN_NAMES ? 1 : count);
}

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
  one !== undefined && one.text === other?.text && one.action.id.charAt(0) === other.action.id.charAt(0);
