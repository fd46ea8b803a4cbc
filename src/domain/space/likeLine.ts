import { type ShownTexts, shownContext, textAfterId } from './actionPhrase.ts';
import { isNextId, isSame, kindOf, type Listed } from './joinedActions.ts';

/** An action or a title that names a row, and the actions that belong to it. */
export interface Row {
  /** The action that names the row; null if its title does. */
  readonly head: Listed | null;
  /** The words that name the row; null if it has no name, so that no other action belongs to it. */
  readonly title: string | null;
  readonly items: readonly Listed[];
}

export const allOf = ({ head, items }: Row): readonly Listed[] => (head === null ? items : [head, ...items]);

/** The rows that a row is compared with. */
export interface RowsAbove {
  readonly last: Row;
  /** The last row of which the list has all texts: the last one itself, or that to which it refers. */
  readonly whole: Row;
}

/**
 * Returns the line of a row whose actions are those of the row above; null if too much differs. An action has its id alone if it is like that of the
 * last row and of the last whole one, so that a reader may take either. One in another state has its id and the state, any other one its id and its text.
 */
export function lineLike(row: Row, { last, whole }: RowsAbove, shown: ShownTexts): string | null {
  const [own, known, first] = [allOf(row), allOf(last), allOf(whole)];
  const isAlike =
    row.items.length > 0 &&
    own.length === known.length &&
    (row.head === null) === (last.head === null) &&
    own.every((one, index) => kindOf(one) === kindOf(known[index]));
  if (!isAlike) return null;
  const texts = own.map((one, index) => {
    const text = differenceOf(one, row, known[index], last, shown);
    return text === '' ? differenceOf(one, row, first[index], whole, shown) : text;
  });
  if (texts.filter(text => !text.startsWith(' ')).length * 2 < row.items.length) return null;
  const isNamed =
    row.head !== null ||
    own.some((one, index) => texts[index] !== '' && isTitle(one, row) && isTitle(known[index], last));
  return `= ${idsWithTexts(own, texts)}${isNamed ? '' : ` ${shownContext(row.title ?? '', shown)}`}`;
}

/** Returns what the line of an action says beside its id: nothing if it is like the one above, its states if only these differ, else its whole text. */
function differenceOf(
  one: Listed,
  row: Row,
  above: Listed | undefined,
  rowAbove: Row,
  shown: ShownTexts,
): string {
  const rest = withoutTitle(one, row, shown);
  if (isSame(one, above) || (rest !== null && rest === withoutTitle(above, rowAbove, shown))) return '';
  const { name, states, notes, role } = one.phrase;
  const isOtherState =
    states.startsWith(',') &&
    name === above?.phrase.name &&
    role === above.phrase.role &&
    notes === above.phrase.notes;
  return isOtherState ? states : one.text;
}

/** Returns true if an action has the title of its row as its name, so that the line says it once. */
const isTitle = (one: Listed | undefined, { title }: Row): boolean =>
  one?.phrase.name === title && title !== null && one.phrase.shownName === title;

/** Minimum length of the title of a row that names of its actions contain, in characters. */
export const MIN_TITLE_LENGTH = 4;

/**
 * Returns the text of an action without the title of its row: `checkbox "Select …"` for `Select Customer 1`. Null for an action that does not have it, or
 * if the line shows the name or the title only in part: a reader could not put the title of another row in its place.
 */
function withoutTitle(one: Listed | undefined, { head, title }: Row, shown: ShownTexts): string | null {
  if (one === undefined || one === head || title === null) return null;
  const { name, shownName } = one.phrase;
  const isWhole = name === shownName && !shownContext(title, shown).includes('…');
  if (name === null || name === title || !isWhole || !hasTitle(one, title)) return null;
  return textAfterId(
    one.phrase,
    '',
    name.replace(title, () => '…'),
  );
}

const hasTitle = ({ phrase: { name } }: Listed, title: string): boolean =>
  title.length >= MIN_TITLE_LENGTH && name?.includes(title) === true;

/** Three or more ids that follow each other and have no texts are a range: `B3 B4, pressed L7–L9`. */
function idsWithTexts(listed: readonly Listed[], texts: readonly string[]): string {
  const parts: string[] = [];
  for (let start = 0; start < listed.length; ) {
    let end = start + 1;
    const idAt = (index: number): string => listed[index]?.action.id ?? '';
    if (texts[start] === '')
      while (end < listed.length && texts[end] === '' && isNextId(idAt(end), idAt(end - 1))) end++;
    if (end - start > 2) parts.push(`${idAt(start)}–${idAt(end - 1)}`);
    else for (let index = start; index < end; index++) parts.push(idAt(index) + texts[index]);
    start = end;
  }
  return parts.join(' ');
}
