/** Divides an action into the parts of its line in `space.markdown`, without what its id or most elements of its kind say already. */
import type { Action } from './action.ts';
import { normalizeText, quote, truncate } from './pageText.ts';

/** The parts of the line of an action, apart from its id. */
export interface ActionPhrase {
  readonly id: string;
  /** Kind of element; empty if the letter of the id says it: link, button, textbox. */
  readonly role: string;
  /** The whole name; null if the action has none. The line shows at most 50 characters of it. */
  readonly name: string | null;
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
const MAX_NAME_LENGTH = 50;
/** Maximum length of a context in a line, in characters. */
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

/** Divides an action into the parts of its line. @param more notes to add at the end of the line */
export function toActionPhrase(action: Action, more: readonly string[] = []): ActionPhrase {
  const { id } = action;
  const notes = notesOf(action, more);
  const description = onOneLine(action.description);
  const match = DESCRIPTION.exec(description);
  if (match === null)
    return { id, role: description, name: null, context: null, states: '', position: '', notes };
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
  return { id, role: isUsual ? '' : role, name, context, states, position, notes };
}

/** Returns the line of an action: `B1 "Edit", disabled, in "Customer 8"`. @param place its place, after the states; empty for none */
export const phraseLine = (phrase: ActionPhrase, place = ''): string =>
  phrase.id + textAfterId(phrase, place);

/** Returns what follows the id in the line of an action. @param place its place, after the states; empty for none */
export function textAfterId({ role, name, states, notes }: ActionPhrase, place = ''): string {
  const shown = name === null ? '' : ` "${truncate(name, MAX_NAME_LENGTH)}"`;
  return `${role === '' ? '' : ` ${role}`}${shown}${states}${place}${notes}`;
}

/** Returns a context as lines show it: `in "Customer 8"`. */
export const shownContext = (context: string): string => `in "${truncate(context, MAX_CONTEXT_LENGTH)}"`;

/** Returns true if two texts of a page are the same, as far as limits have not cut them: `Orders of…` and `Orders of May`. */
export function isSameText(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
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
  return line.split('"').length % 2 === 0 ? `${line}"` : line;
}
