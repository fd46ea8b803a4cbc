/**
 * Formats a space (the list of actions on a page) as Markdown for an agent, in as few characters as possible. The text has a grammar
 * (docs/contract.md): the words of the page are always inside double quotes, everything else is the service's own.
 */

import { specialActionLine } from '../specialActions/specialActions.ts';
import type { Action } from './action.ts';
import { briefName, isSameText, onOneLine, toActionPhrase } from './actionPhrase.ts';
import { actionRows, toListed } from './actionRows.ts';
import type { ActionLines } from './joinedActions.ts';
import { allOf, lineLike, type Row, type RowsAbove } from './likeLine.ts';
import { quote } from './pageText.ts';
import { ShownActions } from './repeatedActions.ts';
import {
  type ConsoleErrors,
  keepingRank,
  type PageMessage,
  type PageTextBlock,
  type Pending,
  placeBeforeListed,
  type Space,
  type SpaceState,
  type StartedDownload,
  sectionsOf,
} from './space.ts';

/** Average number of characters per token, for English and markup. Estimated low, so that texts stay within the token limit. */
const CHARACTERS_PER_TOKEN = 3.5;

/** The second line of every space: says which words are the page's. */
const QUOTES_NOTE = '"…" quotes the page.';

/**
 * Formats a space as Markdown: the title of the page and one line per action or row, grouped by category: `B1 "Save", disabled`.
 * Special and browser actions share one line, because they are the same on nearly every page.
 * @param maxTokens limits the text to about this many tokens: omits actions at the end and states their number. Default: the limit
 * of `trimToTokens`, else none
 */
export function spaceMarkdown(space: Space, maxTokens?: number | null): string {
  return render(space, maxTokens ?? space.maxTokens).text;
}

export function trimToTokens(space: Space, maxTokens: number): Space {
  const { actions, textBlocks, omittedTexts } = render(space, maxTokens);
  return {
    ...space,
    maxTokens,
    actions,
    ...(space.textBlocks !== undefined && { textBlocks, omittedTexts }),
  };
}

interface RenderedSpace {
  readonly text: string;
  readonly actions: readonly Action[];
  readonly textBlocks: readonly PageTextBlock[];
  readonly omittedTexts: number;
}

function render(space: Space, maxTokens?: number | null): RenderedSpace {
  const budget = maxTokens == null ? Number.POSITIVE_INFINITY : maxTokens * CHARACTERS_PER_TOKEN;
  const head = `# ${headPhrase(space.description)} (${space.category})\n${QUOTES_NOTE}`;
  const fullTail = specialLine([...space.specialActions, ...space.browserActions]);
  const tail = fullTail.length <= budget * MAX_TAIL_PART ? fullTail : idsLine(space);
  // Leave space for the tail and for the line about omitted actions.
  const available = budget - tail.length - 40;
  let text = head + stateLines(space);
  text += messageLines(space.messages, (available - text.length) / 2);
  const listed: Action[] = [];
  const textBlocks: PageTextBlock[] = [];
  const { shown, folded, isFolding } = foldCovered(space.actions);
  const below = isFolding ? Math.max(space.belowDialog ?? 0, folded.length) : 0;
  const { textBlocks: blocks = [] } = space;
  const items = blocks.length === 0 ? shown : withText(shown, blocks);
  for (const { text: lines, actions, block } of fittingLines(items, available - text.length)) {
    const line = `\n${lines}`;
    if (text.length + line.length > available) break;
    listed.push(...actions);
    if (block !== null) textBlocks.push(block);
    text += line;
  }
  const isCut = listed.length < shown.length;
  const omitted = space.totalActions - listed.length - below;
  const omittedTexts = (space.omittedTexts ?? 0) + blocks.length - textBlocks.length;
  text += coveredLine(below) + omittedLine(omitted, omittedTexts);
  return {
    text: text + tail,
    actions: isCut ? listed : [...listed, ...folded],
    textBlocks: placeBeforeListed(
      textBlocks,
      shown.map(({ id }) => id),
      new Set(listed.map(({ id }) => id)),
    ),
    omittedTexts,
  };
}

/** Returns a line such as `… 12 more and 3 texts`; nothing if nothing is left out. */
function omittedLine(actions: number, texts: number): string {
  const parts = [
    actions > 0 ? `${actions} more` : '',
    texts > 0 ? `${texts} ${texts === 1 ? 'text' : 'texts'}` : '',
  ];
  const omitted = parts.filter(part => part !== '').join(' and ');
  return omitted === '' ? '' : `\n… ${omitted}`;
}

/** Those below a dialog share one line; if all are, each has a line, because the caller asked for them. */
function foldCovered(actions: readonly Action[]) {
  const folded = actions.filter(({ layer }) => layer === 'below');
  const isFolding = folded.length < actions.length;
  if (!isFolding || folded.length === 0) return { shown: actions, folded: [], isFolding };
  return { shown: actions.filter(({ layer }) => layer !== 'below'), folded, isFolding };
}

/** Actions, and the blocks of text between them, in the order in which they are read. */
type Items = readonly (Action | PageTextBlock)[];

const isText = (item: Action | PageTextBlock): item is PageTextBlock => 'before' in item;

/** Returns the lines that fit: the actions that a limit keeps longest stay, each with the text before it. */
function fittingLines(items: Items, available: number): readonly Lines[] {
  const all = linesOf(items);
  if (lengthOf(all) <= available) return all;
  const byRank = inKeepingOrder(items);
  // About as many fit as from the start of the list: larger lists are not tried, because a list of thousands takes long to write.
  let [fitting, tooMany] = [0, Math.min(items.length, countFitting(all, available) * 2 + 16)];
  let lines: readonly Lines[] = [];
  while (tooMany - fitting > 1) {
    const count = (fitting + tooMany) >> 1;
    const kept = new Set(byRank.slice(0, count));
    const tried = linesOf(items.filter(item => kept.has(item)));
    if (lengthOf(tried) <= available) [fitting, lines] = [count, tried];
    else tooMany = count;
  }
  return lines;
}

/** Returns the items in the order in which a limit keeps them: a text has the rank of the action after it. */
function inKeepingOrder(items: Items): Items {
  let rank = Number.POSITIVE_INFINITY;
  const ranked = items.toReversed().map(item => {
    if (!isText(item)) rank = keepingRank(item);
    return { item, rank };
  });
  return ranked
    .reverse()
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}

/** Returns the number of actions and texts in the lines at the start of a list that `available` characters allow. */
function countFitting(lines: readonly Lines[], available: number): number {
  let [length, count] = [0, 0];
  for (const { text, actions, block } of lines) {
    length += text.length + 1;
    if (length > available) break;
    count += actions.length + (block === null ? 0 : 1);
  }
  return count;
}

const lengthOf = (lines: readonly Lines[]): number =>
  lines.reduce((sum, { text }) => sum + text.length + 1, 0);

interface Lines extends ActionLines {
  /** The block of text that it shows; null for actions. */
  readonly block: PageTextBlock | null;
}

/** Returns the lines of the list. With blocks of text, actions are in document order; else those of a section stand together. */
function linesOf(items: Items): readonly Lines[] {
  const actions = items.filter(item => !isText(item));
  if (actions.length === items.length) return knownSectionLines(items as readonly Action[]);
  const shown = new ShownActions(actions);
  const lines: Lines[] = [];
  let section: Action[] = [];
  let group: string | null = null;
  const endSection = () => {
    const [first] = section;
    if (first === undefined) return;
    lines.push(...sectionLines(section, groupOf(first) === group, shown));
    group = groupOf(first);
    section = [];
  };
  for (const item of items) {
    if (isText(item)) {
      endSection();
      lines.push({
        text: `> ${item.kind === 'text' ? '' : `${item.kind} `}${quote(item.text)}`,
        actions: [],
        block: item,
      });
    } else {
      const [first] = section;
      if (first !== undefined && groupOf(first) !== groupOf(item)) endSection();
      section.push(item);
    }
  }
  endSection();
  return lines;
}

/** The lines of lists without blocks of text: those of a page that has not changed are written once. */
const sectionLinesByActions = new WeakMap<readonly Action[], readonly Lines[]>();

function knownSectionLines(actions: readonly Action[]): readonly Lines[] {
  const known = sectionLinesByActions.get(actions) ?? allSectionLines(actions, new ShownActions(actions));
  sectionLinesByActions.set(actions, known);
  return known;
}

/** A section like the one above is one line: the cards of a shop, each with a heading of its own. */
function allSectionLines(actions: readonly Action[], shown: ShownActions): readonly Lines[] {
  let above: RowsAbove | null = null;
  return sectionsOf(actions).flatMap(section => {
    const card = toCard(section, shown);
    const like: string | null = card === null || above === null ? null : lineLike(card, above, shown.texts);
    if (card === null) above = null;
    else above = { last: card, whole: like === null ? card : (above?.whole ?? card) };
    if (card === null || like === null) return sectionLines(section, false, shown);
    shown.add(allOf(card));
    return [{ text: like, actions: section, block: null }];
  });
}

/** Maximum number of actions of a section that is compared with others. */
const MAX_CARD_ACTIONS = 12;

/** Returns a section as a row that its heading names; null for a section of another kind, with rows of its own, or with many actions. */
function toCard(section: readonly Action[], shown: ShownActions): Row | null {
  const [first] = section;
  const { isUsual, title } = titleOf(first);
  if (!isUsual || title === null || section.length > MAX_CARD_ACTIONS) return null;
  const listed = toListed(section, shown);
  const isApart = listed.some(({ phrase: { context } }) => context !== null && !isSameText(context, title));
  if (isApart) return null;
  const [head, ...items] = listed;
  if (head !== undefined && isNamed(head.action, title)) return { head, title, items };
  return { head: null, title, items: listed };
}

/** The actions of an open dialog or menu have groups of their own. */
const groupOf = ({ layer, category }: Action): string => `${layer === 'top'} ${category}`;

const TITLED_SECTION = /^([^"]*?) ?"([^"]*)"$/;

/**
 * Returns the heading and the lines of the actions of a section. An action that has the title of the section as its name stands in
 * place of the heading.
 * @param isContinued true if the actions above are of the same section, so that no heading is needed
 * @param shown the actions of the sections above
 */
function sectionLines(actions: readonly Action[], isContinued: boolean, shown: ShownActions): Lines[] {
  const [first] = actions;
  if (first === undefined) return [];
  const { category, isUsual, title } = titleOf(first);
  const lines = actionRows(actions, { title, shown });
  const isHeading =
    isUsual && title !== null && isNamed(first, title) && lines[0]?.text.startsWith(`${first.id} `) === true;
  const ownHeading = isHeading ? '## ' : `## ${isUsual ? `"${title}"` : category}\n`;
  const heading = isContinued ? '' : ownHeading;
  return lines.map(({ text, actions: listed }, index) => ({
    text: index === 0 ? heading + text : text,
    actions: listed,
    block: null,
  }));
}

function titleOf(action: Action | undefined) {
  const category = onOneLine(action?.category ?? '');
  const [, kind = '', title = null] = TITLED_SECTION.exec(category) ?? [];
  return { category, title, isUsual: kind === USUAL_SECTION };
}

function isNamed(action: Action, title: string): boolean {
  const { name } = toActionPhrase(action);
  return name !== null && isSameText(title, briefName(name));
}

/** The kind of section that a heading without a kind stands for. */
const USUAL_SECTION = 'Section';

/** Puts each block of text before the action that follows it. Other blocks come last. */
function withText(
  actions: readonly Action[],
  blocks: readonly PageTextBlock[],
): readonly (Action | PageTextBlock)[] {
  const ids = new Set(actions.map(({ id }) => id));
  const blocksBefore = Map.groupBy(blocks, ({ before }) =>
    before !== null && ids.has(before) ? before : null,
  );
  return [
    ...actions.flatMap(action => [...(blocksBefore.get(action.id) ?? []), action]),
    ...(blocksBefore.get(null) ?? []),
  ];
}

const coveredLine = (count: number): string =>
  count === 0 ? '' : `\n… ${count} covered ${count === 1 ? 'action' : 'actions'} below the dialog`;

/** Returns the lines about the open dialog, what goes on, and the started downloads, each after a line break; nothing if there is none. */
export const stateLines = ({ dialog, pending, downloads, console }: SpaceState): string =>
  dialogLine(dialog) + pendingLine(pending) + downloadLines(downloads) + consoleLine(console);

/** Returns a line such as `console: 2 errors, first "TypeError: x is not a function"`; nothing for no errors. */
export function consoleLine(errors: ConsoleErrors | undefined): string {
  if (errors === undefined) return '';
  const count = errors.errors === 1 ? '1 error' : `${errors.errors} errors, first`;
  return `\nconsole: ${count} ${quote(errors.first)}`;
}

/** Chromium shows no text of the page that asks whether to leave it, so the line says what the answers do. */
const dialogLine = (dialog: SpaceState['dialog']): string => {
  if (dialog === null) return '';
  const answers = dialog.kind === 'beforeunload' ? ' (S14 leaves the page, S15 stays)' : '';
  return `\nOpen ${dialog.kind}${answers}: ${quote(dialog.message)}`;
};

/** Matches a sign that is a text of the page and nothing else. */
const IS_QUOTATION = /^"[^"]*"$/;

/** Returns a line such as `Pending: request "GET api.example/items", timer "in 1.4 s", busy "Loading…"`; nothing if nothing goes on. */
function pendingLine({ requests, timers, busy, navigation }: Pending): string {
  const parts = [
    ...requests.slice(0, MAX_PENDING).map(request => `request ${quote(request)}`),
    ...timers.slice(0, MAX_PENDING).map(ms => `timer ${quote(`in ${(ms / 1_000).toFixed(1)} s`)}`),
    ...busy.slice(0, MAX_PENDING).map(sign => `busy ${IS_QUOTATION.test(sign) ? sign : quote(sign)}`),
    ...(navigation === null ? [] : [`navigation ${quote(navigation)}`]),
  ];
  return parts.length === 0 ? '' : `\nPending: ${parts.join(', ')}`;
}

/** Returns a line such as `Download D1 "report.csv", stored` for each download that the last operation has started. */
const downloadLines = (downloads: readonly StartedDownload[]): string =>
  downloads
    .slice(0, MAX_PENDING)
    .map(({ id, name, state }) => `\nDownload ${id === null ? '' : `${id} `}${quote(name)}, ${state}`)
    .join('');

/** Maximum number of requests, of timers and of busy indicators, in the line about what goes on. */
const MAX_PENDING = 3;

/** Returns one line for each message, after a line break: `! alert "Wrong password."`, as many as fit. */
export function messageLines(messages: readonly PageMessage[], available: number): string {
  let text = '';
  for (const { kind, action, text: words, page } of messages) {
    const place = page === undefined ? '' : `, said by ${quote(page)} before it was left`;
    const line = `\n! ${kind}${action === null ? '' : ` ${action}`} ${quote(words)}${place}`;
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
  return ids.length === 0 ? '' : `\n${ids.join(' ')}`;
};

const specialLine = (actions: readonly Action[]): string =>
  actions.length === 0 ? '' : `\n${specialActionLine(actions)}`;

/** The first sentence of a description. The others count the elements and quote the summary that the page gives of itself. */
const FIRST_SENTENCE = /^(?:[^".]|"[^"]*"|\.(?! |$))*\.(?= |$)/;
const TITLED = /^[^"]* titled ("[^"]*")(?:, headed ("[^"]*"))?\.$/;

/** Returns the title of the page, and its heading if that differs; without a title, the first sentence of the description. */
function headPhrase(description: string): string {
  const text = onOneLine(description);
  const sentence = FIRST_SENTENCE.exec(text)?.[0] ?? text;
  const [, title, heading] = TITLED.exec(sentence) ?? [];
  if (title === undefined) return sentence;
  const isInTitle = heading !== undefined && title.includes(heading.slice(1, -1));
  return heading === undefined || isInTitle ? title : `${title}, headed ${heading}`;
}
