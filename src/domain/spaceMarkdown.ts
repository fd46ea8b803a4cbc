/**
 * Formats a space (the list of actions on a page) as Markdown for an agent, in as few characters as possible. The text has a grammar
 * (docs/contract.md): the words of the page are always inside double quotes, everything else is the service's own.
 */
import type { Action } from './action.ts';
import type { PageMessage } from './pageMessage.ts';
import { normalizeText, quote } from './pageText.ts';
import type { PageTextBlock } from './pageTextBlock.ts';
import type { Pending } from './pending.ts';
import type { Space } from './space.ts';
import type { ChangedAction, SpaceDiff } from './spaceDiff.ts';
import { specialActionLabel } from './specialActions.ts';
import type { StartedDownload } from './startedDownload.ts';

/** Average number of characters per token, for English and markup. Estimated low, so that texts stay within the token limit. */
const CHARACTERS_PER_TOKEN = 3.5;

/** The second line of every space: says which words are the page's. */
const QUOTES_NOTE = '"…" quotes the page.';

/**
 * Formats a space as Markdown: the description of the page and one line per action, grouped by category: `- B1 button "Save", disabled`.
 * Special and browser actions share one line each, because they are the same on every page.
 * @param maxTokens limits the text to about this many tokens: omits actions at the end and states their number. Default: the limit
 * of `trimToTokens`, else none
 */
export function spaceMarkdown(space: Space, maxTokens?: number | null): string {
  return render(space, maxTokens ?? space.maxTokens).text;
}

/** Returns the space with only the actions that fit into Markdown of about this many tokens. */
export function trimToTokens(space: Space, maxTokens: number): Space {
  const { actions, textBlocks } = render(space, maxTokens);
  return { ...space, maxTokens, actions, ...(space.textBlocks !== undefined && { textBlocks }) };
}

/** A text and what it contains. */
interface RenderedSpace {
  readonly text: string;
  readonly actions: readonly Action[];
  readonly textBlocks: readonly PageTextBlock[];
}

function render(space: Space, maxTokens?: number | null): RenderedSpace {
  const budget = maxTokens == null ? Number.POSITIVE_INFINITY : maxTokens * CHARACTERS_PER_TOKEN;
  const head = `# ${phrase(space.description)} (${space.category})\n${QUOTES_NOTE}`;
  const dialog = space.dialog === null ? '' : `\nOpen ${space.dialog.kind}: ${quote(space.dialog.message)}`;
  const fullTail = [
    compactLine('Special', space.specialActions),
    compactLine('Browser', space.browserActions),
  ].join('');
  const tail = fullTail.length <= budget * MAX_TAIL_PART ? fullTail : idsLine(space);
  // Leave space for the tail and for the line about omitted actions.
  const available = budget - tail.length - 24;
  let text = head + dialog;
  text += pendingLine(space.pending) + downloadLines(space.downloads);
  text += messageLines(space.messages, (available - text.length) / 2);
  const listed: Action[] = [];
  const textBlocks: PageTextBlock[] = [];
  const { shown, folded } = foldCovered(space.actions);
  let category: string | null = null;
  for (const item of space.textBlocks === undefined ? inGroups(shown) : withText(shown, space.textBlocks)) {
    let line: string;
    if ('action' in item) {
      const { action, group } = item;
      line = `${group === category ? '' : `\n## ${phrase(action.category)}`}\n${actionLine(action)}`;
      if (text.length + line.length > available) break;
      category = group;
      listed.push(action);
    } else {
      line = `\n> ${item.kind === 'text' ? '' : `${item.kind} `}${quote(item.text)}`;
      if (text.length + line.length > available) break;
      textBlocks.push(item);
    }
    text += line;
  }
  const isCut = listed.length < shown.length;
  const below = shown === space.actions ? 0 : Math.max(space.belowDialog ?? 0, folded.length);
  const omitted = space.totalActions - listed.length - below;
  text += coveredLine(below) + (omitted > 0 ? `\n… ${omitted} more` : '');
  return { text: text + tail, actions: isCut ? listed : [...listed, ...folded], textBlocks };
}

/**
 * Divides actions into those with a line of their own and those below a dialog, which share one line. If all of them are
 * below a dialog, each has a line: the caller asked for them.
 */
function foldCovered(actions: readonly Action[]): { shown: readonly Action[]; folded: readonly Action[] } {
  const shown = actions.filter(({ layer }) => layer !== 'below');
  return shown.length === 0 || shown.length === actions.length
    ? { shown: actions, folded: [] }
    : { shown, folded: actions.filter(({ layer }) => layer === 'below') };
}

/** An action and the group whose heading stands above it. */
interface GroupedAction {
  readonly action: Action;
  readonly group: string;
}

/** The actions of an open dialog or menu have groups of their own. */
const grouped = (action: Action): GroupedAction => ({
  action,
  group: `${action.layer === 'top'} ${action.category}`,
});

/** Groups actions by category; those of an open dialog or menu come first. */
const inGroups = (actions: readonly Action[]): readonly GroupedAction[] =>
  [...Map.groupBy(actions.map(grouped), ({ group }) => group).values()].flat();

/** Puts each block of text before the action that follows it. Other blocks come last. */
function withText(
  actions: readonly Action[],
  blocks: readonly PageTextBlock[],
): readonly (GroupedAction | PageTextBlock)[] {
  const ids = new Set(actions.map(({ id }) => id));
  const blocksBefore = Map.groupBy(blocks, ({ before }) =>
    before !== null && ids.has(before) ? before : null,
  );
  return [
    ...actions.flatMap(action => [...(blocksBefore.get(action.id) ?? []), grouped(action)]),
    ...(blocksBefore.get(null) ?? []),
  ];
}

const coveredLine = (count: number): string =>
  count === 0 ? '' : `\n… ${count} covered ${count === 1 ? 'action' : 'actions'} below the dialog`;

/** Returns a line such as `Pending: request "GET api.example/items", busy "Loading…"`; nothing if nothing goes on. */
function pendingLine({ requests, busy }: Pending): string {
  const parts = [
    ...requests.slice(0, MAX_PENDING).map(request => `request ${quote(request)}`),
    ...busy.slice(0, MAX_PENDING).map(sign => `busy ${quote(sign)}`),
  ];
  return parts.length === 0 ? '' : `\nPending: ${parts.join(', ')}`;
}

/** Returns a line such as `Download D1 "report.csv", stored` for each download that the last operation has started. */
const downloadLines = (downloads: readonly StartedDownload[]): string =>
  downloads
    .slice(0, MAX_PENDING)
    .map(({ id, name, state }) => `\nDownload ${id === null ? '' : `${id} `}${quote(name)}, ${state}`)
    .join('');

/** Maximum number of requests, and of signs of business, in the line about what goes on. */
const MAX_PENDING = 3;

/** Returns one line for each message, `! alert "Wrong password."`, as many as fit. */
function messageLines(messages: readonly PageMessage[], available: number): string {
  let text = '';
  for (const { kind, action, text: words } of messages) {
    const line = `\n! ${kind}${action === null ? '' : ` ${action}`} ${quote(words)}`;
    if (text.length + line.length > available) break;
    text += line;
  }
  return text;
}

/** The part of the limit that special and browser actions may fill with their names; beyond it only their ids are listed. */
const MAX_TAIL_PART = 0.6;

const idsLine = ({ specialActions, browserActions }: Space): string => {
  const [first, last] = [specialActions.at(0)?.id, specialActions.at(-1)?.id];
  const ids = [...(first === undefined ? [] : [`${first}–${last}`]), ...browserActions.map(({ id }) => id)];
  return ids.length === 0 ? '' : `\nAlso: ${ids.join(' ')}`;
};

const compactLine = (title: string, actions: readonly Action[]): string =>
  actions.length === 0 ? '' : `\n${title}: ${actions.map(specialActionLabel).join('; ')}`;

/** Formats messages, and added, changed and removed actions: `! alert "Wrong password."`, `+ B1 button "Save"`, `~ I1 textbox "Name", value "Ada"`, `- L2`. */
export function diffMarkdown({
  added,
  removed,
  changed,
  covered = 0,
  uncovered = 0,
  messages,
}: SpaceDiff): string {
  const lines = [
    ...added.map(action => `+${actionLine(action).slice(1)}`),
    ...changed.map(action => `~${actionLine(action, changeNotes(action)).slice(1)}`),
    ...removed.map(action => `- ${action.id}`),
    covered === 0 ? '' : `~ ${covered} ${covered === 1 ? 'action' : 'actions'} covered`,
    uncovered === 0 ? '' : `~ ${uncovered} ${uncovered === 1 ? 'action' : 'actions'} no longer covered`,
  ];
  const text = messageLines(messages, Number.POSITIVE_INFINITY).slice(1);
  return [text, ...lines].filter(line => line !== '').join('\n') || 'Nothing has changed.';
}

/**
 * Formats one action: `- I1 textbox "Size" ("S"|"M")`. The description contains role, name, state and text that
 * distinguishes it from similar actions.
 */
function actionLine(action: Action, more: readonly string[] = []): string {
  // The values of a checkbox, true and false, are obvious.
  const values = action.params.find(param => param.values !== null && param.type !== 'boolean')?.values;
  const notes = [
    action.status === 'valid' || action.disabled ? null : action.status,
    action.params.some(param => param.type === 'file') ? 'takes a file' : null,
    values == null || values.length > MAX_INLINE_VALUES ? null : values.map(quote).join('|'),
    ...more,
  ].filter(note => note !== null && note !== '');
  return `- ${action.id} ${phrase(action.description)}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}

/** Says what a difference has beside the description: the focus with caret and selection, and a new picture on a canvas. */
function changeNotes({ focus, hasNewPicture = false }: ChangedAction): string[] {
  const notes = hasNewPicture ? ['new picture'] : [];
  if (focus === undefined) return notes;
  notes.push(focus.caret === null ? 'focused' : `focused, caret ${focus.caret}`);
  if (focus.selected !== '') notes.push(`selected ${quote(focus.selected)}`);
  return notes;
}

/** Maximum number of allowed values that the line of an action shows. A longer list of values is only in `params`. */
const MAX_INLINE_VALUES = 12;

/** Returns a text that contains quotations on one line; closes a quotation that is open at its end. */
function phrase(text: string): string {
  const line = normalizeText(text);
  return line.split('"').length % 2 === 0 ? `${line}"` : line;
}
