/** Writes the actions of a section as lines that repeat nothing: no context twice, no actions that the row above has too. */
import type { Action } from './action.ts';
import {
  type ActionPhrase,
  isSameText,
  phraseLine,
  shownContext,
  textAfterId,
  toActionPhrase,
  withTellingNames,
} from './actionPhrase.ts';
import { type ActionLines, isNextId, isSame, joinedLines, kindOf, type Listed } from './joinedActions.ts';
import { repeatedLine, ShownActions } from './repeatedActions.ts';

/** An action or a title that names a row, and the actions that belong to it. */
interface Row {
  /** The action that names the row; null if its title does. */
  readonly head: Listed | null;
  /** The words that name the row; null if it has no name, so that no other action belongs to it. */
  readonly title: string | null;
  readonly items: Listed[];
  /** The texts of its actions; absent until an action between two of them was looked up in it. */
  texts?: Set<string>;
}

export interface RowOptions {
  /** The title of the section. Actions that have it as their context need no context; null for none. */
  readonly title?: string | null;
  /** The actions of the sections above. */
  readonly shown?: ShownActions;
  /** True where the lines do not say which actions are around: links keep their contexts, and all actions their places (`, 2nd of 3`). */
  readonly keepsPlaces?: boolean;
}

/**
 * Returns the lines of actions that follow each other in one section.
 *
 * - An indented line belongs to the line above it that is not indented: an action, or `in "Customer 1":`.
 * - `= B3 B4 in "Customer 2"` is a row like the last row with several lines: its actions have these ids, and the texts of those above unless a text of their
 *   own follows the id.
 * - `L30–L36 same as L2–L8` are actions with the texts of those above.
 * - Actions without a row of their own share lines as `joinedActions` says.
 */
export function actionRows(
  actions: readonly Action[],
  { title = null, shown = new ShownActions(), keepsPlaces = false }: RowOptions,
): readonly ActionLines[] {
  const phrases = withTellingNames(actions.map(action => toPhrase(action, keepsPlaces)));
  const listed = actions.map((action, index): Listed => {
    const phrase = phrases[index] ?? toActionPhrase(action);
    return { action, phrase, text: textAfterId(phrase) };
  });
  const rows = toRows(listed, title, keepsPlaces);
  const lines: ActionLines[] = [];
  let above: Row | undefined;
  let distance = 0;
  for (let index = 0; index < rows.length; ) {
    const row = rows[index];
    if (row === undefined) break;
    const singles = singlesFrom(rows, index, title);
    for (const line of singleLines(singles, shown)) {
      lines.push(line);
      if (++distance > MAX_DISTANCE || above?.items.length === 1) above = undefined;
    }
    if (singles.length === 0) {
      lines.push(...rowLines(row, above));
      shown.add(allOf(row));
      [above, distance] = [row, 0];
    }
    index += singles.length || 1;
  }
  return lines;
}

function toPhrase(action: Action, keepsPlace: boolean): ActionPhrase {
  const phrase = toActionPhrase(action);
  return keepsPlace ? { ...phrase, states: phrase.states + phrase.position } : phrase;
}

const singleLines = (singles: readonly Listed[], shown: ShownActions): ActionLines[] =>
  shown
    .divide(singles)
    .flatMap(({ listed, repeated }) =>
      repeated === null
        ? joinedLines(listed)
        : [{ text: repeatedLine(listed, repeated), actions: listed.map(({ action }) => action) }],
    );

/** Returns the actions without a row from this row on. The first action of a section stands alone if it has its title, for it is the heading. */
function singlesFrom(rows: readonly Row[], start: number, title: string | null): readonly Listed[] {
  const singles: Listed[] = [];
  for (
    let row = rows[start];
    row?.head != null && row.items.length === 0;
    row = rows[start + singles.length]
  ) {
    singles.push(row.head);
    if (start === 0 && singles.length === 1 && isTitle(row.head, title)) break;
  }
  return singles;
}

const isTitle = ({ phrase: { name } }: Listed, title: string | null): boolean =>
  title !== null && name !== null && isSameText(title, name);

/** Maximum number of single actions between two rows of which the second refers to the first. */
const MAX_DISTANCE = 2;

function toRows(listed: readonly Listed[], sectionTitle: string | null, keepsPlaces: boolean): Row[] {
  const rows: Row[] = [];
  const differing = textsWithContexts(listed);
  for (const one of listed) {
    const { context, name } = one.phrase;
    const above = rows.at(-1);
    const isNeedless = (words: string): boolean =>
      // The context of a link only tells it apart from others, which may be in other sections.
      (!keepsPlaces && one.action.kind === 'link' && !differing.has(one.text)) ||
      (name !== null && isSameText(words, name)) ||
      (sectionTitle !== null && isSameText(words, sectionTitle));
    if (context === null || isNeedless(context)) rows.push({ head: one, title: name, items: [] });
    else if (above !== undefined && isOfRow(one, context, above)) addTo(above, one);
    else if (!continuesRow(rows, one, context)) rows.push({ head: null, title: context, items: [one] });
  }
  return rows;
}

/**
 * Adds an action, and the single actions before it, to the row before them if it has the title of the row: what stands between two actions of a box is in
 * it too. Returns false if the title is that of another box, in which the texts of the row are repeated.
 */
function continuesRow(rows: Row[], one: Listed, context: string): boolean {
  const index = rows.findLastIndex(({ items }) => items.length > 0);
  const row = rows[index];
  const between = rows.slice(index + 1).flatMap(({ head }) => head ?? []);
  if (row?.title == null || between.length > MAX_BETWEEN || !isSameText(context, row.title)) return false;
  const added = [...between, one];
  row.texts ??= new Set(allOf(row).map(({ text }) => text));
  const known = row.texts;
  const isElsewhere = ({ context: own }: ActionPhrase): boolean => own !== null && !isSameText(own, context);
  if (added.some(({ text, phrase }) => known.has(text) || isElsewhere(phrase))) return false;
  for (const item of added) addTo(row, item);
  rows.length = index + 1;
  return true;
}

function addTo(row: Row, item: Listed): void {
  row.items.push(item);
  row.texts?.add(item.text);
}

/** Maximum number of actions without a context between two of a row. */
const MAX_BETWEEN = 8;

/** Returns the texts of actions whose contexts differ. */
function textsWithContexts(listed: readonly Listed[]): ReadonlySet<string> {
  const contexts = new Map<string, string | null>();
  const differing = new Set<string>();
  for (const { text, phrase } of listed) {
    const known = contexts.get(text);
    if (known === undefined) contexts.set(text, phrase.context);
    else if (known !== phrase.context) differing.add(text);
  }
  return differing;
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
  const like = above === undefined ? null : lineLike(row, above);
  if (like !== null) return [{ text: like, actions: allOf(row).map(({ action }) => action) }];
  if (head !== null) return [...joinedLines([head]), ...joinedLines(items, ' ')];
  const shown = shownContext(title ?? '');
  const [first] = items;
  if (first !== undefined && items.length === 1)
    return [{ text: phraseLine(first.phrase, `, ${shown}`), actions: [first.action] }];
  return joinedLines(items, ' ').map(({ text, actions }, index) => ({
    text: index === 0 ? `${shown}:\n${text}` : text,
    actions,
  }));
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
