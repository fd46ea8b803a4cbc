/** Inline elements without white space between them that hold words of their own: `<span>Comedy</span><span>2026</span>`. */
import {
  characterData,
  closest,
  firstChild,
  getAttribute,
  localName,
  nextSibling,
  nodeType,
} from '../../dom/domGetters.ts';

/** Elements whose text is part of the word before it, or in which white space is content. */
const JOINED = 'sub,sup,code,pre,kbd,samp,var,wbr,ruby,rt';
/** Elements that are read on their own. */
const OWN_WORDS = new Set(['a', 'button', 'time', 'label']);
/** Number of nodes in which the first or last text of an element is searched. */
const MAX_NODES = 12;
/** Number of characters of a text that decide. */
const END_CHARACTERS = 4;
/** Matches the end of a text, and the beginning of the next one, between which a word ends. */
const WORD_BORDERS: readonly (readonly [RegExp, RegExp])[] = [
  [/[\p{Ll}\p{N})]$/u, /^\p{Lu}/u],
  [/[\p{L})]$/u, /^\p{N}/u],
  [/\p{N}$/u, /^\p{L}/u],
  [/\p{L}{2}:$/u, /^[\p{Lu}\p{N}]/u],
];
/** Single letters are parts of one word, which scripts move one by one. */
const LETTERS = /[\p{L}\p{N}]{2}$/u;
const LAST_LETTER = /[\p{L}\p{N}]$/u;
const FIRST_LETTER = /^[\p{L}\p{N}]/u;
const FIRST_LETTERS = /^[\p{L}\p{N}]{2}/u;

/**
 * Returns true if the text of `element` would continue the last word of the element before it, though both hold words of their own.
 * @param before the copy of the element before it
 * @param element an element of the live page
 */
export function joinsWords(before: Element, element: Element): boolean {
  const end = lastText(before).slice(-END_CHARACTERS);
  const start = firstText(element).slice(0, END_CHARACTERS);
  if (end === '' || start === '' || /\s$/.test(end) || /^\s/.test(start)) return false;
  const isOne = before.localName === localName(element);
  const isAlike = isOne && before.getAttribute('class') === getAttribute(element, 'class');
  const areOwn = OWN_WORDS.has(before.localName) && OWN_WORDS.has(localName(element));
  const isBorder =
    WORD_BORDERS.some(([last, first]) => last.test(end) && first.test(start)) ||
    ((isAlike || areOwn) && LETTERS.test(end) && FIRST_LETTERS.test(start));
  return isBorder && closest(element, JOINED) === null && before.closest(JOINED) === null;
}

/** Matches the end of a label and the beginning of its value, which stands in an element of its own. */
const LABEL = /\p{L}{2}:$/u;
const VALUE = /^[\p{Lu}\p{N}]/u;

/** Returns true if the text of `element` is the value of a label that ends `before`, and continues it without white space. */
export const followsLabel = (before: string, element: Element): boolean =>
  before.endsWith(':') &&
  LABEL.test(before.slice(-END_CHARACTERS)) &&
  VALUE.test(firstText(element)) &&
  closest(element, JOINED) === null;

/** Returns true if a text of the live page would continue the last word of the element before it. */
export const continuesWord = (before: Element, text: string): boolean =>
  FIRST_LETTER.test(text) && LAST_LETTER.test(lastText(before).slice(-END_CHARACTERS));

/** Returns the first text in an element of the live page that is not empty. */
function firstText(root: Element): string {
  let left = MAX_NODES;
  const search = (parent: Node): string => {
    for (let node = firstChild(parent); node !== null && left-- > 0; node = nextSibling(node)) {
      const found =
        nodeType(node) === 3 ? characterData(node as Text) : nodeType(node) === 1 ? search(node) : '';
      if (found !== '') return found;
    }
    return '';
  };
  return search(root);
}

/** Returns the last text in an element of a copy that is not empty. */
function lastText(root: Element): string {
  let left = MAX_NODES;
  const search = (parent: Node): string => {
    for (let node = parent.lastChild; node !== null && left-- > 0; node = node.previousSibling) {
      const found = node.nodeType === 3 ? (node as Text).data : node.nodeType === 1 ? search(node) : '';
      if (found !== '') return found;
    }
    return '';
  };
  return search(root);
}
