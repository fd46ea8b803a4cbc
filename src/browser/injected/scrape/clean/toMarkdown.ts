/**
 * Writes sanitized HTML as CommonMark with the tables, task lists and deletions of GFM. A parser finds the structure of the page in it:
 * characters with a meaning are escaped, each block begins on a line of its own, and adjacent lists stay apart.
 */
import { codeBlock, codeSpan, escapeLineStart, inlineMarkdown, isInline } from './markdownInline.ts';
import { ownRows } from './tables.ts';
import { ListMarkers, startOf } from './toPlainText.ts';

const SKIPPED_ELEMENTS = new Set('script style template source track'.split(' '));
const LISTS = new Set('ul ol menu dir'.split(' '));
/** Containers nested deeper than this add no more indentation: each line of a hostile page would grow with its depth. */
const MAX_INDENTED_LEVELS = 24;

/** A Markdown text, and whether a limit cut it. */
interface MarkdownText {
  readonly value: string;
  readonly isTruncated: boolean;
}

/**
 * Converts HTML to Markdown.
 * @param root sanitized, with absolute URLs, prepared by prepareForMarkdown.ts
 * @param maxCharacters the rest of a longer text is left out
 */
export function toMarkdown(root: Element, maxCharacters: number): MarkdownText {
  const writer = new MarkdownWriter(maxCharacters);
  writer.blocks(root);
  return writer.result();
}

/** Writes blocks line by line; the prefix of a line is that of the quotes and lists around it. */
class MarkdownWriter {
  readonly #maxCharacters: number;
  readonly #markers = new ListMarkers();
  readonly #lines: string[] = [];
  #length = 0;
  #prefix = '';
  #level = 0;
  /** The prefix of the next line, if it is the first of a list item or quote. */
  #firstPrefix: string | null = null;
  #needsEmptyLine = false;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  result(): MarkdownText {
    // No pattern: it would begin anew at each line break of a run within the text.
    const text = this.#lines.join('\n');
    let [start, end] = [0, text.length];
    while (text[start] === '\n') start++;
    while (end > start && text[end - 1] === '\n') end--;
    const value = text.slice(start, end);
    return { value, isTruncated: this.#isFull };
  }

  get #isFull(): boolean {
    return this.#length > this.#maxCharacters;
  }

  #line(text: string): void {
    if (this.#isFull) return;
    const prefix = this.#firstPrefix ?? this.#prefix;
    this.#firstPrefix = null;
    const line = text === '' ? prefix.trimEnd() : prefix + text;
    this.#lines.push(line);
    this.#length += line.length + 1;
  }

  /** Writes a block of one or more lines. */
  #block(text: string): void {
    this.#begin();
    for (const line of text.split('\n')) this.#line(line);
    this.#needsEmptyLine = true;
  }

  #begin(): void {
    if (this.#needsEmptyLine) this.#line('');
    this.#needsEmptyLine = false;
  }

  /** Writes the children of an element: runs of inline elements are paragraphs. */
  blocks(parent: Element): void {
    let run: Node[] = [];
    let last = '';
    let isOtherList = false;
    const flush = (): void => {
      if (run.length > 0 && this.#paragraphs(run)) last = '';
      run = [];
    };
    for (let node = parent.firstChild; node !== null && !this.#isFull; node = node.nextSibling) {
      if (node.nodeType === 3) run.push(node);
      if (node.nodeType !== 1) continue;
      const element = node as Element;
      const name = element.localName;
      if (SKIPPED_ELEMENTS.has(name)) continue;
      if (isInline(element)) run.push(element);
      else {
        flush();
        // Another marker keeps two lists apart that follow each other.
        isOtherList = LISTS.has(name) && last === name && !isOtherList;
        if (LISTS.has(name)) this.#list(element, isOtherList);
        else this.#element(element, name);
        last = name;
      }
    }
    flush();
  }

  /** Writes inline nodes as paragraphs: two line breaks in a row begin another. Returns false if they have no text. */
  #paragraphs(nodes: readonly Node[]): boolean {
    const before = this.#lines.length;
    for (const text of inlineMarkdown(nodes).split(/\n\s*\n/)) {
      const lines = text
        .split('\n')
        .map(line => escapeLineStart(line.trim()))
        .filter(line => line !== '');
      // Two spaces at the end of a line break it.
      if (lines.length > 0) this.#block(lines.join('  \n'));
    }
    return this.#lines.length > before;
  }

  #element(element: Element, name: string): void {
    if (/^h[1-6]$/.test(name)) this.#heading(element, Number(name[1]));
    else if (name === 'li') this.#item(element, '- ');
    else if (name === 'pre') this.#code(element);
    else if (name === 'blockquote') this.#quote(element);
    else if (name === 'hr') this.#block('---');
    else if (name === 'table') this.#table(element);
    else if (name === 'figcaption') this.#caption(element);
    else this.blocks(element);
  }

  #heading(heading: Element, level: number): void {
    const text = oneLine(inlineMarkdown(heading.childNodes));
    if (text !== '') this.#block(`${'#'.repeat(level)} ${text.replace(/#+$/, '\\$&')}`);
  }

  #caption(caption: Element): void {
    if ([...caption.children].some(child => !isInline(child))) this.blocks(caption);
    else {
      const text = oneLine(inlineMarkdown(caption.childNodes, ['*']));
      if (text !== '') this.#block(`*${text}*`);
    }
  }

  #quote(quote: Element): void {
    this.#begin();
    this.#nested('> ', '> ', () => this.blocks(quote));
    this.#needsEmptyLine = true;
  }

  /** Writes what `write` writes, with a longer prefix. */
  #nested(first: string, rest: string, write: () => void): void {
    const outer = this.#prefix;
    if (this.#level++ < MAX_INDENTED_LEVELS) {
      this.#firstPrefix = (this.#firstPrefix ?? outer) + first;
      this.#prefix = outer + rest;
    }
    write();
    this.#firstPrefix = null;
    this.#prefix = outer;
    this.#needsEmptyLine = false;
    this.#level--;
  }

  #list(list: Element, isOther: boolean): void {
    // A list that does not begin with 1 cannot follow a paragraph directly.
    const follows = this.#level > 0 && (list.localName !== 'ol' || startOf(list) === 1);
    if (!follows || isOther) this.#begin();
    this.#needsEmptyLine = false;
    for (const item of list.children) {
      const marker = this.#markers.next(item);
      this.#item(item, isOther ? marker.replace('-', '*').replace('.', ')') : marker);
    }
    this.#needsEmptyLine = true;
  }

  #item(item: Element, marker: string): void {
    const first = this.#lines.length;
    this.#nested(marker, ' '.repeat(marker.length), () => this.blocks(item));
    const line = this.#lines[first];
    // The state of a task begins its item.
    if (line !== undefined && /^\s*\[[ x]\]\s/.test(item.textContent ?? ''))
      this.#lines[first] = line.replace(/\\\[([ x])\\\]/, '[$1]');
  }

  #code(pre: Element): void {
    const names = (pre.querySelector('code') ?? pre).getAttribute('class') ?? '';
    const language = /(?:^|\s)language-([\w+#.-]+)/.exec(names)?.[1] ?? '';
    const code = (pre.textContent ?? '').replace(/^\n+/, '').trimEnd();
    if (code !== '') this.#block(codeBlock(code, language));
  }

  #table(table: Element): void {
    const caption = table.querySelector(':scope > caption');
    if (caption !== null) this.blocks(caption);
    const rows = ownRows(table).map(row =>
      [...row.children].filter(({ localName }) => localName === 'td' || localName === 'th'),
    );
    const texts = rows.map(row => row.map(cellMarkdown));
    const width = Math.max(0, ...texts.map(row => row.length));
    const shown = texts.filter(row => row.some(text => text !== ''));
    const [head, ...body] = shown;
    if (head === undefined) return;
    const columns = Array.from({ length: width }, (_, at) => at);
    const line = (cells: readonly string[]): string =>
      `|${columns.map(at => ` ${cells[at] ?? ''}`.trimEnd()).join(' |')} |`;
    const rule = `| ${columns.map(at => alignmentOf(rows[0]?.[at])).join(' | ')} |`;
    this.#block([line(head), rule, ...body.map(line)].join('\n'));
  }
}

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ').trim();

function alignmentOf(cell: Element | undefined): string {
  const align = cell?.getAttribute('align')?.toLowerCase();
  return align === 'right' ? '---:' : align === 'center' ? ':---:' : '---';
}

/** Returns the content of a cell in one line; blocks and lines are separated by `<br>`. */
function cellMarkdown(cell: Element): string {
  const lines: string[] = [];
  addLines(cell, '', lines);
  const text = lines.join('<br>');
  return text.includes('|') ? text.replace(/(?<!\\)((?:\\\\)*)\|/g, '$1\\|') : text;
}

function addLines(parent: Element, marker: string, lines: string[]): void {
  let run: Node[] = [];
  let first = marker;
  const flush = (): void => {
    if (run.length === 0) return;
    for (const line of inlineMarkdown(run).split('\n')) {
      if (line.trim() === '') continue;
      lines.push(first + line.trim());
      first = '';
    }
    run = [];
  };
  const markers = new ListMarkers();
  for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
    const isInRun = node.nodeType === 3 || (node.nodeType === 1 && isInline(node as Element));
    if (isInRun) run.push(node);
    if (isInRun || node.nodeType !== 1) continue;
    flush();
    const element = node as Element;
    if (element.localName === 'pre')
      for (const line of (element.textContent ?? '').split('\n')) {
        if (line.trim() !== '') lines.push(codeSpan(line));
      }
    else if (element.localName === 'li') addLines(element, markers.next(element), lines);
    else addLines(element, first, lines);
  }
  flush();
}
