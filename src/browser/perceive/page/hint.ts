/** What to call an element that has no accessible name: what an eye would see, as far as markup knows it. */
import { colorName, isColorWord } from './color.ts';
import type { Found } from './found.ts';
import { visibleText } from './name.ts';
import {
  boxOf,
  characters,
  composedParent,
  firstElementChild,
  getAttribute,
  hasAttribute,
  isElement,
  localName,
  nextSibling,
  nodeType,
  parentNode,
  previousSibling,
  queryAllIn,
  queryIn,
} from './native.ts';
import { isShape, shapeWord } from './shape.ts';
import { cut, fileWords, fold, wordsOf } from './text.ts';

const MOST_CHARACTERS = 60;
const MOST_REGION_WORDS = 40;

/** A name that the page does not say. */
export interface Hint {
  /** Words from the page; they do not change under the pointer. */
  readonly stem: string;
  /** The colour of a filled box; empty for what has none. */
  readonly look: string;
}

/** The best hint there is, in words; empty if there is none at all. */
export function hintFor(found: Found): Hint {
  const stem = stemFor(found);
  const { element, tag, style } = found;
  if (found.letter === 'I' || found.control === 'canvas' || isShape(tag) || tag === 'g')
    return { stem, look: '' };
  // A button's own grey says nothing.
  const look = found.basis === 'control' && stem !== '' ? '' : lookOf(element, style);
  return { stem, look };
}

function stemFor(found: Found): string {
  const { element, tag } = found;
  const written =
    fold(getAttribute(element, 'title') ?? '') ||
    fold(getAttribute(element, 'data-title') ?? '') ||
    fold(getAttribute(element, 'data-tooltip') ?? '') ||
    fold(getAttribute(element, 'alt') ?? '');
  if (written !== '') return written;
  if (found.control === 'slider') return wordsOf(getAttribute(element, 'name') ?? '') || sliderWords(element);
  if (found.letter === 'I') return fieldHint(element, tag);
  if (isShape(tag) || tag === 'g') return textInShape(element, tag);
  return boxHint(found);
}

/** The text beside a field without a label, its name or id. */
function fieldHint(element: Element, tag: string): string {
  const beside = textBeside(
    element,
    tag === 'input' && /^(checkbox|radio)$/.test(getAttribute(element, 'type') ?? ''),
  );
  return beside || wordsOf(getAttribute(element, 'name') ?? '') || identifierWords(element);
}

/** A slider's handle is called after its track, or the label just before that. */
function sliderWords(handle: Element): string {
  const track = composedParent(handle);
  if (track === null) return '';
  const label = fold(getAttribute(track, 'aria-label') ?? getAttribute(track, 'title') ?? '');
  return label || identifierWords(track) || identifierWords(handle);
}

function boxHint(found: Found): string {
  const { element } = found;
  const side = /(?:^|\s)ui-resizable-([nsew]{1,2})(?:\s|$)/.exec(getAttribute(element, 'class') ?? '')?.[1];
  if (side !== undefined) return `resize handle ${side}`;
  const own = classWords(element);
  const words =
    (own === '' ? '' : wrapped(element, own)) ||
    iconWords(element) ||
    dataWords(element) ||
    wordsOf(getAttribute(element, 'id') ?? '');
  return cut(words, MOST_CHARACTERS);
}

/** Boxes whose sides differ by less are one box to the eye. CSS pixels. */
const SAME_BOX = 6;

/** A region that has no title: its own words, else where it begins. */
export function regionHint(element: Element): string {
  return classWords(element) || identifierWords(element) || cut(visibleText(element), MOST_REGION_WORDS);
}

/** For a sign on a button: what the markup calls it. */
export const signWords = (element: Element): string =>
  cut(classWords(element) || dataWords(element) || identifierWords(element), MOST_CHARACTERS);

/** The class words of a box, and those of the box just around it, if to the eye they are one. */
function wrapped(element: Element, words: string): string {
  const around = composedParent(element);
  if (around === null) return words;
  const more = classWords(around)
    .split(' ')
    .filter(word => !words.includes(word));
  if (more.join('') === '') return words;
  const [inner, outer] = [boxOf(element), boxOf(around)];
  const apart = Math.abs(inner.width - outer.width) + Math.abs(inner.height - outer.height);
  return apart < SAME_BOX ? `${more.join(' ')} ${words}` : words;
}

/** `large red circle`: colour and kind of a drawn shape; its class or id word when there is one. */
export function shapeLook(element: Element, tag: string, style: CSSStyleDeclaration): string {
  const word = shapeWord(element, tag) ?? (tag === 'g' ? groupWord(element) : 'shape');
  const color = shapeColor(element, tag, style);
  const identifier = classWords(element) || identifierWords(element);
  const extra = identifier !== '' && !identifier.includes(word) ? identifier : '';
  return [color ?? '', word, extra].filter(part => part !== '').join(' ');
}

/** The colour that is seen: its fill, or its line where it is hollow. The author's own word for it if there is one. */
export function shapeColor(element: Element, tag: string, style: CSSStyleDeclaration): string | null {
  const isLine = tag === 'line' || tag === 'polyline';
  for (const property of isLine ? (['stroke', 'fill'] as const) : (['fill', 'stroke'] as const)) {
    const written = authorsWord(element, property);
    if (written !== null) return written;
    const computed = style[property];
    const name = computed === 'none' ? null : colorName(computed);
    if (name !== null) return name;
  }
  return null;
}

function authorsWord(element: Element, property: string): string | null {
  const inline = new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([a-z]+)\\s*(?:;|$)`).exec(
    getAttribute(element, 'style') ?? '',
  );
  const written = inline?.[1] ?? getAttribute(element, property);
  return isColorWord(written) ? written : null;
}

function groupWord(group: Element): string {
  const first = firstElementChild(group);
  return first === null ? 'shape' : (shapeWord(first, localName(first)) ?? 'shape');
}

/** Words drawn on a shape: in its group, or in a text whose middle lies in its box. */
function textInShape(element: Element, tag: string): string {
  if (tag === 'text') return '';
  const parent = composedParent(element);
  if (parent === null) return '';
  const box = boxOf(element);
  const texts = Array.from(queryAllIn(parent, 'text')).slice(0, 60);
  const inGroup = localName(parent) === 'g' && texts.length === 1 ? texts[0] : undefined;
  const inside = texts.filter(text => {
    const { left, top, width, height } = boxOf(text);
    const x = left + width / 2;
    const y = top + height / 2;
    return x > box.left && x < box.right && y > box.top && y < box.bottom;
  });
  const only = inGroup ?? (inside.length === 1 ? inside[0] : undefined);
  return only === undefined ? '' : cut(visibleText(only), MOST_CHARACTERS);
}

/** The colour of a box that is filled, unless it is the page's usual white. */
export function lookOf(element: Element, style: CSSStyleDeclaration): string {
  const written = authorsWord(element, 'background') ?? authorsWord(element, 'background-color');
  const name = written ?? colorName(style.backgroundColor);
  return name === null ? '' : name;
}

function classWords(element: Element): string {
  const classes = getAttribute(element, 'class') ?? '';
  const words = classes.split(/\s+/).flatMap(name => wordsOf(name).split(' '));
  return [...new Set(words)]
    .filter(word => word !== '')
    .slice(0, 4)
    .join(' ');
}

const identifierWords = (element: Element): string => {
  const id = getAttribute(element, 'id') ?? '';
  return /^[(\-\d.,\s)]+$/.test(id) ? id : wordsOf(id);
};

function dataWords(element: Element): string {
  for (const name of [
    'data-label',
    'data-name',
    'data-action',
    'data-value',
    'data-icon',
    'data-color',
    'name',
  ])
    if (hasAttribute(element, name)) return cut(fold(getAttribute(element, name) ?? ''), 40);
  return '';
}

/** The icon in it: its picture's file name, its sprite's name, its own class words. */
function iconWords(element: Element): string {
  const icon = queryIn(element, 'img, svg, use, i[class], span[class]');
  const own = localName(element) === 'img' ? element : icon;
  if (own === null) return backgroundWords(element);
  const source = getAttribute(own, 'src') ?? '';
  const use = localName(own) === 'svg' ? queryIn(own, 'use') : own;
  const sprite = use === null ? '' : (getAttribute(use, 'href') ?? getAttribute(use, 'xlink:href') ?? '');
  return (
    fileWords(source) || wordsOf(sprite.split('#').pop() ?? '') || classWords(own) || backgroundWords(element)
  );
}

function backgroundWords(element: Element): string {
  const address = /url\("?([^")]+)/.exec(getComputedStyle(element).backgroundImage)?.[1];
  return address === undefined ? '' : fileWords(address);
}

/** Past this, or as a sentence, what stands further off is an instruction, not the label of one field. */
const MOST_LABEL = 40;
/** Of words that are folded. Not begun in their middle, so that thousands of them are gone through once. */
const MARKS_AT_END = /(?<![\s:*])[\s:*]+$/;
const FIELDS = 'input, select, textarea, button';

/**
 * The words just before (after, for a box to tick) an element, in its own line or cell; else just after it, where it is alone.
 * @param named the field says what it is itself: what heads the whole form is not its label then
 */
export function textBeside(element: Element, after: boolean, named = false): string {
  const step = after ? nextSibling : previousSibling;
  for (let at: Element = element, climbed = 0; climbed < 3; climbed++) {
    const text = siblingText(at, step, named);
    // What stands before another field is that one's label.
    if (text === null) break;
    const label = text.replace(MARKS_AT_END, '');
    if (label !== '' && (climbed === 0 || (label.length <= MOST_LABEL && !/[.!]$/.test(label))))
      return cut(label, MOST_CHARACTERS);
    if (label !== '') break;
    const parent = parentNode(at);
    if (!isElement(parent) || /^(form|body|table|fieldset|section|main|dialog)$/.test(localName(parent)))
      break;
    at = parent;
  }
  return after ? '' : textUnder(element);
}

/** A label that stands under or behind its field, in a box of their own. */
function textUnder(element: Element): string {
  const box = parentNode(element);
  if (!isElement(box) || queryAllIn(box, FIELDS).length !== 1) return '';
  const text = siblingText(element, nextSibling) ?? '';
  return text.length <= MOST_LABEL && !/[.!]$/.test(text) ? text.replace(MARKS_AT_END, '') : '';
}

/** Null where another field comes first. */
function siblingText(
  element: Element,
  step: (node: Node) => Node | null,
  pastHeadings = false,
): string | null {
  let text = '';
  for (let node = step(element), seen = 0; node !== null && seen < 12; node = step(node), seen++) {
    const type = nodeType(node);
    if (type === Node.TEXT_NODE) text = joined(text, characters(node as CharacterData), step);
    else if (isElement(node)) {
      const tag = localName(node);
      if (/^(input|select|textarea|button)$/.test(tag) || queryIn(node, FIELDS) !== null)
        return /\S/.test(text) ? fold(text) : null;
      if (pastHeadings && /^h[1-6]$/.test(tag)) return fold(text);
      if (tag !== 'br' && tag !== 'script' && tag !== 'style') text = joined(text, visibleText(node), step);
    }
    if (/\S/.test(text)) break;
  }
  return fold(text);
}

const joined = (text: string, more: string, step: (node: Node) => Node | null): string =>
  step === previousSibling ? `${more} ${text}` : `${text} ${more}`;
