/** Reads `space.markdown` by its grammar (docs/contract.md), strictly: every line that the grammar does not know is an error. */
import { ACTION_STATUSES, type ActionStatus } from '../../src/domain/action.ts';
import { MESSAGE_KINDS, type MessageKind, type PageMessage } from '../../src/domain/pageMessage.ts';
import type { PageTextBlock, TextBlockKind } from '../../src/domain/pageTextBlock.ts';

export interface ParsedAction {
  readonly id: string;
  readonly category: string;
  readonly description: string;
  readonly status: ActionStatus | null;
  readonly takesFile: boolean;
  readonly values: readonly string[] | null;
}

export type ParsedMessage = Omit<PageMessage, 'isNew'>;

export interface ParsedSpace {
  readonly description: string;
  readonly category: string;
  readonly dialog: { readonly kind: string; readonly message: string } | null;
  readonly messages: readonly ParsedMessage[];
  readonly actions: readonly ParsedAction[];
  /** The blocks of text, each with the id of the action after it. */
  readonly textBlocks: readonly PageTextBlock[];
  readonly omitted: number;
  /** Number of actions below an open dialog. */
  readonly covered: number;
  /** The ids of the special and browser actions; with a short limit, `S1–S8` stands for the special ones. */
  readonly specialIds: readonly string[];
  /** Everything outside of quotes: the service's own words. */
  readonly ownWords: string;
}

const QUOTED = '"[^"]*"';
/** Own words and quotations in any order. */
const PHRASE = `(?:[^"]|${QUOTED})*`;
const NOTE = `(?:covered|clipped|excluded|takes a file|${QUOTED}(?:\\|${QUOTED})*)`;
const HEAD = new RegExp(`^# (${PHRASE}) \\(([a-z-]+)\\)$`);
const DIALOG = new RegExp(`^Open (alert|confirm|prompt|beforeunload): (${QUOTED})$`);
const MESSAGE = new RegExp(`^! (${MESSAGE_KINDS.join('|')})(?: ([LBI]\\d+))? (${QUOTED})$`);
const TEXT = new RegExp(`^> (?:(heading|row) )?(${QUOTED})$`);
const SECTION = new RegExp(`^## (${PHRASE})$`);
const ACTION = new RegExp(`^- ([LBI]\\d+) (${PHRASE}?)(?: \\((${NOTE}(?:, ${NOTE})*)\\))?$`);
const OMITTED = /^… (\d+) more$/;
const PENDING = new RegExp(`^Pending: (?:request|busy) ${QUOTED}(?:, (?:request|busy) ${QUOTED})*$`);
const DOWNLOAD = new RegExp(`^Download (?:D\\d+ )?${QUOTED}, (?:running|stored|refused)$`);
const BELOW = /^… \d+ covered actions? below the dialog$/;
const COVERED = /^… (\d+) covered actions? below the dialog$/;
const LABEL = 'S\\d+ [^;"]+';
const TAIL = new RegExp(`^(Special|Browser): (${LABEL}(?:; ${LABEL})*)$`);

const IDS = /^Also: (S\d+(?:–S\d+)?(?: S\d+)*)$/;

const unquote = (text: string): string => text.slice(1, -1);
const quotations = (text: string): string[] =>
  [...text.matchAll(new RegExp(QUOTED, 'g'))].map(([all]) => all);

/** @throws Error for a line that the grammar does not know */
export function parseSpaceMarkdown(markdown: string): ParsedSpace {
  const lines = markdown.split('\n');
  const head = HEAD.exec(lines.shift() ?? '');
  if (head === null || lines.shift() !== '"…" quotes the page.') throw new Error(`No head in:\n${markdown}`);
  const messages: ParsedMessage[] = [];
  const actions: ParsedAction[] = [];
  const textBlocks: { kind: TextBlockKind; text: string; before: string | null }[] = [];
  const specialIds: string[] = [];
  let dialog: ParsedSpace['dialog'] = null;
  let category: string | null = null;
  let omitted = 0;
  let covered = 0;
  for (const line of lines) {
    const opened = DIALOG.exec(line);
    const message = MESSAGE.exec(line);
    const block = TEXT.exec(line);
    const section = SECTION.exec(line);
    const action = ACTION.exec(line);
    const left = OMITTED.exec(line);
    const tail = TAIL.exec(line);
    const ids = IDS.exec(line);
    if (opened !== null && category === null)
      dialog = { kind: opened[1] ?? '', message: unquote(opened[2] ?? '') };
    else if (message !== null && category === null)
      messages.push({
        kind: message[1] as MessageKind,
        action: message[2] ?? null,
        text: unquote(message[3] ?? ''),
      });
    else if (block !== null)
      textBlocks.push({
        kind: (block[1] ?? 'text') as TextBlockKind,
        text: unquote(block[2] ?? ''),
        before: null,
      });
    else if (section !== null) category = section[1] ?? '';
    else if (action !== null && category !== null) {
      actions.push(parsedAction(action, category));
      for (const one of textBlocks) one.before ??= action[1] ?? null;
    } else if (COVERED.test(line)) covered = Number(COVERED.exec(line)?.[1]);
    else if (BELOW.test(line) || PENDING.test(line) || DOWNLOAD.test(line)) continue;
    else if (left !== null) omitted = Number(left[1]);
    else if (tail !== null)
      specialIds.push(...(tail[2] ?? '').split('; ').map(label => label.split(' ')[0] ?? ''));
    else if (ids !== null) specialIds.push(...(ids[1] ?? '').split(' '));
    else throw new Error(`Not in the grammar: ${JSON.stringify(line)}`);
  }
  const ownWords = markdown.replace(new RegExp(QUOTED, 'g'), '""');
  return {
    description: head[1] ?? '',
    category: head[2] ?? '',
    dialog,
    messages,
    actions,
    textBlocks,
    omitted,
    covered,
    specialIds,
    ownWords,
  };
}

function parsedAction(
  [, id = '', description = '', notes = '']: RegExpExecArray,
  category: string,
): ParsedAction {
  const values = quotations(notes);
  const own = notes.replace(new RegExp(QUOTED, 'g'), '').split(', ');
  return {
    id,
    category,
    description,
    status: ACTION_STATUSES.find(status => own.includes(status)) ?? null,
    takesFile: own.includes('takes a file'),
    values: values.length === 0 ? null : values.map(unquote),
  };
}
