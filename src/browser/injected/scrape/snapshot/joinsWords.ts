/** Inline elements without white space between them that hold words of their own: `<span>Comedy</span><span>2026</span>`. */
import { isLetter, isLowerCase, isNumber, isUpperCase, isWordCharacter } from '../../dom/characters.ts';
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
/** Signs with which a price begins. */
const CURRENCIES = '$€£¥₹';
/** Number of nodes in which the first or last text of an element is searched. */
const MAX_NODES = 12;
/** Number of characters of a text that decide. */
const END_CHARACTERS = 4;

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
  // Single letters are parts of one word, which scripts move one by one.
  const areWords =
    isWordCharacter(end.at(-1)) &&
    isWordCharacter(end.at(-2)) &&
    isWordCharacter(start[0]) &&
    isWordCharacter(start[1]);
  const isBorder = endsWord(end, start[0]) || ((isAlike || areOwn) && areWords);
  return isBorder && closest(element, JOINED) === null && before.closest(JOINED) === null;
}

/** Returns true if a word ends between the end of a text and the first character of the next one. */
function endsWord(end: string, next: string | undefined): boolean {
  const last = end.at(-1);
  return (
    ((isLowerCase(last) || isNumber(last) || last === ')') && isUpperCase(next)) ||
    ((isLetter(last) || last === ')') && isNumber(next)) ||
    (isNumber(last) && isLetter(next)) ||
    ((isLetter(last) || isNumber(last)) && next !== undefined && CURRENCIES.includes(next)) ||
    isLabelled(end, next)
  );
}

/** Returns true if a label ends, and its value begins. */
const isLabelled = (end: string, next: string | undefined): boolean =>
  end.endsWith(':') && isLetter(end.at(-2)) && isLetter(end.at(-3)) && (isUpperCase(next) || isNumber(next));

/** Returns true if the text of `element` is the value of a label that ends `before`, and continues it without white space. */
export const followsLabel = (before: string, element: Element): boolean =>
  before.endsWith(':') && isLabelled(before, firstText(element)[0]) && closest(element, JOINED) === null;

/** Returns true if a text of the live page would continue the last word of the element before it. */
export const continuesWord = (before: Element, text: string): boolean =>
  isWordCharacter(text[0]) && isWordCharacter(lastText(before).at(-1));

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
