import type { Action } from './action.ts';
import {
  type ActionPhrase,
  briefName,
  isSameText,
  phraseLine,
  type ShownTexts,
  shownContext,
  textAfterId,
  toActionPhrase,
  withShownName,
} from './actionPhrase.ts';
import { type ActionLines, joinedLines, type Listed } from './joinedActions.ts';
import { allOf, lineLike, MIN_TITLE_LENGTH, type Row, type RowsAbove } from './likeLine.ts';
import { repeatedLine, ShownActions } from './repeatedActions.ts';

/** A row to which actions are added. */
interface OpenRow extends Row {
  readonly items: Listed[];
  /** The texts of its actions; absent until an action between two of them was looked up in it. */
  texts?: Set<string>;
}

export interface RowOptions {
  /** The title of the section. Actions that have it as their context need no context; null for none. */
  readonly title?: string | null;
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
  { title = null, shown = new ShownActions(actions), keepsPlaces = false }: RowOptions,
): readonly ActionLines[] {
  const rows = toRows(toListed(actions, shown, keepsPlaces), title, keepsPlaces);
  const lines: ActionLines[] = [];
  let above: RowsAbove | undefined;
  let distance = 0;
  for (let index = 0; index < rows.length; ) {
    const row = rows[index];
    if (row === undefined) break;
    const singles = singlesFrom(rows, index, title);
    for (const line of singleLines(singles, shown)) {
      lines.push(line);
      if (++distance > MAX_DISTANCE || above?.last.items.length === 1) above = undefined;
    }
    if (singles.length === 0) {
      const like = above === undefined ? null : lineLike(row, above, shown.texts);
      if (like === null) lines.push(...rowLines(row, shown.texts));
      else lines.push({ text: like, actions: allOf(row).map(({ action }) => action) });
      shown.add(allOf(row));
      above = { last: row, whole: like === null ? row : (above?.whole ?? row) };
      distance = 0;
    }
    index += singles.length || 1;
  }
  return lines;
}

/** Returns the actions of a section, each with the parts of which its line is made. @param keepsPlaces true to add the number of an action among those with the same description */
export function toListed(
  actions: readonly Action[],
  shown: ShownActions,
  keepsPlaces = false,
): readonly Listed[] {
  return actions.map((action): Listed => {
    const whole = withShownName(toPhrase(action, keepsPlaces), shown.texts);
    const wholeText = textAfterId(whole);
    if (!shown.isExplained(action)) return { action, phrase: whole, text: wholeText, wholeText };
    const phrase = { ...whole, states: whole.states.replace(SYMBOL_MEANING, '') };
    return { action, phrase, text: textAfterId(phrase), wholeText };
  });
}

const SYMBOL_MEANING = /^ "[^"]*"/;

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

function toRows(
  listed: readonly Listed[],
  sectionTitle: string | null,
  keepsPlaces: boolean,
): readonly OpenRow[] {
  const rows: OpenRow[] = [];
  const differing = textsWithContexts(listed);
  for (const [index, one] of listed.entries()) {
    const { context, name } = one.phrase;
    const next = listed[index + 1]?.phrase.context ?? null;
    const above = rows.at(-1);
    const isNeedless = (words: string): boolean =>
      // The context of a link only tells it apart from others, which may be in other sections.
      (!keepsPlaces && one.action.kind === 'link' && !differing.has(one.wholeText)) ||
      (name !== null && isSameText(words, name)) ||
      (sectionTitle !== null && isSameText(words, sectionTitle));
    if (context === null || isNeedless(context)) {
      if (context === null && above !== undefined && isNamedInRow(one, above, next)) addTo(above, one);
      else if (context === null && next !== null && hasWords(one, next))
        rows.push({ head: null, title: next, items: [one] });
      else rows.push({ head: one, title: name === null ? null : briefName(name), items: [] });
    } else if (above !== undefined && isOfRow(one, context, above)) addTo(above, one);
    else if (!continuesRow(rows, one, context)) rows.push({ head: null, title: context, items: [one] });
  }
  return rows;
}

/**
 * Adds an action, and the single actions before it, to the row before them if it has the title of the row: what stands between two actions of a box is in
 * it too. Returns false if the title is that of another box, in which the texts of the row are repeated.
 */
function continuesRow(rows: OpenRow[], one: Listed, context: string): boolean {
  const index = rows.findLastIndex(({ items }) => items.length > 0);
  const row = rows[index];
  const between = rows.slice(index + 1).flatMap(({ head }) => head ?? []);
  if (row?.title == null || between.length > MAX_BETWEEN || !isSameText(context, row.title)) return false;
  const added = [...between, one];
  row.texts ??= new Set(allOf(row).map(({ wholeText }) => wholeText));
  const known = row.texts;
  const isElsewhere = ({ context: own }: ActionPhrase): boolean => own !== null && !isSameText(own, context);
  if (added.some(({ wholeText, phrase }) => known.has(wholeText) || isElsewhere(phrase))) return false;
  for (const item of added) addTo(row, item);
  rows.length = index + 1;
  return true;
}

function addTo(row: OpenRow, item: Listed): void {
  row.items.push(item);
  row.texts?.add(item.wholeText);
}

/** Maximum number of actions without a context between two of a row. */
const MAX_BETWEEN = 8;

function textsWithContexts(listed: readonly Listed[]): ReadonlySet<string> {
  const contexts = new Map<string, string | null>();
  const differing = new Set<string>();
  for (const { wholeText, phrase } of listed) {
    const known = contexts.get(wholeText);
    if (known === undefined) contexts.set(wholeText, phrase.context);
    else if (known !== phrase.context) differing.add(wholeText);
  }
  return differing;
}

/**
 * Returns true if an action without a context belongs to the row before it by its name: it names the row, as the link after a checkbox does, or its name
 * contains the title of the row (`Select Customer 1`).
 * @param next the context of the action after it, whose row may begin with this action; null for none
 */
function isNamedInRow(one: Listed, { head, title, items }: Row, next: string | null): boolean {
  const { name } = one.phrase;
  if (items.length === 0 || title === null || name === null) return false;
  if (head === null && isSameText(title, briefName(name))) return true;
  return hasWords(one, title) && (next === null || isSameText(next, title) || !hasWords(one, next));
}

/** Returns true if the name of a button or a field contains the title of a row. Names of links contain those of others by chance. */
const hasWords = ({ action, phrase: { name } }: Listed, title: string): boolean =>
  action.kind !== 'link' &&
  title.length >= MIN_TITLE_LENGTH &&
  name !== title &&
  name?.includes(title) === true;

/** Returns true if an action belongs to a row: its context is the title of the row, or both are texts of one box, each without its own action. */
function isOfRow({ phrase }: Listed, context: string, { head, title, items }: Row): boolean {
  if (title === null) return false;
  if (isSameText(context, title) || (head !== null && areOfOneBox(context, title))) return true;
  const [last] = items;
  if (head !== null || last === undefined || phrase.name === null || last.phrase.name === null) return false;
  const rest = without(context, last.phrase.name);
  return rest !== '' && isSameText(rest, without(title, phrase.name));
}

/** Minimum length of the part of a name that is the context of other actions, in characters. */
const MIN_PART_LENGTH = 12;

/** Returns true if the text of a box begins with the name of an action in it, or is a part of the name of an action around it. */
function areOfOneBox(context: string, name: string): boolean {
  const text = context.endsWith('…') ? context.slice(0, -1) : context;
  return (
    (name.length >= MIN_TITLE_LENGTH && text.startsWith(`${name} `)) ||
    (text.length >= MIN_PART_LENGTH && name.includes(text))
  );
}

const without = (text: string, words: string): string => text.replace(words, '').replace(/\s+/g, ' ').trim();

function rowLines({ head, title, items }: Row, texts: ShownTexts): ActionLines[] {
  if (head !== null) return [...joinedLines([head]), ...joinedLines(items, ' ')];
  const shown = shownContext(title ?? '', texts);
  const [first] = items;
  if (first !== undefined && items.length === 1)
    return [{ text: phraseLine(first.phrase, `, ${shown}`), actions: [first.action] }];
  return joinedLines(items, ' ').map(({ text, actions }, index) => ({
    text: index === 0 ? `${shown}:\n${text}` : text,
    actions,
  }));
}
