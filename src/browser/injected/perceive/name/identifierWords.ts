/** Extracts words from identifiers: class names, ids, file names. */
import { attributeText, getAttribute, localName } from '../../dom/domGetters.ts';
import { normalizeText, quote, truncate } from '../element/plainText.ts';
import { accessibleName } from './accessibleName.ts';

const MAX_LABEL_LENGTH = 100;

/** Returns the label of an element that covers another one: `div "We use cookies"`, `div "overlay"`. */
export function briefLabel(element: Element): string {
  const tag = localName(element);
  const name = truncate(accessibleName(element, tag, false), MAX_LABEL_LENGTH);
  const id = truncate(
    normalizeText(getAttribute(element, 'id') ?? getAttribute(element, 'class') ?? ''),
    MAX_LABEL_LENGTH,
  );
  const words = name || id;
  // The name of a custom element is a word of the page too.
  const noun = tag.includes('-') ? 'element' : tag;
  return words === '' ? noun : `${noun} ${quote(words)}`;
}

/** Returns the accessible name or the `name` attribute of an iframe; empty if it has neither. */
export const frameName = (element: Element): string =>
  truncate(
    accessibleName(element, localName(element), false) || attributeText(element, 'name'),
    MAX_LABEL_LENGTH,
  );

/** Words that name the technical parts of a widget, not its meaning. */
const GENERIC_WORDS = new Set(
  (
    'id ui icon icons btn button link item items widget state default corner all active hover focus visited ' +
    'fa fas far fab fal mdi md glyphicon material svg img image wrap wrapper container inner outer content ' +
    'col row cell box js is has css sc jsx el element js-click clickable handle helper clearfix draggable ' +
    'droppable sortable resizable selected disabled enabled hidden visible ' +
    'div span a b i li td tr lg sm xs xl px py mx my mt mb ml mr pt pb pl pr flex grid block inline ' +
    'w h rotate translate mui ant anticon rc ag fc el chakra mantine lucide bi ri tabler base root wave layout size small medium large edge ' +
    'primary secondary outlined contained filled standard inherit absolute relative liquid unbalanced scroller scroll ' +
    'scrollable virtual noscroll component wrapped ltr rtl ' +
    'v notranslate odd even react aria radix headlessui downshift styled typography label'
  ).split(' '),
);
/** Matches class names that a style library makes from a hash: `css-1ab2c3`, `sc-bdVaJa`, `svelte-x1y2`. */
const GENERATED_CLASS =
  /^(css|sc|jsx|jss|svelte|emotion|astro|r|c)-[a-z0-9]*([0-9A-Z][a-z0-9]*|[b-df-hj-np-tv-z]{3,}.*)$/i;

/** Matches class names that state sizes, colors and what a framework knows of an element: `MuiSvgIcon-fontSizeMedium`, `ng-scope`. */
const STATE_CLASS =
  /^Mui[A-Z]\w*-(?:fontSize|textSize|size|color)[A-Z]\w*$|^ng-(?:scope|isolate-scope|binding|pristine|dirty|touched|untouched|valid|invalid|empty|not-empty|hide|star-inserted|animating|tns-.*)$/;

/** Matches the class names with which the library Emotion marks components; only beside one that begins with `css-`. */
const EMOTION_TARGET = /^e[a-z0-9]{5,9}\d$/;
/** Matches the ids that React, Vue and Bits UI make: `:r2c:`, `«r2c»`, `_r_2c_`, `v-0-1`, `bits-c2`. */
const GENERATED_ID =
  /:[rR][0-9a-z]{0,5}:|«[rR][0-9a-z]{0,5}»|_[rR]_[0-9a-z]{0,5}_|\bv(?:-\d+)+\b|\bbits-[a-z]\d+\b/g;

const MAX_IDENTIFIER_LENGTH = 1_000;
const MAX_WORD_LENGTH = 24;
const MAX_CLASS_WORDS = 4;

/** Returns the telling words of an identifier in lower case: `btn-trash_can` → `trash can`. */
export function identifierWords(identifier: string): string {
  const words = identifier
    .slice(0, MAX_IDENTIFIER_LENGTH)
    .replace(GENERATED_ID, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[\s_\-:./]+/)
    .filter(word => word !== '' && !isGenericWord(word));
  return words.join(' ').toLowerCase();
}

const isGenericWord = (word: string): boolean =>
  GENERIC_WORDS.has(word.toLowerCase()) ||
  word.length > MAX_WORD_LENGTH ||
  /^\d+$/.test(word) ||
  /\d[a-z]+\d|^[a-z]{0,3}\d{3,}/i.test(word) ||
  // Letters and digits mixed, other than a number at the end: part of a hash.
  (word.length > 4 && /\d/.test(word) && !/^[a-z]+\d{1,2}$/i.test(word));

/** Returns the meaningful words of the file name in a URL: `/img/trash_16.png?x` → `trash`. Empty for `data:` URLs. */
export function fileNameWords(url: string): string {
  if (url.startsWith('data:')) return '';
  const file = url.split(/[?#]/)[0]?.split('/').pop() ?? '';
  return identifierWords(file.replace(/\.[a-z0-9]+$/i, ''));
}

/** Returns the words of the last part of an address that has any: of its path, else of its fragment. */
export function addressWords(url: string): string {
  const [path = '', fragment = ''] = url.replace(/\?[^#]*/, '').split('#');
  return fileNameWords(path.replace(/\/+$/, '')) || identifierWords(fragment);
}

export function classWords(element: Element): string {
  const names = (getAttribute(element, 'class') ?? '').trim().split(/\s+/);
  const isEmotion = names.some(name => name.startsWith('css-'));
  // `p-icon p-times`: the letter of a library, not a word.
  const isLettered =
    names.length > 1 && names.every(name => /^[a-z]-/.test(name) && name[0] === names[0]?.[0]);
  const words = names
    .filter(
      name =>
        !GENERATED_CLASS.test(name) && !STATE_CLASS.test(name) && !(isEmotion && EMOTION_TARGET.test(name)),
    )
    .map(name => (isLettered ? name.slice(2) : name).replace(/__[A-Za-z0-9-]{5,}$/, ''))
    .flatMap(name => identifierWords(name).split(' '));
  return [...new Set(words)]
    .filter(word => word !== '')
    .slice(0, MAX_CLASS_WORDS)
    .join(' ');
}

/** Returns the meaningful words of an element's id. An id that is a pair of coordinates (`(3,4)`) stays unchanged. */
export const idWords = (element: Element): string => {
  const id = getAttribute(element, 'id') ?? '';
  return /^[(\-\d.,\s)]+$/.test(id) ? id : identifierWords(id);
};
