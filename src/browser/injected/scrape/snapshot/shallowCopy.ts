/** Copies one element of the page, without its children, into the inert document. */
import { isLetter, isLowerCase, isNumber, isUpperCase, isWordCharacter } from '../../dom/characters.ts';
import * as dom from '../../dom/domGetters.ts';
import { closest, firstChild, getAttribute, localName, nextSibling, nodeType } from '../../dom/domGetters.ts';
import { isSecretField } from '../../dom/secretFields.ts';
import { sanitizeInlineStyle } from '../clean/sanitizeHtml.ts';
import { nameOfQuestion } from './collapsedParts.ts';
import { isUrlAttribute, resolveLazySource, rewriteUrlAttribute } from './urlAttributes.ts';

/**
 * Copies the current value, checked or selected state of a form control to its copy. Removes the value of a password or
 * one-time-code field and of a file input. Does nothing for other elements.
 */
function copyFormState(original: Element, copy: Element): void {
  if (isSecretField(original)) {
    copy.removeAttribute('value');
    copy.textContent = '';
    return;
  }
  switch (localName(original)) {
    case 'input':
      copyInputState(original as HTMLInputElement, copy);
      break;
    case 'textarea':
      copy.textContent = (original as HTMLTextAreaElement).value;
      break;
    case 'option':
      copy.toggleAttribute('selected', (original as HTMLOptionElement).selected);
      break;
  }
}

function copyInputState(original: HTMLInputElement, copy: Element): void {
  const type = original.type;
  if (type === 'checkbox' || type === 'radio') copy.toggleAttribute('checked', original.checked);
  else if (type === 'file') copy.removeAttribute('value');
  else {
    const value = original.value;
    if (value !== '' || copy.hasAttribute('value')) copy.setAttribute('value', value);
  }
}

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
function joinsWords(before: Element, element: Element): boolean {
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
const followsLabel = (before: string, element: Element): boolean =>
  before.endsWith(':') && isLabelled(before, firstText(element)[0]) && closest(element, JOINED) === null;

/** Returns true if a text of the live page would continue the last word of the element before it. */
const continuesWord = (before: Element, text: string): boolean =>
  isWordCharacter(text[0]) && isWordCharacter(lastText(before).at(-1));

/** Returns the first text in an element of the live page that is not empty. */
function firstText(root: Element): string {
  let left = MAX_NODES;
  const search = (parent: Node): string => {
    for (let node = firstChild(parent); node !== null && left-- > 0; node = nextSibling(node)) {
      const found = nodeType(node) === 3 ? (node as Text).data : nodeType(node) === 1 ? search(node) : '';
      if (found !== '') return found;
    }
    return '';
  };
  return search(root);
}

/** Returns the last texts in an element of a copy, so many that they have `length` characters without the white space around them, if there are. */
function lastText(root: Element, length = 1): string {
  let left = MAX_NODES;
  let found = '';
  const search = (parent: Node): void => {
    for (let node = parent.lastChild; node !== null && left-- > 0; node = node.previousSibling) {
      if (node.nodeType === 3) found = (node as Text).data + found;
      else if (node.nodeType === 1) search(node);
      if (found.trim().length >= length) return;
    }
  };
  search(root);
  return found;
}

/** Returns the first texts in an element of the live page, so many that they have `MAX_PRICE_SOURCE` characters, if there are. */
function priceText(root: Element): string {
  let left = MAX_PRICE_NODES;
  let found = '';
  const search = (parent: Node): void => {
    for (let node = firstChild(parent); node !== null && left-- > 0; node = nextSibling(node)) {
      if (nodeType(node) === 3) found += (node as Text).data;
      else if (nodeType(node) === 1) search(node);
      if (found.length >= MAX_PRICE_SOURCE) return;
    }
  };
  search(root);
  return found;
}

export const INLINE_ELEMENTS = new Set(
  'a abbr b button cite code del em i ins label mark s small span strong time u'.split(' '),
);
const PHRASING_PARENTS = new Set('p span a h1 h2 h3 h4 h5 h6 em strong b i button label'.split(' '));
/** Elements whose id and name become properties of their form, where they would shadow the DOM members that the scraper calls. */
const LISTED_CONTROLS = new Set('button fieldset input object output select textarea img'.split(' '));

/** Old elements for text as it is written: the sanitizer would remove them with their text. */
const WRITTEN_AS_IS = new Set('xmp plaintext listing'.split(' '));

/** The alignment of a cell, which Markdown keeps. */
const ALIGNMENT = /text-align:\s*(right|center)/i;

/** Maximum number of attributes of one element; those after the first 200 are dropped. */
const MAX_ATTRIBUTES = 200;
/** Maximum length of an attribute; a longer one is dropped. */
const MAX_ATTRIBUTE_CHARACTERS = 100_000;

/**
 * Copies an element without its children: URLs are absolute, form controls have their current value, and attributes that
 * load something are removed. In the inert document custom elements are not upgraded, and images do not load.
 * @param into the copy's future parent
 * @param base base URL of the element's document
 * @param document the inert document
 * @param fullPage true to keep inline style and the names and ids of form controls
 */
export function shallowCopy(
  element: Element,
  into: Element,
  base: string,
  document: Document,
  fullPage: boolean,
): Element {
  const name = dom.localName(element);
  const renamed = nameInCopy(element, name, into, fullPage);
  const own = document.importNode(element, false);
  // Each access to an attribute searches all of them. `attributes` creates an object for each element; its names do not.
  const few = own.getAttributeNames().length <= MAX_ATTRIBUTES ? own : limitAttributes(own);
  const copy = renamed === null ? few : copyWithName(renamed, few, document);
  if (name === 'input' || name === 'textarea' || name === 'option') copyFormState(element, copy);
  if (name === 'img') {
    removeLongAttributes(copy);
    const image = element as HTMLImageElement;
    resolveLazySource(copy, base, image.currentSrc, image.naturalWidth);
  }
  const listed = LISTED_CONTROLS.has(name);
  for (const attribute of copy.getAttributeNames()) {
    // Names on images and frames would shadow members of the copy's document.
    if (attribute === 'name' && (!listed || name === 'img' || !fullPage)) copy.removeAttribute(attribute);
    else if (attribute === 'id' && listed && !fullPage) copy.removeAttribute(attribute);
    else if (attribute === 'style' && !fullPage) {
      const align = /^t[dh]$/.test(name) ? ALIGNMENT.exec(copy.getAttribute('style') ?? '')?.[1] : undefined;
      if (align !== undefined) copy.setAttribute('align', align);
      copy.removeAttribute(attribute);
    } else copyAttribute(copy, attribute, base);
  }
  return copy;
}

/** Bounds an attribute, makes its URL absolute, and removes white space around it. */
function copyAttribute(copy: Element, name: string, base: string): void {
  const value = copy.getAttribute(name) ?? '';
  if (value.length > MAX_ATTRIBUTE_CHARACTERS) copy.removeAttribute(name);
  else if (isUrlAttribute(name)) rewriteUrlAttribute(copy, name, base);
  else {
    if (name !== 'value' && value !== value.trim()) copy.setAttribute(name, value.trim());
    if (name === 'style') sanitizeInlineStyle(copy);
  }
}

/** Drops the attributes after the first `MAX_ATTRIBUTES`. */
function limitAttributes(copy: Element): Element {
  const few = copy.ownerDocument.createElementNS(copy.namespaceURI, creatableName(copy.localName));
  for (let left = MAX_ATTRIBUTES; left > 0; left--)
    few.setAttributeNode(copy.removeAttributeNode(copy.attributes[0] as Attr));
  return few;
}

function removeLongAttributes(copy: Element): void {
  for (const name of copy.getAttributeNames())
    if ((copy.getAttribute(name)?.length ?? 0) > MAX_ATTRIBUTE_CHARACTERS) copy.removeAttribute(name);
}

/** Returns the name if createElementNS accepts it, otherwise `span`: the HTML parser accepts more names. */
const creatableName = (name: string): string => (/^[a-z][\w.-]*$/i.test(name) ? name : 'span');

/** Returns the element's name in the copy; null to keep the original name. */
function nameInCopy(element: Element, name: string, into: Element, fullPage: boolean): string | null {
  if (name === 'form') return fullPage ? 'div' : null;
  if (name === 'dialog' || name === 'object') return 'div';
  if (WRITTEN_AS_IS.has(name)) return 'pre';
  if (name === 'code' && isBlockOfCode(element, into)) return 'pre';
  if (name === 'button' && !fullPage) return nameOfQuestion(element);
  if (!name.includes('-') || dom.namespaceURI(element) !== 'http://www.w3.org/1999/xhtml') return null;
  // The sanitizer removes unknown elements but keeps their text, which would then run together with its neighbours.
  if (PHRASING_PARENTS.has(dom.localName(into))) return 'span';
  const { display } = getComputedStyle(element);
  return display.startsWith('inline') || display === 'contents' ? 'span' : 'div';
}

/** Returns true for a `code` whose style makes it a block that keeps its lines. */
function isBlockOfCode(element: Element, into: Element): boolean {
  const style = getComputedStyle(element);
  const isBlock = style.display === 'block' || style.display === 'flex' || style.display === 'grid';
  return (
    isBlock &&
    style.getPropertyValue('white-space-collapse') === 'preserve' &&
    dom.closest(into, 'pre') === null
  );
}

function copyWithName(name: string, element: Element, document: Document): Element {
  const copy = document.createElement(name);
  for (const { name: key, value } of element.attributes)
    if (/^[a-z][\w:.-]*$/i.test(key)) copy.setAttribute(key, value);
  return copy;
}

/**
 * Adds a space before the copy of an inline element that only style separates from the text before it: `<a>One</a><a>Two</a>`
 * in a flex row, or with a margin; a line break if it is a line of code.
 */
export function insertSeparator(element: Element, copy: Element, into: Element): void {
  if (!INLINE_ELEMENTS.has(copy.localName)) return;
  const before = dom.lastChild(into);
  if (before === null) return;
  if (isLineBelow(element, copy)) {
    dom.appendText(into, ' ');
    dom.appendChild(into, into.ownerDocument.createElement('br'));
    return;
  }
  if (before.nodeType === 3) {
    if (followsLabel((before as Text).data, element)) dom.appendText(into, ' ');
    return;
  }
  if (before.nodeType !== 1 || !INLINE_ELEMENTS.has((before as Element).localName)) return;
  const isBroken = !isInline(element);
  if (!isBroken && !joinsWords(before as Element, element) && !endsLine(dom.previousSibling(element))) return;
  if (dom.closest(into, 'pre') === null) dom.appendText(into, ' ');
  // In code a space is one that the page has.
  else if (isBroken && isBelow(element)) dom.appendText(into, lineBreakAfter(before));
}

/** Returns true for a box that begins below the element before it. */
function isBelow(element: Element): boolean {
  const above = dom.previousElementSibling(element);
  return above !== null && dom.boxOf(element).top >= dom.boxOf(above).bottom - 1;
}

/** Inline elements that style can make lines of a text, such as those of a poem. */
const LINES = new Set('b cite em i small span strong'.split(' '));

/** Returns true for an inline element that style shows as a line of its own in a block, below another one. */
function isLineBelow(element: Element, copy: Element): boolean {
  if (!LINES.has(copy.localName)) return false;
  const before = dom.previousSibling(element);
  const isSpace = before !== null && nodeType(before) === 3 && !/\S/.test((before as Text).data);
  const above = isSpace ? dom.previousSibling(before) : before;
  if (above === null || nodeType(above) !== 1 || !LINES.has(localName(above as Element))) return false;
  const { display, position, cssFloat } = getComputedStyle(element);
  const isInFlow = !/absolute|fixed/.test(position) && cssFloat === 'none';
  if (display !== 'block' || !isInFlow || closest(element, JOINED) !== null) return false;
  const parent = dom.parentElement(element);
  if (parent === null || getComputedStyle(parent).display.startsWith('inline')) return false;
  const [own, other] = [dom.boxOf(element), dom.boxOf(above as Element)];
  return own.height > 0 && other.height > 0 && own.top >= other.bottom - 1 && own.left < other.right;
}

/**
 * Appends the copy of the cents of a price after a point, in the line of the digits before them.
 * @returns false, without doing it, for any other element
 */
export function appendCents(element: Element, copy: Element, into: Element): boolean {
  if (!isCents(element, into)) return false;
  // `1.299` has a point already.
  const point = /\d\.\d{3}\s*$/.test(lastText(into, '0.000'.length)) ? ',' : '.';
  joinLine(into);
  const cents = into.appendChild(toInline(copy));
  cents.textContent = `${point}${priceText(element).trim()}`;
  return true;
}

/** Makes the parts of a price one line: its boxes become inline, and the white space at their borders goes. */
function joinLine(price: Element, isBox = false): void {
  for (const node of [...price.childNodes]) {
    if (node.nodeType === 1)
      joinLine(toInline(node as Element), !INLINE_ELEMENTS.has((node as Element).localName));
    if (node.nodeType !== 3) continue;
    const text = node as Text;
    text.data =
      isBox || !/\S/.test(text.data)
        ? text.data.trim()
        : text.data.replace(/\s+$/, node === price.lastChild ? '' : ' ');
  }
}

/** Returns a box, or if it is no inline element, what replaces it. */
function toInline(box: Element): Element {
  if (INLINE_ELEMENTS.has(box.localName)) return box;
  const inline = copyWithName('span', box, box.ownerDocument);
  inline.append(...box.childNodes);
  box.replaceWith(inline);
  return inline;
}

const CURRENCY = /[$€£¥₹₽]|\b(?:USD|EUR|GBP|CHF|kr|zł|Kč)\b/;
/** A longer text around two digits is not one price. Characters. */
const MAX_PRICE_CHARACTERS = 24;
/** Number of characters, with white space of the source, and of nodes that are read around two digits. */
const MAX_PRICE_SOURCE = 400;
const MAX_PRICE_NODES = 50;
const ENDS_WITH_DIGIT = /\d\s*$/;

/** The cents of a price, and its currency if that stands below or after them. */
const CENTS = /^\s*\d\d\s*(?:[$€£¥₹₽]\s*)?$/;

/** Returns true for the two digits of a price that only their size or height tells from those before them: `$`, `24`, `99`. */
function isCents(element: Element, into: Element): boolean {
  const price = dom.parentElement(element);
  if (price === null || !CENTS.test(priceText(element)) || !ENDS_WITH_DIGIT.test(lastText(into)))
    return false;
  const whole = wholeBefore(element, price);
  if (whole === null) return false;
  const around = priceText(price);
  const outer = dom.parentElement(price);
  const hasCurrency =
    CURRENCY.test(around) ||
    (outer !== null && CURRENCY.test(priceText(outer).slice(0, MAX_PRICE_CHARACTERS)));
  if (!hasCurrency || around.trim().length > MAX_PRICE_CHARACTERS) return false;
  const [own, other] = [getComputedStyle(innermost(element)), getComputedStyle(whole)];
  const [box, wholeBox] = [dom.boxOf(element), dom.boxOf(whole)];
  // A box below the other is a line of its own.
  if (box.top >= wholeBox.bottom) return false;
  return (
    Number.parseFloat(own.fontSize) < Number.parseFloat(other.fontSize) ||
    /super|top/.test(own.verticalAlign) ||
    box.top < wholeBox.top
  );
}

/** Returns the first of the innermost elements in an element; itself if there is none. */
function innermost(element: Element): Element {
  const first = dom.firstElementChild(element);
  return first === null ? element : innermost(first);
}

/** Returns the element with the digits before the cents of a price: one beside them, or the price itself. */
function wholeBefore(cents: Element, price: Element): Element | null {
  let before = dom.previousSibling(cents);
  for (let left = MAX_NODES; before !== null && left > 0; left--, before = dom.previousSibling(before)) {
    if (nodeType(before) === 1 && ENDS_WITH_DIGIT.test(priceText(before as Element)))
      return before as Element;
    if (nodeType(before) === 3 && ENDS_WITH_DIGIT.test((before as Text).data)) return price;
  }
  return null;
}

/** The code of the last character of ASCII that is white space. */
const SPACE = 32;

/** Adds a space before the copy of a text that only style separates from the inline element before it: `<b style="display: block">Title</b>Text`. */
export function insertTextSeparator(text: Text, data: string, into: Element): void {
  if (data.charCodeAt(0) <= SPACE) return;
  const before = dom.lastElementChild(into);
  if (before === null || before !== dom.lastChild(into) || !INLINE_ELEMENTS.has(before.localName)) return;
  if (continuesWord(before, data) && endsLine(dom.previousSibling(text)) && dom.closest(into, 'pre') === null)
    dom.appendText(into, ' ');
}

const lineBreakAfter = (line: Node): string => ((line.textContent ?? '').endsWith('\n') ? '' : '\n');

/** Returns true for an element that style makes a box of its own, so that its text ends with it. */
const endsLine = (node: Node | null): boolean =>
  node !== null && dom.nodeType(node) === 1 && !isInline(node as Element);

function isInline(element: Element): boolean {
  const { display } = getComputedStyle(element);
  return display === 'inline' || display === 'contents';
}
