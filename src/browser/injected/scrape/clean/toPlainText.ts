/** Converts sanitized HTML to plain text: blocks and line breaks start a new line, inline elements add nothing. */
import { needsParentheses, raisedText } from './readableText.ts';

/** The markers of the items of a document's lists. Ask for the items in document order. */
export class ListMarkers {
  /** The number of the next item of each ordered list. */
  readonly #numbers = new Map<Element, number>();

  /** Returns the marker of the next item: `3. ` in an ordered list, otherwise `- `. */
  next(item: Element): string {
    const list = item.parentElement;
    if (list?.localName !== 'ol') return '- ';
    const number = integerOf(item, 'value') ?? this.#numbers.get(list) ?? firstNumber(list);
    this.#numbers.set(list, number + (list.hasAttribute('reversed') ? -1 : 1));
    return `${number}. `;
  }
}

/** Gives each item of an ordered list its number as `value`. */
export function numberItems(list: Element): void {
  const markers = new ListMarkers();
  for (const item of list.children)
    if (item.localName === 'li') item.setAttribute('value', markers.next(item).replace('. ', ''));
}

/** Returns the number with which an ordered list begins, unless its first item has a value. */
const firstNumber = (list: Element): number =>
  integerOf(list, 'start') ?? (list.hasAttribute('reversed') ? itemCount(list) : 1);

/** Returns the number of the first item of an ordered list. */
export function startOf(list: Element): number {
  const first = list.querySelector(':scope > li');
  return (first === null ? null : integerOf(first, 'value')) ?? firstNumber(list);
}

function integerOf(element: Element, attribute: string): number | null {
  const number = Number.parseInt(element.getAttribute(attribute) ?? '', 10);
  return Number.isNaN(number) ? null : number;
}

function itemCount(list: Element): number {
  let count = 0;
  for (let child = list.firstElementChild; child !== null; child = child.nextElementSibling)
    if (child.localName === 'li') count++;
  return count;
}

const BLOCK_ELEMENTS = new Set(
  'address article aside blockquote body canvas caption dd details div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hr legend li main menu nav ol option p pre section summary table tbody tfoot thead tr ul video audio'.split(
    ' ',
  ),
);

/**
 * Converts sanitized HTML to lines without surrounding white space (except in `pre`), with at most one empty line between two lines. The
 * first line of a list item begins with `- ` or its number.
 */
export function toPlainText(root: Element): string {
  const out = new PlainTextBuilder();
  const markers = new ListMarkers();
  const stack: { node: Node; leaving: boolean; pre: boolean }[] = [
    { node: root, leaving: false, pre: false },
  ];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { node, pre } = top;
    if (node.nodeType === 3) out.text((node as Text).data, pre);
    if (node.nodeType !== 1) continue;
    const name = (node as Element).localName;
    const own = top.leaving || pre ? null : ownText(node as Element);
    if (own !== null) {
      out.text(own, false);
      continue;
    }
    if (name === 'li' && !top.leaving) out.startItem(markers.next(node as Element));
    else if (BLOCK_ELEMENTS.has(name) || name === 'br') out.newLine();
    else if (top.leaving && (name === 'td' || name === 'th')) out.tab();
    if (name === 'li' && top.leaving) out.endItem();
    if (top.leaving || name === 'br') continue;
    stack.push({ node, leaving: true, pre });
    for (let child = node.lastChild; child !== null; child = child.previousSibling)
      stack.push({ node: child, leaving: false, pre: pre || name === 'pre' });
  }
  return out.toString();
}

/** Returns the text of an element that its characters alone would not tell: of raised digits, of a formula in TeX; null for others. */
function ownText(element: Element): string | null {
  const name = element.localName;
  if (name === 'sup' || name === 'sub') return raisedText(element);
  if (name === 'rt' && needsParentheses(element)) return `(${element.textContent ?? ''})`;
  if (name === 'img') return symbolText(element);
  const tex = name === 'math' ? element.getAttribute('alttext') : null;
  if (tex === null || tex === '') return null;
  return element.getAttribute('display') === 'block' ? `$$${tex}$$` : `$${tex}$`;
}

const EMOJI = /^[\p{Extended_Pictographic}\p{Emoji_Component}\s]+$/u;

/** Returns the text alternative of a picture that is an emoji, or all that a cell of a table shows; null for others. */
function symbolText(picture: Element): string | null {
  const alt = picture.getAttribute('alt') ?? '';
  if (EMOJI.test(alt) && !/^[\d#*\s]+$/.test(alt)) return alt;
  const cell = picture.closest('td,th');
  return cell === null || /\S/.test(cell.textContent ?? '') ? null : alt;
}

/** A text of a list item that begins with a marker of its own: a bullet, a dash or a number. */
const OWN_MARKER = /^\s*(?:[-*‐-―•‣◦●○■□▪▫·]|\d{1,4}[.)](?!\d))/;

/** Joins pieces of text to one plain text; white space between two pieces counts once. */
class PlainTextBuilder {
  readonly #parts: string[] = [];
  /** True if the text ends with white space, so that no more is added. */
  #endsWithSpace = true;
  /** The marker of a list item of which no text has come yet. */
  #marker: string | null = null;

  /** Begins a list item on a new line, without an empty one before it. The marker stands before its first text. */
  startItem(marker: string): void {
    if (this.#parts.at(-1) !== '\n') this.newLine();
    this.#marker = marker;
  }

  endItem(): void {
    this.#marker = null;
  }

  text(data: string, pre: boolean): void {
    if (data === '') return;
    const run = pre ? data : data.replace(/\s+/g, ' ');
    const kept = this.#endsWithSpace && !pre ? run.trimStart() : run;
    if (kept === '') return;
    if (this.#marker !== null && kept.trim() !== '') {
      if (!OWN_MARKER.test(kept)) this.#parts.push(this.#marker);
      this.#marker = null;
    }
    this.#parts.push(kept);
    this.#endsWithSpace = /\s$/.test(kept);
  }

  newLine(): void {
    // The first block of a list item stands beside its marker.
    if (this.#marker !== null) return;
    this.#parts.push('\n');
    this.#endsWithSpace = true;
  }

  tab(): void {
    this.#parts.push('\t');
    this.#endsWithSpace = true;
  }

  /** Returns the text. The patterns cannot start within a run of spaces, so a long run is scanned once, in linear time. */
  toString(): string {
    return this.#parts
      .join('')
      .replace(/(?<![ \u00a0])[ \u00a0]+\t/g, '\t')
      .replace(/(?<![ \t\u00a0])[ \t\u00a0]+\n/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  }
}
