/** Compares the text that a step entered with what the field holds: pages format what is entered. */

/** Matches a number with a currency, groups and decimals: `1,234.50`, `€ 12`, `60 %`. */
const NUMBER = /^[\s$€£¥]*([-+]?[\d,' ]*\d(?:\.\d+)?)[\s$€£¥%]*$/;
/** A date needs at least this many digits to be recognized in another order: `2026-03-09` and `03/09/2026`. */
const MIN_DATE_DIGITS = 6;

/**
 * Returns true if a field that holds `held` has kept `entered`: the same text but for case, spaces and punctuation, where no words are joined; the
 * same number or date, or the text with a prefix or an ending (a country code, a completed word).
 * @param before what the field held before; `entered` added to it is not the same value
 */
export function isSameValue(entered: string, held: string, before: string): boolean {
  if (entered.trim() === held.trim()) return true;
  const [one, other] = [numberOf(entered), numberOf(held)];
  if (one !== null && other !== null)
    return (
      one === other || (lettersAndDigits(entered) === lettersAndDigits(held) && keepsDecimals(entered, held))
    );
  const [text, heldText, textBefore] = [entered, held, before].map(lettersAndDigits) as [
    string,
    string,
    string,
  ];
  // A text without letters and digits, such as `->`, was compared as a whole; an empty one is kept only by an empty field.
  if (text === '') return false;
  const holdsWords = held.toLowerCase().includes(entered.trim().toLowerCase());
  if (!holdsWords && joinsWords(entered, held)) return false;
  if (text === heldText) return true;
  const isAdded = textBefore !== '' && (heldText === textBefore + text || heldText === text + textBefore);
  if (!isAdded && (heldText.startsWith(text) || heldText.endsWith(text))) return true;
  return isSameDate(entered, held);
}

/** Returns false if the lines of a text were joined, in a field of one line with nothing between them. */
export function keepsLines(entered: string, held: string, isOneLine: boolean): boolean {
  const lines = linesOf(entered);
  if (lines.length < 2) return true;
  if (!isOneLine)
    return linesOf(held).length >= lines.length || lettersAndDigits(held) !== lettersAndDigits(entered);
  return !hasJoined(lines, held, () => true);
}

/**
 * Returns true if a space between letters is gone, with nothing in its place. A code, which is grouped, has no small letters, or three groups or more of
 * one length but for the last: `abcd efgh ijkl`.
 */
const joinsWords = (entered: string, held: string): boolean =>
  /\p{Ll}/u.test(entered) &&
  !isGrouped(entered.trim().split(/\s+/)) &&
  hasJoined(
    entered.toLowerCase().trim().split(/\s+/),
    held.toLowerCase(),
    (one, next) => /\p{L}$/u.test(one) && /^\p{L}/u.test(next),
  );

const isGrouped = (groups: readonly string[]): boolean =>
  groups.length > 2 && groups.slice(0, -1).every(({ length }) => length === groups[0]?.length);

/** Returns true if a text has all parts up to two that follow each other with nothing between them, where they may not. */
function hasJoined(
  parts: readonly string[],
  text: string,
  areApart: (one: string, next: string) => boolean,
): boolean {
  let at = 0;
  for (const [nth, part] of parts.entries()) {
    const start = text.indexOf(part, at);
    if (start < 0) return false;
    const before = parts[nth - 1];
    if (before !== undefined && start === at && areApart(before, part)) return true;
    at = start + part.length;
  }
  return false;
}

/** Returns true if a field of several lines holds nothing of one of the lines that a step entered: not even its longest word. */
export function lacksLine(entered: string, held: string): boolean {
  const lines = linesOf(entered);
  const text = lettersAndDigits(held);
  return lines.length > 1 && lines.some(line => !text.includes(longestWordOf(line)));
}

const longestWordOf = (line: string): string =>
  line
    .split(/\s+/)
    .map(lettersAndDigits)
    .reduce((longest, word) => (word.length > longest.length ? word : longest), '');

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');

export const lettersAndDigits = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Returns false if 3.3 became 33, or 1234.5 became 12,345. The separator may be a comma, but not one between groups. */
function keepsDecimals(entered: string, held: string): boolean {
  const [, whole] = /^\D*([\d, ']*)\.\d/.exec(entered) ?? [];
  if (whole === undefined) return true;
  const parts = held.split(/[.,](?=\d+\D*$)/);
  return parts.length === 2 && digitsOf(parts[0] ?? '') === digitsOf(whole);
}

const digitsOf = (text: string): string => text.replace(/\D/g, '');

function numberOf(text: string): number | null {
  const match = NUMBER.exec(text.trim());
  return match?.[1] === undefined ? null : Number(match[1].replace(/[,' ]/g, ''));
}

function isSameDate(one: string, other: string): boolean {
  const [digits, otherDigits] = [one, other].map(text => [...text.replace(/\D/g, '')].sort().join(''));
  const hasOnlyDigits = !/\p{L}/u.test(one + other);
  if (hasOnlyDigits && digits === otherDigits && (digits ?? '').length >= MIN_DATE_DIGITS) return true;
  const date = Date.parse(one);
  return /\d{4}/.test(one) && !Number.isNaN(date) && date === Date.parse(other);
}
