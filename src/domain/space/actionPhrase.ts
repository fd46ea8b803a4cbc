import type { Action } from './action.ts';
import { normalizeText, quote, tellingTexts, truncate } from './pageText.ts';

export interface ActionPhrase {
  readonly id: string;
  /** Kind of element; empty if the letter of the id says it: link, button, textbox. */
  readonly role: string;
  /** The whole name; null if the action has none. */
  readonly name: string | null;
  /** The name as lines show it: what it says twice stands once, and a long one is cut; empty for none. */
  readonly shownName: string;
  /** Words of the page that tell it apart, such as the title of its row; null if it needs none. */
  readonly context: string | null;
  /** States and values, as they follow the name: `, checked, value "5"`; empty for none. */
  readonly states: string;
  /** Its number among actions with the same description: `, 2nd of 3`; empty for none. The order of the lines says it too. */
  readonly position: string;
  /** Status and allowed values in parentheses, as they follow the context: ` (covered, "S"|"M")`; empty for none. */
  readonly notes: string;
}

/** Maximum length of a name in a line, in characters. `description` and `name` of the action have all of it. */
const MAX_NAME_LENGTH = 40;
/** Maximum length of a name or a context that begins like another one, in characters. */
const MAX_TELLING_LENGTH = 60;
const MAX_CONTEXT_LENGTH = 30;

/** The kind of element that the first letter of an id says. */
const ROLE_BY_LETTER: Readonly<Record<string, string>> = { L: 'link', B: 'button', I: 'textbox' };

const POSITION = /^ ?\d+(?:st|nd|rd|th) of \d+$/;

/** The state of most checkboxes and radio buttons. */
const USUAL_STATE = 'not checked';

/** A description: kind, name, the meaning of a name that is a symbol, and all that follows. Descriptions that a limit has cut may not match. */
const DESCRIPTION = /^([^",]*?)(?: "([^"]*)")?((?: "[^"]*")?)((?:, (?:[^"]|"[^"]*")*)?)$/;
/** One of the parts that follow the name, each after a comma. */
const PART = /(?:"[^"]*"|[^",]|,(?! ))+/g;
const CONTEXT = /^ ?in "([^"]*)"$/;

/** @param more notes to add at the end of the line */
export function toActionPhrase(action: Action, more: readonly string[] = []): ActionPhrase {
  const { id } = action;
  const notes = notesOf(action, more);
  const description = onOneLine(action.description);
  const match = DESCRIPTION.exec(description);
  if (match === null)
    return {
      id,
      role: description,
      name: null,
      shownName: '',
      context: null,
      states: '',
      position: '',
      notes,
    };
  const { 1: role = '', 2: name = null, 3: meaning = '', 4: tail = '' } = match;
  let context: string | null = null;
  let states = meaning;
  let position = '';
  for (const part of tail === '' ? [] : (tail.match(PART) ?? [])) {
    const inside: string | undefined = CONTEXT.exec(part)?.[1];
    if (inside !== undefined && context === null) context = inside;
    else if (POSITION.test(part)) position = `,${part}`;
    else if (part.trim() !== USUAL_STATE) states += `,${part}`;
  }
  const isUsual = name !== null && role === ROLE_BY_LETTER[id.charAt(0)];
  const shownName = name === null ? '' : cutName(name, MAX_NAME_LENGTH);
  return { id, role: isUsual ? '' : role, name, shownName, context, states, position, notes };
}

/** Returns the line of an action: `B1 "Edit", disabled, in "Customer 8"`. @param place its place, after the states; empty for none */
export const phraseLine = (phrase: ActionPhrase, place = ''): string =>
  phrase.id + textAfterId(phrase, place);

/**
 * Returns what follows the id in the line of an action.
 * @param place its place, after the states; empty for none
 * @param names what stands in place of its name: ` "Home" "News"`
 */
export function textAfterId(
  { role, name, shownName, states, notes }: ActionPhrase,
  place = '',
  names = name === null ? '' : ` "${shownName}"`,
): string {
  return `${role === '' ? '' : ` ${role}`}${names}${states}${place}${notes}`;
}

/** Returns how the long names and contexts of a list are shown: those that begin alike keep the part in which they differ. */
export function shownTexts(actions: readonly Action[]): ShownTexts {
  const names = new Set<string>();
  const contexts = new Set<string>();
  for (const action of actions) {
    // A shorter description has no name and no context that is cut.
    if (action.description.length <= MAX_CONTEXT_LENGTH) continue;
    const { name, context } = toActionPhrase(action);
    if (name !== null) names.add(briefName(name));
    if (context !== null) contexts.add(context);
  }
  return {
    names: tellingTexts(names, MAX_NAME_LENGTH, MAX_TELLING_LENGTH),
    contexts: tellingTexts(contexts, MAX_CONTEXT_LENGTH, MAX_TELLING_LENGTH),
  };
}

/** The shown forms of the long names and contexts of a list. */
export interface ShownTexts {
  readonly names: ReadonlyMap<string, string>;
  readonly contexts: ReadonlyMap<string, string>;
}

export function withShownName(phrase: ActionPhrase, { names }: ShownTexts): ActionPhrase {
  const shownName = phrase.name === null ? undefined : names.get(briefName(phrase.name));
  return shownName === undefined ? phrase : { ...phrase, shownName };
}

const cutName = (name: string, maxLength: number): string => truncate(briefName(name), maxLength);

/** Minimum length of the beginning of a name that is left out where the name repeats it, in characters. */
const MIN_REPEATED_LENGTH = 6;

/** Returns a name without its beginning where that follows again: `Shop all`, `Gibson 335 … $999` for `Gibson 335 new Gibson 335 $999`. */
export function briefName(name: string): string {
  const secondWord = name.indexOf(' ') + 1;
  const endOfSecond = secondWord === 0 ? -1 : name.indexOf(' ', secondWord);
  if (endOfSecond < MIN_REPEATED_LENGTH) return name;
  const twoWords = name.slice(0, endOfSecond);
  const again = name.indexOf(` ${twoWords}`, endOfSecond);
  if (again < 0) return name;
  let length = twoWords.length;
  const start = again + 1;
  while (start + length < name.length && length < again && name[length] === name[start + length]) length++;
  // Whole words only.
  const isEnd = (at: number) => at === name.length || name[at] === ' ';
  while (!(isEnd(start + length) && isEnd(length))) length--;
  const [before, after] = [name.slice(0, again), name.slice(start + length)];
  if (length < twoWords.length) return name;
  return after === '' ? before : `${before} …${after}`;
}

/** Returns a context as lines show it: `in "Customer 8"`. */
export const shownContext = (context: string, { contexts }: ShownTexts): string =>
  `in "${contexts.get(context) ?? truncate(context, MAX_CONTEXT_LENGTH)}"`;

/** Returns true if two texts of a page are the same, as far as limits have not cut them: `Orders of…` and `Orders of May`. */
export function isSameText(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const [head = '', tail] = short.split(' … ', 2);
  if (tail !== undefined && long.startsWith(head))
    return tail.endsWith('…') ? long.includes(tail.slice(0, -1)) : long.endsWith(tail);
  return short.length > 1 && short.endsWith('…') && long.startsWith(short.slice(0, -1));
}

/** Maximum number of allowed values that a line shows. A longer list of values is only in `params`. */
const MAX_INLINE_VALUES = 12;

/** Returns what the description of an action does not say, in parentheses: its status, and the values that it takes. */
function notesOf({ status, disabled, params }: Action, more: readonly string[]): string {
  const ownStatus = status === 'valid' || disabled ? '' : status;
  if (params.length === 0 && more.length === 0) return ownStatus === '' ? '' : ` (${ownStatus})`;
  // The values of a checkbox, true and false, are obvious.
  const values = params.find(param => param.values !== null && param.type !== 'boolean')?.values;
  const notes = [
    ownStatus,
    params.some(param => param.type === 'file') ? 'takes a file' : '',
    values == null || values.length > MAX_INLINE_VALUES ? '' : values.map(quote).join('|'),
    ...more,
  ].filter(note => note !== '');
  return notes.length === 0 ? '' : ` (${notes.join(', ')})`;
}

/** Returns a text that contains quotations on one line; closes a quotation that is open at its end. */
export function onOneLine(text: string): string {
  const line = normalizeText(text);
  let isOpen = false;
  for (let at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at + 1)) isOpen = !isOpen;
  return isOpen ? `${line}"` : line;
}
