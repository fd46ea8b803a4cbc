/** Normalizes text: white space, length, quotes, ordinals. */

/**
 * Characters that scripts read but people do not see: private use (icon fonts), zero-width marks, control characters,
 * marks that reverse the direction of writing, and the tags and variation selectors from U+E0000 on, which can hide
 * whole sentences. Two joiners are not included: Persian words and emoji need them.
 */
const INVISIBLE_CHARACTERS =
  /[\uE000-\uF8FF\u200B\u200E\u200F\u2060-\u2064\u206A-\u206F\uFEFF\u00AD\u202A-\u202E\u2066-\u2069\uFFF9-\uFFFB]|(?!\s)\p{Cc}|[\u{E0000}-\u{E0FFF}]/gu;
const NEEDS_NORMALIZING = /\s\s|[^\S ]|^\s|\s$|[^\x20-\x7E\xC0-\u1FFF\u3000-\uD7FF]/;
/** `normalizeText` reads at most this many characters: no result is that long, and a hostile page must not cost more time. */
const MAX_TEXT_LENGTH = 20_000;

/** Collapses white space to single spaces and removes invisible characters. Reads at most 20,000 characters. */
export function normalizeText(text: string): string {
  if (text.length > MAX_TEXT_LENGTH) return normalizeText(text.slice(0, MAX_TEXT_LENGTH));
  if (!NEEDS_NORMALIZING.test(text)) return text;
  return text.replace(INVISIBLE_CHARACTERS, '').replace(/\s+/g, ' ').trim();
}

/** Cuts a text to at most `length` characters, with an ellipsis; at the end of a word if a word ends near the limit. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = text.slice(0, length - 1);
  const space = head.lastIndexOf(' ');
  return `${(space > length * 0.6 ? head.slice(0, space) : head).trimEnd()}…`;
}

/** Maximum length of one value in `ActionParam.values`. Characters. */
const MAX_CHOICE_LENGTH = 500;

/** Returns the label of an option as `ActionParam.values` contains it; a step can select the option by this text. */
export const choiceLabel = (label: string): string => truncate(normalizeText(label), MAX_CHOICE_LENGTH);

/** Puts text in double quotes, with single quotes for those inside it, so that text of the page cannot end the quotation. */
export const quote = (text: string): string => `"${text.replaceAll('"', "'")}"`;

/** Returns the ordinal: 1 → `1st`, 12 → `12th`. */
export function ordinal(number: number): string {
  const tens = number % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${suffix}`;
}
