/** A space as an agent reads it: the action list in as few characters as say it. */
import type { Action } from './action.ts';
import type { Space } from './space.ts';
import type { SpaceDiff } from './spaceDiff.ts';

/** Characters to a token, on the average of English and markup; errs towards too many tokens. */
const CHARACTERS_PER_TOKEN = 3.5;

/**
 * One line an action, grouped under its category, after the page's description:
 * `- B1 button "Save", disabled`. Special and browser actions stand in one line each, for they are the same everywhere.
 * @param maxTokens leaves out actions at the end, and says how many, so that the text stays within about that many tokens
 */
export function spaceMarkdown(space: Space, maxTokens?: number | null): string {
  return render(space, maxTokens).text;
}

/** The space with only those actions that its Markdown of about so many tokens holds. */
export function trimToTokens(space: Space, maxTokens: number): Space {
  const { actions } = render(space, maxTokens);
  return actions.length === space.actions.length ? space : { ...space, actions };
}

function render(space: Space, maxTokens?: number | null): { text: string; actions: readonly Action[] } {
  const budget = maxTokens == null ? Number.POSITIVE_INFINITY : maxTokens * CHARACTERS_PER_TOKEN;
  const head = `# ${collapseWhitespace(space.description)} (${space.category})`;
  const dialog =
    space.dialog === null ? '' : `\nOpen ${space.dialog.kind}: "${collapseWhitespace(space.dialog.message)}"`;
  const tail = [
    compactLine('Special', space.specialActions),
    compactLine('Browser', space.browserActions),
  ].join('');
  let text = head + dialog;
  const kept: Action[] = [];
  // Room for the tail and for the line that says what was left out.
  const room = budget - tail.length - 24;
  listing: for (const [category, actions] of Map.groupBy(space.actions, action => action.category)) {
    let part = `\n## ${collapseWhitespace(category)}`;
    for (const action of actions) {
      const line = `\n${actionLine(action)}`;
      if (text.length + part.length + line.length > room) break listing;
      text += part + line;
      part = '';
      kept.push(action);
    }
  }
  const left = space.totalActions - kept.length;
  return { text: text + (left > 0 ? `\n… ${left} more` : '') + tail, actions: kept };
}

const compactLine = (title: string, actions: readonly Action[]): string =>
  actions.length === 0 ? '' : `\n${title}: ${actions.map(actionLabel).join(' · ')}`;

const actionLabel = (action: Action): string =>
  `${action.id} ${action.name ?? action.description}${action.params.length > 0 ? `(${action.params.map(param => param.name).join(', ')})` : ''}`;

/** Actions that came, went and changed: `+ B1 button "Save"`, `- L2`, `~ I1 textbox "Name", value "Ada"`. */
export function diffMarkdown({ added, removed, changed }: SpaceDiff): string {
  const lines = [
    ...added.map(action => `+${actionLine(action).slice(1)}`),
    ...changed.map(action => `~${actionLine(action).slice(1)}`),
    ...removed.map(action => `- ${action.id}`),
  ];
  return lines.length === 0 ? 'Nothing has changed.' : lines.join('\n');
}

/** One action: `- I1 textbox "Size" (S | M)`. The description says what it is, its name, its state and what tells it from its like. */
function actionLine(action: Action): string {
  // That a tick is true or false says nothing new.
  const values = action.params.find(param => param.values !== null && param.type !== 'boolean')?.values;
  const notes = [
    action.status === 'valid' || action.disabled ? null : action.status,
    action.params.some(param => param.type === 'file') ? 'takes a file' : null,
    values == null || values.length > MAX_INLINE_VALUES ? null : values.map(collapseWhitespace).join(' | '),
  ].filter(note => note !== null);
  return `- ${action.id} ${collapseWhitespace(action.description)}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}

/** Longer lists of values stand in `params` alone. */
const MAX_INLINE_VALUES = 12;

const collapseWhitespace = (text: string): string => text.replace(/\s+/g, ' ').trim();
