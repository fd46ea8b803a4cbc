/** Writes inline elements of sanitized HTML as Markdown: emphasis, links, pictures, code, formulas. */
import { normalizeLines } from '../../../../domain/space/pageText.ts';
import { needsParentheses } from './readableText.ts';

/** Matches TeX that a page shows as it is: in `$$…$$`, `\(…\)`, `\[…\]`, in an environment, or in `$…$` if it has a command, an index or a power. */
const TEX =
  /\$\$[^$]{1,2000}\$\$|\\\((?:[^\\]|\\(?!\))){1,2000}?\\\)|\\\[(?:[^\\]|\\(?!\])){1,2000}?\\\]|\\begin\{([a-z]{1,12}\*?)\}(?:[^\\]|\\(?!end\{)){1,4000}\\end\{\1\}|\$(?=[^\s$])(?=[^$\n]{0,500}(?:\\[a-zA-Z]|[\^_]))[^$\n]{1,500}(?<=\S)\$(?!\d)/g;
/** Characters with a meaning wherever they stand. A tilde has one only beside another. */
const ALWAYS = /[\\`*[\]]|~(?=~)|(?<=~)~/g;
/** An underscore inside a word has no meaning. */
const UNDERSCORE = /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
/** The beginning of a tag, of a comment or of an address in angle brackets; the beginning of an entity. */
const TAG = /<(?=[a-z/!?])|&(?=#?\w{1,31};)/gi;

function escapeMarkdown(text: string): string {
  if (!/[\\`*_[\]<&~$]/.test(text)) return text;
  let escaped = '';
  let from = 0;
  for (const match of text.matchAll(TEX)) {
    const inner = match[0].replace(/^\\\(\s*|\s*\\\)$/g, '$').replace(/^\\\[|\\\]$/g, '$$$$');
    if (!/[\\^_]/.test(inner)) continue;
    escaped += escapePlain(text.slice(from, match.index)) + inner;
    from = match.index + match[0].length;
  }
  return escaped + escapePlain(text.slice(from));
}

const escapePlain = (text: string): string =>
  text.replace(ALWAYS, '\\$&').replace(UNDERSCORE, '\\_').replace(TAG, '\\$&');

/** Escapes what would begin another block at the start of a line: a heading, a list, a quote, a fence, a rule. */
export const escapeLineStart = (line: string): string =>
  line
    .replace(/^(#{1,6}(?=\s|$)|[-+](?=\s|$)|>|[=-]+(?=\s*$)|-{3,}|~{3,})/, '\\$1')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
    .replace(/^\|/, '\\|')
    .replace(/^(:?-+:?)(?=\s*\|)/, '\\$1');

/** Returns a URL as the target of a link: in angle brackets if it has characters that would end it. */
function markdownUrl(url: string): string {
  const safe = url.replace(/[\s<>|\\`]/g, encodeURIComponent).replace(/\*/g, '%2A');
  return /[()]/.test(safe) && !hasPairs(safe) ? safe.replace(/[()]/g, '\\$&') : safe;
}

function hasPairs(text: string): boolean {
  let open = 0;
  for (const sign of text) {
    if (sign === '(') open++;
    if (sign === ')' && --open < 0) return false;
  }
  return open === 0;
}

/** Returns a code span: its fence is longer than any run of backticks in it. */
export function codeSpan(text: string): string {
  const code = text.replace(/\s+/g, ' ').trim();
  if (code === '') return '';
  const fence = '`'.repeat(longestRun(code) + 1);
  const space = /^`|`$/.test(code) ? ' ' : '';
  return `${fence}${space}${code}${space}${fence}`;
}

/** Returns a block of code whose fence is longer than any run of backticks in it. */
export function codeBlock(code: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(code) + 1));
  return `${fence}${language}\n${code}\n${fence}`;
}

const longestRun = (text: string): number => {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
};

/** Elements of a line of text; all others begin a block. */
const INLINE_ELEMENTS = new Set(
  'a abbr acronym area audio b bdi bdo big br button cite code data del dfn em font i img input ins kbd label map mark math meter nobr output picture progress q rp rt ruby s samp small source span strike strong sub sup svg time track tt u var video wbr'.split(
    ' ',
  ),
);
const SKIPPED_ELEMENTS = new Set('script style template source track'.split(' '));
const CODE_ELEMENTS = new Set('code kbd samp tt'.split(' '));
const SIGNS: Readonly<Record<string, string>> = {
  b: '**',
  strong: '**',
  em: '*',
  i: '*',
  cite: '*',
  dfn: '*',
  del: '~~',
  s: '~~',
  strike: '~~',
};

/** Returns true if an element is part of a line: it is inline and contains no block. */
export function isInline(element: Element): boolean {
  if (!INLINE_ELEMENTS.has(element.localName)) return false;
  if (element.localName === 'math') return true;
  for (let child = element.firstElementChild; child !== null; child = child.nextElementSibling)
    if (!isInline(child)) return false;
  return true;
}

/** The end of a text that is longer than this is kept apart, and so many characters of it. */
const MAX_END_CHARACTERS = 2_000;
const KEPT_CHARACTERS = 200;

/** Writes one run of inline nodes. */
class InlineWriter {
  /** The text but for its end: to read the end of a text takes as long as the text is. */
  readonly #before: string[] = [];
  #out = '';
  /** The signs of the emphasis around the current text; the same does not nest. */
  readonly #open: string[];

  /** True for the content of an inline element: the white space at its beginning counts. */
  readonly #isInner: boolean;

  constructor(open: readonly string[], isInner: boolean) {
    this.#open = [...open];
    this.#isInner = isInner;
  }

  /** The text so far; a line break is `\n`, white space counts once. */
  get text(): string {
    return this.#before.join('') + this.#out;
  }

  add(node: Node): void {
    if (node.nodeType === 3) this.#text((node as Text).data);
    else if (node.nodeType === 1) this.#element(node as Element);
    if (this.#out.length <= MAX_END_CHARACTERS) return;
    this.#before.push(this.#out.slice(0, -KEPT_CHARACTERS));
    this.#out = this.#out.slice(-KEPT_CHARACTERS);
  }

  #text(data: string): void {
    // Characters that nobody sees must not hide a sign.
    const text = normalizeLines(data).replace(/[ \t\n\r\f]+/g, ' ');
    const isStart = this.#out === '' ? !this.#isInner : /\s$/.test(this.#out);
    const shown = isStart ? text.trimStart() : text;
    this.#out += escapeMarkdown(shown);
  }

  #children(element: Element): void {
    for (let child = element.firstChild; child !== null; child = child.nextSibling) this.add(child);
  }

  #element(element: Element): void {
    const name = element.localName;
    if (SKIPPED_ELEMENTS.has(name)) return;
    const sign = SIGNS[name];
    if (sign !== undefined) this.#emphasis(element, sign);
    else if (name === 'br') this.#out = `${this.#out.replace(/ +$/, '')}\n`;
    else if (name === 'a') this.#link(element);
    else if (name === 'img') this.#image(element);
    else if (CODE_ELEMENTS.has(name)) this.#code(element);
    else if (name === 'math') this.#formula(element);
    else if (name === 'sub' || name === 'sup') this.#raised(element, name);
    else if (name === 'rt' && needsParentheses(element)) this.#wrapped(element, '(', ')');
    else if (name === 'video' || name === 'audio') this.#media(element);
    else this.#children(element);
  }

  #wrapped(element: Element, before: string, after: string): void {
    this.#out += before;
    this.#children(element);
    this.#out += after;
  }

  /** Returns the Markdown of an element's children alone. */
  #inner(element: Element, sign: string): string {
    const inner = new InlineWriter(sign === '' ? this.#open : [...this.#open, sign], true);
    inner.#children(element);
    return inner.text;
  }

  #emphasis(element: Element, sign: string): void {
    if (this.#open.includes(sign)) {
      this.#children(element);
      return;
    }
    const inner = this.#inner(element, sign);
    // Not by one pattern: it would try each of the spaces of a long run again.
    const text = inner.trim();
    const before = inner.slice(0, inner.length - inner.trimStart().length);
    const after = text === '' ? '' : inner.slice(inner.trimEnd().length);
    if (text === '') {
      this.#space(before + after);
      return;
    }
    this.#space(before);
    const next = after !== '' ? ' ' : textAfter(element);
    // Emphasis directly after the same is its continuation.
    if (before === '' && this.#out.endsWith(sign) && this.#lastSign === sign) {
      this.#out = this.#out.slice(0, -sign.length) + text + sign;
    } else this.#out += emphasized(this.#out.at(-1) ?? '', text, next, sign);
    this.#lastSign = this.#out.endsWith(sign) ? sign : '';
    this.#space(after);
  }
  /** The sign that ends the text, if emphasis ends there. */
  #lastSign = '';

  /** Adds white space, once. A line break counts more than a space. */
  #space(space: string): void {
    if (space.includes('\n')) this.#out = `${this.#out.replace(/ +$/, '')}\n`;
    else if (space !== '' && !/(^|\s)$/.test(this.#out)) this.#out += ' ';
  }

  #code(element: Element): void {
    const copy = element.cloneNode(true) as Element;
    for (const lineBreak of copy.querySelectorAll('br')) lineBreak.replaceWith('\u2028');
    const lines = (copy.textContent ?? '').split('\u2028').map(codeSpan);
    const code = lines.filter(line => line !== '').join('\n');
    // A backtick before it would make the fence longer.
    if (code !== '') this.#out += this.#out.endsWith('`') ? ` ${code}` : code;
  }

  #link(link: Element): void {
    const inner = this.#inner(link, '').replace(/\n+/g, ' ');
    const text = inner.trim();
    const url = link.getAttribute('href') ?? '';
    if (text === '') {
      this.#space(inner);
      return;
    }
    if (/^\s/.test(inner)) this.#space(' ');
    if (url === '' || this.#open.includes('a')) this.#out += text;
    // An exclamation mark before it would make it a picture.
    else this.#out = `${this.#out.replace(/!$/, '\\!')}[${text}](${markdownUrl(url)})`;
    if (/\s$/.test(inner)) this.#space(' ');
  }

  #image(image: Element): void {
    const url = image.getAttribute('src') ?? '';
    const alt = escapeMarkdown((image.getAttribute('alt') ?? '').replace(/\s+/g, ' ').trim());
    const title = (image.getAttribute('title') ?? '').replace(/\s+/g, ' ').trim().replace(/["\\]/g, '\\$&');
    if (url !== '') this.#out += `![${alt}](${markdownUrl(url)}${title === '' ? '' : ` "${title}"`})`;
  }

  #media(media: Element): void {
    const url = media.getAttribute('src') ?? media.querySelector('source[src]')?.getAttribute('src') ?? '';
    const name = media.getAttribute('aria-label') ?? media.getAttribute('title') ?? '';
    const text = escapeMarkdown(name.replace(/\s+/g, ' ').trim());
    if (url !== '') this.#out += `[${text === '' ? media.localName : text}](${markdownUrl(url)})`;
  }

  /** TeX stays as it is; other formulas are text, which `prepareForMarkdown` has made of them. */
  #formula(formula: Element): void {
    const tex = formula.getAttribute('alttext') ?? '';
    if (tex === '') {
      this.#children(formula);
      return;
    }
    const sign = formula.getAttribute('display') === 'block' ? '$$' : '$';
    this.#out += `${sign}${tex.replace(/\s+/g, ' ').trim()}${sign}`;
  }

  /** Markdown has no sign for them: without their tags `10<sup>3</sup>` would be another number. */
  #raised(element: Element, name: string): void {
    const text = this.#inner(element, '').trim();
    if (text !== '') this.#out += `<${name}>${text}</${name}>`;
  }
}

const PUNCTUATION = /[\p{P}\p{S}]/u;
const isSpace = (sign: string): boolean => sign === '' || /\s/.test(sign);

/**
 * Returns a text between two signs of emphasis. By the rules of CommonMark (left- and right-flanking runs) a sign beside punctuation and a
 * letter neither opens nor closes: then the punctuation stands outside.
 * @param before the character before it; empty at the start
 * @param next the character after it; empty at the end
 */
function emphasized(before: string, text: string, next: string, sign: string): string {
  const opens = isSpace(before) || PUNCTUATION.test(before);
  const closes = isSpace(next) || PUNCTUATION.test(next);
  const lead = opens ? '' : (/^(?:\\?[\p{P}\p{S}])+/u.exec(text)?.[0] ?? '');
  const rest = text.slice(lead.length);
  const tail = closes ? '' : (/(?:\\?[\p{P}\p{S}])+$/u.exec(rest)?.[0] ?? '');
  const inner = rest.slice(0, rest.length - tail.length);
  // A link or code at the edge ends with punctuation that must not be cut off.
  const isCut =
    /[[`<*]/.test(lead) || /[`>*]/.test(tail) || (tail.includes(')') && /\]\([^\s()]*\)+$/.test(text));
  if (inner.trim() === '' || isCut) return text;
  const mark = sign === '*' && before === '*' && closes ? '_' : sign;
  return `${lead}${mark}${inner}${mark}${tail}`;
}

/** Returns the first character of the text after an element in the same line; empty if there is none. */
function textAfter(element: Element): string {
  for (let node = element.nextSibling; node !== null; node = node.nextSibling) {
    if (node.nodeType === 1 && !isInline(node as Element)) return '';
    if (node.nodeType === 1 && (node as Element).localName === 'br') return '';
    const text = node.textContent ?? '';
    if (text !== '') return text[0] ?? '';
  }
  const parent = element.parentElement;
  return parent !== null && INLINE_ELEMENTS.has(parent.localName) ? textAfter(parent) : '';
}

/** Returns the Markdown of a run of inline nodes; a line break is `\n`. */
export function inlineMarkdown(nodes: Iterable<Node>, open: readonly string[] = []): string {
  const writer = new InlineWriter(open, false);
  for (const node of nodes) writer.add(node);
  return writer.text;
}
