import type { Action, ActionLook } from './action.ts';
import { phraseLine, toActionPhrase } from './actionPhrase.ts';
import { actionRows, toListed } from './actionRows.ts';
import { isNextId, joinedLines } from './joinedActions.ts';
import { normalizeText, quote, truncate } from './pageText.ts';
import { ShownActions } from './repeatedActions.ts';
import type { PageMessage } from './space.ts';
import type { ChangedAction, OtherPage, SpaceDiff } from './spaceDiff.ts';
import { messageLines, stateLines } from './spaceMarkdown.ts';

/** Formats the state of the page, messages, and added, changed and removed actions: `! alert "Wrong password."`, `+ B1 "Save"`, `~ I1 "Name", value "Ada"`, `- L2 B4–B9`. */
export function diffMarkdown(diff: SpaceDiff): string {
  const {
    added,
    removed,
    changed,
    covered = 0,
    uncovered = 0,
    reordered = [],
    otherPage,
    newTitle,
    state,
  } = diff;
  // A line that says nothing new is left out, if there is another.
  const visible = changed.filter(
    ({ isOnlyPlace = false, isReplaced = false }) => !isOnlyPlace && !isReplaced,
  );
  // On another page, another element can have the id of one that is gone.
  const present = new Set(added.map(({ id }) => id));
  const gone = removed.filter(({ id }) => !present.has(id));
  const shownChanges = visible.length + added.length + removed.length > 0 ? visible : changed;
  const lines = [
    ...addedLines(added),
    ...changedLines(shownChanges),
    gone.length === 0 ? '' : `- ${idRanges(gone)}`,
    covered === 0 ? '' : `~ ${covered} ${covered === 1 ? 'action' : 'actions'} covered`,
    uncovered === 0 ? '' : `~ ${uncovered} ${uncovered === 1 ? 'action' : 'actions'} no longer covered`,
    reordered.length === 0 ? '' : `~ new order: ${reorderedText(reordered)}`,
  ];
  if (newTitle !== undefined) lines.unshift(`Title ${quote(truncate(newTitle, MAX_TITLE_LENGTH))}`);
  const text = messageLines(withoutRows(diff), Number.POSITIVE_INFINITY).slice(1);
  const changes = [text, ...lines].filter(line => line !== '').join('\n');
  const isUnread = state?.dialog != null;
  const shown = changes === '' && !isUnread && otherPage === undefined ? 'Nothing has changed.' : changes;
  return [pageLine(otherPage), state === undefined ? '' : stateLines(state).slice(1), shown]
    .filter(line => line !== '')
    .join('\n');
}

/** Maximum length of the address and of the title of another page, in characters. */
const MAX_ADDRESS_LENGTH = 120;
const MAX_TITLE_LENGTH = 50;

/** Returns a line such as `Page "Orders" "https://shop.example/orders"`, or `Tab T2 "Orders" "https://…"`; nothing for the same page. */
function pageLine(page: OtherPage | undefined): string {
  if (page === undefined) return '';
  const title = page.title === '' ? '' : ` ${quote(truncate(page.title, MAX_TITLE_LENGTH))}`;
  const address = quote(truncate(page.url.replace(/\s/g, ''), MAX_ADDRESS_LENGTH));
  return `${page.tab === null ? 'Page' : `Tab ${page.tab}`}${title} ${address}`;
}

/** Ids that follow each other stand as a range: `B1 B4–B9 L2`. */
function idRanges(actions: readonly Action[]): string {
  const runs: string[][] = [];
  for (const { id } of actions) {
    const run = runs.at(-1);
    if (run !== undefined && isNextId(id, run.at(-1))) run.push(id);
    else runs.push([id]);
  }
  return runs.map(run => (run.length > 2 ? `${run.at(0)}–${run.at(-1)}` : run.join(' '))).join(' ');
}

/** Maximum number of ids that the line about a new order has. */
const MAX_ORDERED_IDS = 24;

function reorderedText(ids: readonly string[]): string {
  const left = ids.length - MAX_ORDERED_IDS;
  return `${ids.slice(0, MAX_ORDERED_IDS).join(' ')}${left > 0 ? ` … ${left} more` : ''}`;
}

/** Maximum length of the line of a changed action, in bytes of UTF-8. */
const MAX_CHANGE_BYTES = 150;

const addedLines = (added: readonly Action[]): string[] =>
  actionRows(added, { keepsPlaces: true }).flatMap(({ text }) => text.split('\n').map(line => `+ ${line}`));

/** Returns the messages without those that only tell the rows of new and of removed actions. */
function withoutRows({ messages, added, removed }: SpaceDiff): readonly PageMessage[] {
  const rows = { appeared: contextsOf(added), disappeared: contextsOf(removed) };
  return messages.filter(
    ({ kind, text }) => (kind !== 'appeared' && kind !== 'disappeared') || !rows[kind].has(text),
  );
}

const contextsOf = (actions: readonly Action[]): ReadonlySet<string | null> =>
  new Set(actions.map(action => toActionPhrase(action).context));

function changedLines(changed: readonly ChangedAction[]): string[] {
  const runs: ChangedAction[][] = [];
  for (const action of changed) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    const isJoined =
      before !== undefined && isNextId(action.id, before.id) && changeNotes(before).length === 0;
    if (run !== undefined && isJoined && changeNotes(action).length === 0) run.push(action);
    else runs.push([action]);
  }
  return runs.flatMap(run =>
    run.length < MIN_JOINED_CHANGES
      ? run.map(action => changedLine(action))
      : joinedLines(toListed(run.map(withoutValues), new ShownActions(run))).map(({ text, actions }) => {
          const [only] = actions;
          return only === undefined || actions.length > 1 ? `~ ${text}` : changedLine(only);
        }),
  );
}

/** Minimum number of changed actions with consecutive ids that share lines. */
const MIN_JOINED_CHANGES = 3;

/** The allowed values of an action are no change. */
const withoutValues = (action: ChangedAction): ChangedAction => ({
  ...action,
  params: action.params.map(param => ({ ...param, values: null })),
});

/** Returns the line of a changed action. Its id is known already, so it has no place, and its words are cut if it is long. */
function changedLine(action: ChangedAction): string {
  const notes = changeNotes(action);
  const { params } = withoutValues(action);
  const lineOf = (description: string): string =>
    `~ ${phraseLine(toActionPhrase({ ...action, params, description }, notes))}`;
  const whole = lineOf(withChangedPart(action));
  if (bytesOf(whole) <= MAX_CHANGE_BYTES) return whole;
  const name = action.name === null ? '' : truncate(action.name, SHORT_NAME_LENGTH);
  const short = lineOf(withChangedPart(action).replace(/"[^"]*"/, () => quote(name)));
  // The service's own words are never cut, so that each quotation and each parenthesis stays closed.
  let line = short;
  for (
    let length = MAX_QUOTED_LENGTH;
    bytesOf(line) > MAX_CHANGE_BYTES && length >= MIN_QUOTED_LENGTH;
    length -= 4
  )
    line = short.replace(/"([^"]*)"/g, (_, words: string) => `"${truncate(words, length)}"`);
  return line;
}

/** Returns the description of an action, with the part of a long value that has changed in place of its beginning. */
function withChangedPart({ description, value, valueBefore, section }: ChangedAction): string {
  if (section !== undefined && !/, in "/.test(description))
    return `${description}, in ${quote(truncate(section, MAX_QUOTED_LENGTH))}`;
  const shown = /, value "([^"]*…)"/.exec(description);
  if (shown === null || value === null || valueBefore === undefined) return description;
  const [now, before] = [normalizeText(value), normalizeText(valueBefore)];
  let same = 0;
  while (same < now.length && now[same] === before[same]) same++;
  const length = shown[1]?.length ?? 0;
  // A change in the beginning is shown as it is.
  if (same < length - MIN_CHANGED_LENGTH) return description;
  const start = Math.max(0, Math.min(same - MIN_CHANGED_LENGTH, now.length - length + 1));
  const part = truncate(now.slice(start), length);
  return description.replace(shown[0], () => `, value ${quote(`…${part.trimStart()}`)}`);
}

/** Number of characters before a change in a long value that are shown with it. */
const MIN_CHANGED_LENGTH = 12;
/** Maximum length of the quotations in the line of a changed action that would be too long with whole ones, and the minimum. Characters. */
const MAX_QUOTED_LENGTH = 40;
const MIN_QUOTED_LENGTH = 4;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Maximum length of the name of a changed action whose line is long, in characters. */
const SHORT_NAME_LENGTH = 20;

/** Says what a difference has beside the description: the focus with caret and selection, a new picture on a canvas, a new icon or class. */
function changeNotes({ focus, look, hasNewPicture = false, hasNewLook = false }: ChangedAction): string[] {
  const notes = hasNewPicture ? ['new picture'] : [];
  if (hasNewLook && look !== undefined) notes.push(lookNote(look));
  if (focus === undefined) return notes;
  notes.push(focus.caret === null ? 'focused' : `focused, caret ${focus.caret}`);
  if (focus.selected !== '') notes.push(`selected ${quote(focus.selected)}`);
  return notes;
}

function lookNote({ part, words, lost = '' }: ActionLook): string {
  const name = part.startsWith('no ') ? part : `new ${part}`;
  const note = words === '' ? name : `${name} ${quote(words)}`;
  return lost === '' ? note : `${note}, no class ${quote(lost)}`;
}
