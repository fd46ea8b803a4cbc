/** Plain text: folding, cutting, words out of identifiers. */

/**
 * What is read but not seen: private use (icon fonts), zero-width marks, controls, marks that turn the direction of
 * writing round, and the tags and selectors behind U+E0000, in which whole sentences can be hidden from people.
 * The two joiners stay: Persian words and emoji are spelt with them.
 */
const INVISIBLE_CHARACTERS =
  /[\uE000-\uF8FF\u200B\u200E\u200F\u2060-\u2064\u206A-\u206F\uFEFF\u00AD\u202A-\u202E\u2066-\u2069\uFFF9-\uFFFB]|(?!\s)\p{Cc}|[\u{E0000}-\u{E0FFF}]/gu;
const NEEDS_NORMALIZING = /\s\s|[^\S ]|^\s|\s$|[^\x20-\x7E\xC0-\u1FFF\u3000-\uD7FF]/;
/** Nothing that is folded is told at a greater length; what a hostile page has beyond it is not read. Characters. */
const MAX_TEXT_LENGTH = 20_000;

/** White space folded to single spaces; what cannot be seen dropped. */
export function normalizeText(text: string): string {
  if (text.length > MAX_TEXT_LENGTH) return normalizeText(text.slice(0, MAX_TEXT_LENGTH));
  if (!NEEDS_NORMALIZING.test(text)) return text;
  return text.replace(INVISIBLE_CHARACTERS, '').replace(/\s+/g, ' ').trim();
}

/** At most `length` characters, cut at a word where one ends near the limit, with an ellipsis. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = text.slice(0, length - 1);
  const space = head.lastIndexOf(' ');
  return `${(space > length * 0.6 ? head.slice(0, space) : head).trimEnd()}…`;
}

/** Characters of one of the values that an action takes. */
const MAX_CHOICE_LENGTH = 500;

/** A choice as it is told, and as it may be named then. */
export const choiceLabel = (label: string): string => truncate(normalizeText(label), MAX_CHOICE_LENGTH);

/** In quotes that the text cannot close: what stands behind them is never the page's word. */
export const quote = (text: string): string => `"${text.replaceAll('"', "'")}"`;

/** Words that name a widget's plumbing rather than its meaning. */
const GENERIC_WORDS = new Set(
  (
    'ui icon icons btn button link item items widget state default corner all active hover focus visited ' +
    'fa fas far fab fal mdi md glyphicon material svg img image wrap wrapper container inner outer content ' +
    'col row cell box js is has css sc jsx el element js-click clickable handle helper clearfix draggable ' +
    'droppable sortable resizable selected disabled enabled hidden visible ' +
    'div span a b i li td tr lg sm xs xl px py mx my mt mb ml mr pt pb pl pr flex grid block inline'
  ).split(' '),
);

/** Characters. */
const MAX_IDENTIFIER_LENGTH = 1_000;

/** `btn-trash_can` → `trash can`; empty when only plumbing or noise is left. */
export function identifierWords(identifier: string): string {
  const words = identifier
    .slice(0, MAX_IDENTIFIER_LENGTH)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[\s_\-:./]+/)
    .filter(word => word !== '' && !isGenericWord(word));
  return words.join(' ').toLowerCase();
}

const isGenericWord = (word: string): boolean =>
  GENERIC_WORDS.has(word.toLowerCase()) ||
  word.length > 24 ||
  /^\d+$/.test(word) ||
  /\d[a-z]+\d|^[a-z]{0,3}\d{3,}/i.test(word);

/** The file's name without folder, query and ending: `/img/trash_16.png?x` → `trash 16`. */
export function fileNameWords(address: string): string {
  if (address.startsWith('data:')) return '';
  const file = address.split(/[?#]/)[0]?.split('/').pop() ?? '';
  return identifierWords(file.replace(/\.[a-z0-9]+$/i, ''));
}

/** 1 → `1st`, 12 → `12th`. */
export function ordinal(number: number): string {
  const tens = number % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${suffix}`;
}
