/** Plain text: folding, cutting, words out of identifiers. */

const UNFOLDED = /\s\s|[^\S ]|^\s|\s$|[\uE000-\uF8FF\u200B\u2060\uFEFF\u00AD]/;

/** White space folded to single spaces, private-use characters (icon fonts) and zero-width marks dropped. */
export function fold(text: string): string {
  if (!UNFOLDED.test(text)) return text;
  return text
    .replace(/[\uE000-\uF8FF\u200B\u2060\uFEFF\u00AD]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** At most `length` characters, cut at a word where one ends near the limit, with an ellipsis. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = text.slice(0, length - 1);
  const space = head.lastIndexOf(' ');
  return `${(space > length * 0.6 ? head.slice(0, space) : head).trimEnd()}…`;
}

/** Words that name a widget's plumbing rather than its meaning. */
const PLUMBING = new Set(
  (
    'ui icon icons btn button link item items widget state default corner all active hover focus visited ' +
    'fa fas far fab fal mdi md glyphicon material svg img image wrap wrapper container inner outer content ' +
    'col row cell box js is has css sc jsx el element js-click clickable handle helper clearfix draggable ' +
    'droppable sortable resizable selected disabled enabled hidden visible ' +
    'div span a b i li td tr lg sm xs xl px py mx my mt mb ml mr pt pb pl pr flex grid block inline'
  ).split(' '),
);

/** `btn-trash_can` → `trash can`; empty when only plumbing or noise is left. */
export function wordsOf(identifier: string): string {
  const words = identifier
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[\s_\-:./]+/)
    .filter(word => word !== '' && !isNoise(word));
  return words.join(' ').toLowerCase();
}

const isNoise = (word: string): boolean =>
  PLUMBING.has(word.toLowerCase()) ||
  word.length > 24 ||
  /^\d+$/.test(word) ||
  /\d[a-z]+\d|^[a-z]{0,3}\d{3,}/i.test(word);

/** The file's name without folder, query and ending: `/img/trash_16.png?x` → `trash 16`. */
export function fileWords(address: string): string {
  if (address.startsWith('data:')) return '';
  const file = address.split(/[?#]/)[0]?.split('/').pop() ?? '';
  return wordsOf(file.replace(/\.[a-z0-9]+$/i, ''));
}

/** 1 → `1st`, 12 → `12th`. */
export function ordinal(number: number): string {
  const tens = number % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${suffix}`;
}
