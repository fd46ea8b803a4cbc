/** Writes the actions of a section as lines that repeat nothing: no context twice, no actions that the row above has too. */
import type { Action } from './action.ts';
import {
  type ActionPhrase,
  isSameText,
  phraseLine,
  shownContext,
  textAfterId,
  toActionPhrase,
} from './actionPhrase.ts';

/** A line, and the actions in it. A line with its context above it has two. */
export interface ActionLines {
  readonly text: string;
  readonly actions: readonly Action[];
}

/** An action with the parts of its line. */
interface Listed {
  readonly action: Action;
  readonly phrase: ActionPhrase;
  /** The text after the id in the action's line, without its place. */
  readonly text: string;
}

/** An action or a title that names a row, and the actions that belong to it. */
interface Row {
  /** The action that names the row; null if its title does. */
  readonly head: Listed | null;
  /** The words that name the row; null if it has no name, so that no other action belongs to it. */
  readonly title: string | null;
  readonly items: Listed[];
}

/**
 * Returns the lines of actions that follow each other in one section.
 *
 * - An indented line belongs to the line above it that is not indented: an action, or `in "Customer 1":`.
 * - `= B3 B4 in "Customer 2"` is a row like the last row with several lines: its actions have these ids, and the texts of those above unless a text of their
 *   own follows the id.
 * - `B5–B9 "Delete"` stands for actions that differ in nothing but their place.
 * @param title the title of the section. Actions that have it as their context need no context; null for none
 */
export function actionRows(actions: readonly Action[], title: string | null): readonly ActionLines[] {
  const listed = actions.map(action => {
    const phrase = toActionPhrase(action);
    return { action, phrase, text: textAfterId(phrase) };
  });
  const rows = toRows(listed, title);
  const lines: ActionLines[] = [];
  let above: Row | undefined;
  let distance = 0;
  for (let index = 0; index < rows.length; ) {
    const run = runOf(rows, index);
    const row = rows[index];
    if (row === undefined) break;
    if (run === null) lines.push(...rowLines(row, above));
    else lines.push(run);
    if (row.items.length > 0) [above, distance] = [row, 0];
    else if (++distance > MAX_DISTANCE || above?.items.length === 1) above = undefined;
    index += run?.actions.length ?? 1;
  }
  return lines;
}

/** Maximum number of single actions between two rows of which the second refers to the first. */
const MAX_DISTANCE = 2;

function toRows(listed: readonly Listed[], sectionTitle: string | null): Row[] {
  const rows: Row[] = [];
  const uses = new Map<string, number>();
  for (const { text } of listed) uses.set(text, (uses.get(text) ?? 0) + 1);
  for (const one of listed) {
    const { context, name } = one.phrase;
    const above = rows.at(-1);
    const isNeedless = (words: string): boolean =>
      // The context of a link only tells it apart from others, which may be in other sections.
      (one.action.kind === 'link' && uses.get(one.text) === 1) ||
      (name !== null && isSameText(words, name)) ||
      (sectionTitle !== null && isSameText(words, sectionTitle));
    if (context === null || isNeedless(context)) rows.push({ head: one, title: name, items: [] });
    else if (above !== undefined && isOfRow(one, context, above)) above.items.push(one);
    else rows.push({ head: null, title: context, items: [one] });
  }
  return rows;
}

/** Returns true if an action belongs to a row: its context is the title of the row, or both are texts of one box, each without its own action. */
function isOfRow({ phrase }: Listed, context: string, { head, title, items }: Row): boolean {
  if (title === null) return false;
  if (isSameText(context, title)) return true;
  const [last] = items;
  if (head !== null || last === undefined || phrase.name === null || last.phrase.name === null) return false;
  const rest = without(context, last.phrase.name);
  return rest !== '' && isSameText(rest, without(title, phrase.name));
}

/** Returns a text without the first place of some words. */
const without = (text: string, words: string): string => text.replace(words, '').replace(/\s+/g, ' ').trim();

function rowLines(row: Row, above: Row | undefined): ActionLines[] {
  const { head, title, items } = row;
  const line = ({ action, text }: Listed, start: string): ActionLines => ({
    text: start + action.id + text,
    actions: [action],
  });
  const like = above === undefined ? null : lineLike(row, above);
  if (like !== null) return [{ text: like, actions: allOf(row).map(({ action }) => action) }];
  if (head !== null) return [line(head, ''), ...items.map(item => line(item, ' '))];
  const [first, ...others] = items;
  if (first === undefined) return [];
  if (others.length === 0)
    return [{ text: phraseLine(first.phrase, `, ${shownContext(title ?? '')}`), actions: [first.action] }];
  return [line(first, `${shownContext(title ?? '')}:\n `), ...others.map(item => line(item, ' '))];
}

const allOf = ({ head, items }: Row): readonly Listed[] => (head === null ? items : [head, ...items]);

/** Returns the line of a row whose actions are those of the row above; null if too much differs. */
function lineLike(row: Row, above: Row): string | null {
  const [own, known] = [allOf(row), allOf(above)];
  const isAlike =
    row.items.length > 0 &&
    own.length === known.length &&
    (row.head === null) === (above.head === null) &&
    own.every((one, index) => kindOf(one) === kindOf(known[index]));
  if (!isAlike) return null;
  const same = own.map((one, index) => isSame(one, known[index]));
  if (same.filter(Boolean).length * 2 < row.items.length) return null;
  const parts = own.map((one, index) => (same[index] === true ? one.action.id : one.action.id + one.text));
  const ids = same.includes(false) ? parts.join(' ') : idRange(own);
  return `= ${ids}${row.head === null ? ` ${shownContext(row.title ?? '')}` : ''}`;
}

/** Returns the ids of actions: `B3 L7`, or `L3–L7` if they follow each other. */
function idRange(listed: readonly Listed[]): string {
  const ids = listed.map(({ phrase }) => phrase.id);
  const isRange = ids.every((id, index) => index === 0 || isNextId(id, ids[index - 1]));
  return isRange && ids.length > 2 ? `${ids.at(0)}–${ids.at(-1)}` : ids.join(' ');
}

/** Returns true if an id is the next one after another with the same letter: `B3` after `B2`. */
export const isNextId = (id: string, before: string | undefined): boolean =>
  before !== undefined &&
  id.charAt(0) === before.charAt(0) &&
  Number(id.slice(1)) === Number(before.slice(1)) + 1;

/** Returns the letter of the id and the kind of element. */
const kindOf = (listed: Listed | undefined): string =>
  listed === undefined ? '' : `${listed.phrase.id.charAt(0)} ${listed.phrase.role}`;

/** Returns true if two actions are of the same kind and have the same text. */
const isSame = (one: Listed, other: Listed | undefined): boolean =>
  one.text === other?.text && one.action.id.charAt(0) === other.action.id.charAt(0);

/** Minimum number of actions that one line stands for. */
const MIN_RUN = 3;

/** Returns the line of the actions from this row on that have the same text and consecutive ids; null if there are fewer than three. */
function runOf(rows: readonly Row[], start: number): ActionLines | null {
  const run: Listed[] = [];
  for (let row = rows[start]; row !== undefined; row = rows[start + run.length]) {
    const { head, items } = row;
    const isNext = head !== null && items.length === 0 && (run.length === 0 || follows(head, run.at(-1)));
    if (!isNext) break;
    run.push(head);
  }
  const [first] = run;
  if (first === undefined || run.length < MIN_RUN) return null;
  return {
    text: idRange(run) + first.text,
    actions: run.map(({ action }) => action),
  };
}

/** Returns true if an action has the number after that of another one, and the same text. */
const follows = (next: Listed, before: Listed | undefined): boolean =>
  isSame(next, before) && isNextId(next.action.id, before?.action.id);
