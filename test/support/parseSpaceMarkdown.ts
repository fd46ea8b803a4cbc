/** Reads `space.markdown` by its grammar (docs/contract.md), strictly: every line that the grammar does not know is an error. */
import { ACTION_STATUSES, type ActionStatus } from '../../src/domain/space/action.ts';
import {
  MESSAGE_KINDS,
  type MessageKind,
  type PageMessage,
  type PageTextBlock,
  type TextBlockKind,
} from '../../src/domain/space/space.ts';
import {
  bodyOf,
  idsBetween,
  itemsOf,
  KIND,
  likeText,
  PHRASE,
  QUOTED,
  quotations,
  unquote,
} from './spaceLineText.ts';

export interface ParsedAction {
  readonly id: string;
  readonly category: string;
  /** The name as the line shows it; null for none. */
  readonly name: string | null;
  /** Kind and states, without the name and the context. */
  readonly description: string;
  /** The words that tell it apart, its own or those of its row; null if the list needs none. */
  readonly context: string | null;
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

const ID = '[LBI]\\d+';
const HEAD = new RegExp(`^# (${PHRASE}) \\(([a-z-]+)\\)$`);
const DIALOG = new RegExp(
  `^Open (alert|confirm|prompt|beforeunload \\(S14 leaves the page, S15 stays\\)): (${QUOTED})$`,
);
const MESSAGE = new RegExp(
  `^! (${MESSAGE_KINDS.join('|')})(?: (${ID}))? (${QUOTED})(?:, said by ${QUOTED} before it was left)?$`,
);
const TEXT = new RegExp(`^> (?:(heading|row) )?(${QUOTED})$`);
const SECTION = new RegExp(`^## (?!${ID}[ –])(${PHRASE})$`);
const ROW = new RegExp(`^in (${QUOTED}):$`);
/** The second group: actions of other kinds before the last one of a line, which has the name of all: `I1 checkbox, L2 "Red"`. */
const ACTION = new RegExp(`^(## | )?((?:${ID}${KIND}, )*)(${ID})(?:–(${ID}))?(${PHRASE})$`);
const OTHER_KIND = new RegExp(`(${ID})(${KIND}), `, 'g');
/** Actions with the texts of others above: `L30–L36 same as L2–L8`. */
const SAME = new RegExp(`^(${ID})–(${ID}) same as (${ID})–(${ID})$`);
const OMITTED = /^… (?:(\d+) more(?: and \d+ texts?)?|\d+ texts?)$/;
const PENDING = new RegExp(`^Pending: (?:request|busy) ${QUOTED}(?:, (?:request|busy) ${QUOTED})*$`);
const DOWNLOAD = new RegExp(`^Download (?:D\\d+ )?${QUOTED}, (?:running|stored|refused)$`);
const CONSOLE = new RegExp(`^console: (?:1 error|\\d+ errors, first) ${QUOTED}$`);
const COVERED = /^… (\d+) covered actions? below the dialog$/;
const LABEL = 'S\\d+ [^;,"()]+';
const LABELS = `${LABEL}(?:, ${LABEL})*(?:\\([^()"]+\\))?`;
const SPECIALS = new RegExp(`^(${LABELS}(?:; ${LABELS})*)$`);
const IDS = /^(S\d+(?:–S\d+)?(?: S\d+)*)$/;

const ROLES: Readonly<Record<string, string>> = { L: 'link', B: 'button', I: 'textbox' };

/** One action of a row: the text after its id. */
interface RowItem {
  readonly text: string;
}

/** A row that others refer to. */
interface Template {
  readonly items: readonly RowItem[];
  /** True if `in "…"` names the row, false if its first action does. */
  readonly isTitled: boolean;
  readonly title: string | null;
  /** True for a section without rows: `=` after it stands for a section like it. */
  readonly isSection: boolean;
}

/** Reads the lines of actions. */
class ActionReader {
  readonly actions: ParsedAction[] = [];
  /** The text after the id of each action. */
  readonly #texts = new Map<string, string>();
  category: string | null = null;
  /** The name of the row that indented lines belong to. */
  #title: string | null = null;
  /** True if the row is named by `in "…"`. */
  #isTitled = false;
  #items: RowItem[] = [];
  #sectionItems: RowItem[] = [];
  /** The last row with more than its own action, which `=` refers to. */
  #template: Template | null = null;

  /** Returns false if the line is none of an action. */
  read(line: string): boolean {
    const row = ROW.exec(line);
    const same = SAME.exec(line);
    const action = ACTION.exec(line);
    const section = SECTION.exec(line);
    if (section !== null) {
      this.#startRow(null, false);
      this.category = section[1]?.startsWith('"') ? `Section ${section[1]}` : (section[1] ?? '');
      this.#startSection(section[1]?.startsWith('"') ? unquote(section[1]) : null, true);
    } else if (row !== null) this.#startRow(unquote(row[1] ?? ''), true);
    else if (line.startsWith('= ')) this.#readLike(line.slice(2));
    else if (same !== null) this.#readSame(same);
    else if (action !== null) this.#readAction(action);
    else return false;
    return true;
  }

  #startRow(title: string | null, isTitled: boolean): void {
    [this.#title, this.#isTitled, this.#items] = [title, isTitled, []];
  }

  #readAction([line, mark, others = '', first = '', last = first, text = '']: RegExpExecArray): void {
    const items = [
      ...[...others.matchAll(OTHER_KIND)].map(([, id = '', kind = '']) => ({
        id,
        text: kind + text.slice(text.indexOf(' "')),
      })),
      ...itemsOf(idsBetween(first, last), text),
    ];
    const body = bodyOf(line, items[0]?.text ?? '');
    if (mark === '## ') {
      this.category = `Section ${body.name ?? '""'}`;
      this.#startSection(null, false);
    }
    if (mark !== ' ')
      this.#startRow(body.context ?? (body.name === null ? null : unquote(body.name)), body.context !== null);
    for (const { id, text: own } of items) {
      this.#items.push({ text: body.context === null ? own : own.replace(`, in "${body.context}"`, '') });
      this.#sectionItems.push({ text: own });
      this.#add(id, own, mark === ' ' ? this.#title : body.context, line);
    }
    if (mark === ' ' || this.#isTitled)
      this.#template = {
        items: this.#items,
        isTitled: this.#isTitled,
        title: this.#title,
        isSection: false,
      };
  }

  #startSection(title: string | null, isTitled: boolean): void {
    this.#sectionItems = [];
    this.#template = { items: this.#sectionItems, isTitled, title, isSection: true };
  }

  #readSame([line, first = '', last = '', from = '', to = '']: RegExpExecArray): void {
    const [ids, known] = [idsBetween(first, last), idsBetween(from, to)];
    if (ids.length !== known.length) throw new Error(`Another number of actions: ${line}`);
    this.#startRow(null, false);
    for (const [index, id] of ids.entries()) {
      const text = this.#texts.get(known[index] ?? '');
      if (text === undefined) throw new Error(`No action above has this id: ${line}`);
      this.#add(id, text, null, line);
    }
  }

  /** Reads `= B3 B4 in "Customer 2"`. */
  #readLike(line: string): void {
    const template = this.#template;
    if (template === null) throw new Error(`No row is above: ${line}`);
    const whole = line.replace(new RegExp(QUOTED, 'g'), all => '"'.repeat(all.length));
    const inTitle = template.isTitled ? whole.search(/ in "+$/) : -1;
    const own = inTitle < 0 ? line : line.slice(0, inTitle);
    const masked = whole.slice(0, own.length);
    const found = [...masked.matchAll(new RegExp(`(?:^| )(${ID})(?:–(${ID}))?(?=[ ,]|$)`, 'g'))];
    const items = found.flatMap(({ 0: all, 1: first = '', 2: last = first, index }, nth) => {
      const text = own.slice(index + all.length, found[nth + 1]?.index ?? own.length);
      return idsBetween(first, last).map(id => ({ id, text }));
    });
    if (items.length !== template.items.length) throw new Error(`Another number of actions: ${line}`);
    // A row that one of its actions names, as in the row above, does not say its title twice.
    const naming = template.items.findIndex(({ text }) => bodyOf(line, text).name === `"${template.title}"`);
    const named = template.isTitled ? bodyOf(line, items[naming]?.text ?? '').name : null;
    const title = inTitle < 0 ? named && unquote(named) : line.slice(inTitle + 5, -1);
    if (template.isTitled && title === null) throw new Error(`No title: ${line}`);
    const texts = items.map(({ text }, nth) => ({
      text: likeText(line, text, template.items[nth]?.text ?? '', template.title, title),
    }));
    const head = template.isTitled ? null : bodyOf(line, texts[0]?.text ?? '').name;
    const name = title ?? (head === null ? null : unquote(head));
    if (template.isSection) this.category = `Section "${name}"`;
    for (const [nth, { id }] of items.entries())
      this.#add(id, texts[nth]?.text ?? '', nth === 0 && !template.isTitled ? null : name, line);
    this.#template = { ...template, items: texts, title: name };
  }

  #add(id: string, text: string, context: string | null, line: string): void {
    if (this.category === null) throw new Error(`No section is above: ${line}`);
    this.#texts.set(id, text);
    const { role, name, states, notes } = bodyOf(line, text);
    const kind = role ?? (name === null ? '' : ROLES[id.charAt(0)]);
    const own = notes.replace(new RegExp(QUOTED, 'g'), '').split(', ');
    const values = quotations(notes);
    this.actions.push({
      id,
      category: this.category,
      name: name === null ? null : unquote(name),
      description: `${kind}${name === null ? '' : ' '}${states}`,
      context,
      status: ACTION_STATUSES.find(status => own.includes(status)) ?? null,
      takesFile: own.includes('takes a file'),
      values: values.length === 0 ? null : values.map(unquote),
    });
  }
}

/** @throws Error for a line that the grammar does not know */
export function parseSpaceMarkdown(markdown: string): ParsedSpace {
  const lines = markdown.split('\n');
  const head = HEAD.exec(lines.shift() ?? '');
  if (head === null || lines.shift() !== '"…" quotes the page.') throw new Error(`No head in:\n${markdown}`);
  const messages: ParsedMessage[] = [];
  const reader = new ActionReader();
  const textBlocks: { kind: TextBlockKind; text: string; before: string | null }[] = [];
  const specialIds: string[] = [];
  let dialog: ParsedSpace['dialog'] = null;
  let omitted = 0;
  let covered = 0;
  for (const line of lines) {
    const known = reader.actions.length;
    const opened = DIALOG.exec(line);
    const message = MESSAGE.exec(line);
    const block = TEXT.exec(line);
    const left = OMITTED.exec(line);
    const below = COVERED.exec(line);
    const specials = SPECIALS.exec(line);
    const ids = IDS.exec(line);
    if (opened !== null && reader.category === null)
      dialog = { kind: opened[1] ?? '', message: unquote(opened[2] ?? '') };
    else if (message !== null && reader.category === null)
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
    else if (below !== null) covered = Number(below[1]);
    else if (PENDING.test(line) || DOWNLOAD.test(line) || CONSOLE.test(line)) continue;
    else if (left !== null) omitted = Number(left[1] ?? 0);
    else if (ids !== null) specialIds.push(...(ids[1] ?? '').split(' '));
    else if (specials !== null) specialIds.push(...[...line.matchAll(/S\d+(?= )/g)].map(([id]) => id));
    else if (reader.read(line)) {
      const next = reader.actions[known]?.id ?? null;
      for (const one of textBlocks) one.before ??= next;
    } else throw new Error(`Not in the grammar: ${JSON.stringify(line)}`);
  }
  return {
    description: head[1] ?? '',
    category: head[2] ?? '',
    dialog,
    messages,
    actions: reader.actions,
    textBlocks,
    omitted,
    covered,
    specialIds,
    ownWords: markdown.replace(new RegExp(QUOTED, 'g'), '""'),
  };
}
