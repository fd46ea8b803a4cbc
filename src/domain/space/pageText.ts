/**
 * Encodes text that comes from a page. Every such text passes through this file before a response, a failure, the store or the
 * log contains it: on one line, well-formed, without characters that people cannot see, and inside quotes that it cannot close.
 */

/** Stands in place of a secret. Its length says nothing about the secret. */
export const MASK = '••••••••';

/** Sequences that terminals obey (ECMA-48): colors, movements of the cursor, window titles. */
const TERMINAL_SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these sequences begin with control characters.
  /(?:\x1B\[|\x9B)[0-?]*[ -/]*[@-~]|\x1B\][^\x07\x1B]*(?:\x07|\x1B\\)/g;

/** Scripts whose words need the joiners U+200C and U+200D between their letters. */
const JOINING_SCRIPTS =
  'Arabic Syriac Nko Mandaic Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Tibetan'
    .split(' ')
    .map(script => `\\p{Script=${script}}`)
    .join('');

/** Characters that are needed where they stand: joiners inside words and emoji, variation selectors of emoji and keycaps. */
const NEEDED_MARKS = [
  `(?<=[${JOINING_SCRIPTS}])[\\u200C\\u200D](?=[${JOINING_SCRIPTS}])`,
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\uFE0F?)\\u200D(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Extended_Pictographic})[\\uFE0E\\uFE0F]',
  '(?<=[0-9#*])\\uFE0F(?=\\u20E3)',
].join('|');

/**
 * Characters that scripts read but people do not see: control characters, marks of writing direction, zero-width characters, tags,
 * variation selectors, blank letters, private use (icon fonts), halves of surrogate pairs, and code points that are no characters.
 */
const INVISIBLE =
  '(?!\\s)\\p{Cc}|\\p{Default_Ignorable_Code_Point}|\\p{Co}|\\p{Cs}|\\p{Noncharacter_Code_Point}|[\\u2800\\u{1D159}\\uFFF9-\\uFFFC]';
const JOINERS = /\u200C|\u200D|\uFE0E|\uFE0F/;
const expressions = new Map<string, RegExp>();
/** Creates an expression when it is needed first: those with classes of Unicode take milliseconds, in each document again. */
const expressionOf = (source: string): RegExp => {
  const expression = expressions.get(source) ?? new RegExp(source, 'gu');
  expressions.set(source, expression);
  return expression;
};
/** A mark at the beginning would combine with the quote before it. */
const LEADING_MARKS = /^[\p{M}\s]+/u;

/** Visible characters of the most common scripts, with single spaces: most texts, so that they are tested first. */
const COMMON_CHARACTERS =
  '!-~\\u00A1-\\u00AC\\u00AE-\\u02FF\\u0370-\\u0482\\u048A-\\u0590\\u2010-\\u2027\\u2030-\\u205E\\u20A0-\\u20BF\\u2100-\\u214F\\u2190-\\u23FF\\u3001-\\u3029\\u3041-\\u3096\\u30A0-\\u3130\\u3400-\\u9FFF\\uAC00-\\uD7A3';
const PLAIN_TEXT = new RegExp(`^(?:[${COMMON_CHARACTERS}]+(?: [${COMMON_CHARACTERS}]+)*)?$`);

/** White space of most texts; not U+FEFF, which is white space in expressions but an invisible character in texts. */
const COMMON_SPACE = /[ \t\n\r\f\u00A0]+/g;

/** `normalizeText` reads at most this many characters: no result is that long, and a hostile page must not cost more time. */
const MAX_TEXT_LENGTH = 20_000;

/**
 * Returns the text on one line: white space and line breaks (U+0085, U+2028, U+2029 included) become single spaces, invisible
 * characters and terminal sequences are removed. Reads at most 20,000 characters.
 */
export function normalizeText(text: string): string {
  if (text.length > MAX_TEXT_LENGTH) return normalizeText(cutText(text, MAX_TEXT_LENGTH));
  if (text === '' || PLAIN_TEXT.test(text)) return text;
  const collapsed = text.replace(COMMON_SPACE, ' ').trim();
  if (PLAIN_TEXT.test(collapsed)) return collapsed;
  return removeInvisible(text.replaceAll('\u0085', ' '))
    .replace(/\s+/g, ' ')
    .replace(LEADING_MARKS, '')
    .trimEnd();
}

/** Returns the text with its line breaks and tabs, without invisible characters. For values of fields and long texts in JSON. */
export function normalizeLines(text: string): string {
  if (PLAIN_TEXT.test(text)) return text;
  return removeInvisible(text.replace(/\r\n?|[\u0085\u2028\u2029\v\f]/g, '\n'));
}

function removeInvisible(text: string): string {
  const shown = text.replace(TERMINAL_SEQUENCES, '');
  if (!JOINERS.test(shown)) return shown.replace(expressionOf(INVISIBLE), '');
  const expression = expressionOf(`(${NEEDED_MARKS})|${INVISIBLE}`);
  return shown.replace(expression, (_, needed?: string) => needed ?? '');
}

/** Returns the first `length` UTF-16 units; one fewer where that would cut a surrogate pair, which strict JSON parsers refuse. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const isPairCut =
    /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(length));
  return text.slice(0, isPairCut ? length - 1 : length);
}

/**
 * Returns the JSON with U+FFFD in place of each half of a surrogate pair, which strict parsers refuse, and with escaped line separators.
 * @param json text that `JSON.stringify` has written: it escapes halves, in lower case, and nothing else from this range
 */
export const wellFormedJson = (json: string): string =>
  escapeLineSeparators(
    json.includes('\\ud')
      ? json.replace(/\\\\|\\ud[89a-f][0-9a-f]{2}/g, found => (found === '\\\\' ? found : '\uFFFD'))
      : json,
  );

/** Escapes the line separators of JSON at which some programs (Python's `splitlines`) would cut a server-sent event or a line of a log in two. */
export const escapeLineSeparators = (json: string): string =>
  LINE_SEPARATORS.some(separator => json.includes(separator))
    ? json.replace(/[\u0085\u2028\u2029]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : json;

/** Searched one by one before any is replaced: that is much faster than a regular expression, which looks at each character. */
const LINE_SEPARATORS = ['\u0085', '\u2028', '\u2029'];

/** Serializes a value as well-formed JSON: no text in it keeps half of a surrogate pair. */
export const toWellFormedJson = (value: unknown): string => wellFormedJson(JSON.stringify(value));

/** Cuts a text to at most `length` UTF-16 units, with an ellipsis; at the end of a word if a word ends near the limit. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = cutText(text, length - 1);
  const space = head.lastIndexOf(' ');
  return `${(space > length * 0.6 ? head.slice(0, space) : head).replace(/(?:\u200C|\u200D|\s)+$/, '')}…`;
}

/** As `truncate`, for a text that contains quotations: closes the one that the cut leaves open. */
export function truncateQuoting(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = truncate(text, length - 1);
  return cut.split('"').length % 2 === 0 ? `${cut}"` : cut;
}

/** Puts a text of a page on one line and in double quotes, those in it as single ones: it cannot end the quotation. */
export const quote = (text: string): string => `"${normalizeText(text).replace(/["\u02BA\uFF02]/g, "'")}"`;

/** Length of the beginning that such texts keep. Characters. */
const HEAD_LENGTH = 20;
/** A difference is shown from the start of its word, unless the word begins further before it. Characters. */
const MAX_WORD_START = 12;

/**
 * Returns the shown form of each text that is longer than `maxLength`. Those that look the same when they are cut there have up to `maxTelling` characters,
 * or, if that shows no difference, their beginning and the part in which they differ: `Refurbished phone … 128 GB, black`.
 */
export function tellingTexts(
  texts: Iterable<string>,
  maxLength: number,
  maxTelling: number,
): ReadonlyMap<string, string> {
  const shown = new Map<string, string>();
  for (const text of texts) if (text.length > maxLength) shown.set(text, truncate(text, maxLength));
  for (const group of sameShown(shown.keys(), text => shown.get(text) ?? text)) {
    const longer = (text: string): string => truncate(text, maxTelling);
    for (const text of group) shown.set(text, longer(text));
    for (const same of sameShown(group, longer)) tellApart(same, maxTelling, shown);
  }
  return shown;
}

const sameShown = (
  texts: Iterable<string>,
  shownOf: (text: string) => string,
): readonly (readonly string[])[] =>
  [...Map.groupBy(texts, shownOf).values()].filter(({ length }) => length > 1);

function tellApart(group: readonly string[], maxLength: number, shown: Map<string, string>): void {
  const start = differenceOf(group);
  const shownOf = (text: string): string => {
    const head = headOf(text);
    return `${head} … ${truncate(text.slice(start).trimStart(), maxLength - head.length - 3)}`;
  };
  for (const text of group) shown.set(text, shownOf(text));
  for (const same of sameShown(group, shownOf)) tellApart(same, maxLength, shown);
}

/** Returns the beginning of a text, up to the end of a word if one ends near. */
function headOf(text: string): string {
  const head = cutText(text, HEAD_LENGTH);
  const space = head.lastIndexOf(' ');
  return space > HEAD_LENGTH / 2 ? head.slice(0, space) : head.trimEnd();
}

/** Returns the place from which texts differ, at the start of a word. */
function differenceOf([first = '', ...others]: readonly string[]): number {
  let length = first.length;
  for (const other of others) {
    let same = 0;
    while (same < length && first[same] === other[same]) same++;
    length = same;
  }
  const word = first.lastIndexOf(' ', length - 1) + 1;
  if (length - word <= MAX_WORD_START) return word;
  // Half of a surrogate pair is no character.
  return /[\uDC00-\uDFFF]/.test(first.charAt(length)) ? length - 1 : length;
}
