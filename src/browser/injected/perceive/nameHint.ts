/** What to call an element that has no accessible name: what an eye would see, as far as markup knows it. */

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
} from '../dom/domGetters.ts';
import { visibleText } from './accessibleName.ts';
import type { Candidate } from './candidate.ts';
import { colorName, isColorWord } from './colorName.ts';
import { fileNameWords, identifierWords, normalizeText, truncate } from './plainText.ts';
import { isShape, shapeName } from './svgShape.ts';

const MAX_HINT_LENGTH = 60;
const MAX_REGION_HINT_LENGTH = 40;

/** A name that the page does not say. */
export interface NameHint {
  /** Words from the page; they do not change under the pointer. */
  readonly stem: string;
  /** The colour of a filled box; empty for what has none. */
  readonly look: string;
}

/** The best hint there is, in words; empty if there is none at all. */
export function nameHint(found: Candidate): NameHint {
  const stem = hintText(found);
  const { element, tag, style } = found;
  if (found.letter === 'I' || found.control === 'canvas' || isShape(tag) || tag === 'g')
    return { stem, look: '' };
  // A button's own grey says nothing.
  const look = found.basis === 'control' && stem !== '' ? '' : backgroundColorName(element, style);
  return { stem, look };
}

function hintText(found: Candidate): string {
  const { element, tag } = found;
  const written =
    normalizeText(getAttribute(element, 'title') ?? '') ||
    normalizeText(getAttribute(element, 'data-title') ?? '') ||
    normalizeText(getAttribute(element, 'data-tooltip') ?? '') ||
    normalizeText(getAttribute(element, 'alt') ?? '');
  if (written !== '') return written;
  if (found.control === 'slider')
    return identifierWords(getAttribute(element, 'name') ?? '') || sliderHint(element);
  if (found.letter === 'I') return fieldHint(element, tag);
  if (isShape(tag) || tag === 'g') return shapeLabel(element, tag);
  return boxHint(found);
}

/** The text beside a field without a label, its name or id. */
function fieldHint(element: Element, tag: string): string {
  const beside = adjacentText(
    element,
    tag === 'input' && /^(checkbox|radio)$/.test(getAttribute(element, 'type') ?? ''),
  );
  return beside || identifierWords(getAttribute(element, 'name') ?? '') || idWords(element);
}

/** A slider's handle is called after its track, or the label just before that. */
function sliderHint(handle: Element): string {
  const track = composedParent(handle);
  if (track === null) return '';
  const label = normalizeText(getAttribute(track, 'aria-label') ?? getAttribute(track, 'title') ?? '');
  return label || idWords(track) || idWords(handle);
}

function boxHint(found: Candidate): string {
  const { element } = found;
  const side = /(?:^|\s)ui-resizable-([nsew]{1,2})(?:\s|$)/.exec(getAttribute(element, 'class') ?? '')?.[1];
  if (side !== undefined) return `resize handle ${side}`;
  const own = classWords(element);
  const words =
    (own === '' ? '' : withWrapperClasses(element, own)) ||
    iconWords(element) ||
    dataWords(element) ||
    identifierWords(getAttribute(element, 'id') ?? '');
  return truncate(words, MAX_HINT_LENGTH);
}

/** Boxes whose sides differ by less are one box to the eye. CSS pixels. */
const SAME_BOX_TOLERANCE_PX = 6;

/** A region that has no title: its own words, else where it begins. */
export function regionHint(element: Element): string {
  return classWords(element) || idWords(element) || truncate(visibleText(element), MAX_REGION_HINT_LENGTH);
}

/** For a sign on a button: what the markup calls it. */
export const symbolHint = (element: Element): string =>
  truncate(classWords(element) || dataWords(element) || idWords(element), MAX_HINT_LENGTH);

/** The class words of a box, and those of the box just around it, if to the eye they are one. */
function withWrapperClasses(element: Element, words: string): string {
  const around = composedParent(element);
  if (around === null) return words;
  const more = classWords(around)
    .split(' ')
    .filter(word => !words.includes(word));
  if (more.join('') === '') return words;
  const [inner, outer] = [boxOf(element), boxOf(around)];
  const apart = Math.abs(inner.width - outer.width) + Math.abs(inner.height - outer.height);
  return apart < SAME_BOX_TOLERANCE_PX ? `${more.join(' ')} ${words}` : words;
}

/** `large red circle`: colour and kind of a drawn shape; its class or id word when there is one. */
export function shapeDescription(element: Element, tag: string, style: CSSStyleDeclaration): string {
  const word = shapeName(element, tag) ?? (tag === 'g' ? groupShapeName(element) : 'shape');
  const color = shapeColor(element, tag, style);
  const identifier = classWords(element) || idWords(element);
  const extra = identifier !== '' && !identifier.includes(word) ? identifier : '';
  return [color ?? '', word, extra].filter(part => part !== '').join(' ');
}

/** The colour that is seen: its fill, or its line where it is hollow. The author's own word for it if there is one. */
export function shapeColor(element: Element, tag: string, style: CSSStyleDeclaration): string | null {
  const isLine = tag === 'line' || tag === 'polyline';
  for (const property of isLine ? (['stroke', 'fill'] as const) : (['fill', 'stroke'] as const)) {
    const written = authoredColor(element, property);
    if (written !== null) return written;
    const computed = style[property];
    const name = computed === 'none' ? null : colorName(computed);
    if (name !== null) return name;
  }
  return null;
}

function authoredColor(element: Element, property: string): string | null {
  const inline = new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([a-z]+)\\s*(?:;|$)`).exec(
    getAttribute(element, 'style') ?? '',
  );
  const written = inline?.[1] ?? getAttribute(element, property);
  return isColorWord(written) ? written : null;
}

function groupShapeName(group: Element): string {
  const first = firstElementChild(group);
  return first === null ? 'shape' : (shapeName(first, localName(first)) ?? 'shape');
}

/** Words drawn on a shape: in its group, or in a text whose middle lies in its box. */
function shapeLabel(element: Element, tag: string): string {
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
  return only === undefined ? '' : truncate(visibleText(only), MAX_HINT_LENGTH);
}

/** The colour of a box that is filled, unless it is the page's usual white. */
export function backgroundColorName(element: Element, style: CSSStyleDeclaration): string {
  const written = authoredColor(element, 'background') ?? authoredColor(element, 'background-color');
  const name = written ?? colorName(style.backgroundColor);
  return name === null ? '' : name;
}

function classWords(element: Element): string {
  const classes = getAttribute(element, 'class') ?? '';
  const words = classes.split(/\s+/).flatMap(name => identifierWords(name).split(' '));
  return [...new Set(words)]
    .filter(word => word !== '')
    .slice(0, 4)
    .join(' ');
}

const idWords = (element: Element): string => {
  const id = getAttribute(element, 'id') ?? '';
  return /^[(\-\d.,\s)]+$/.test(id) ? id : identifierWords(id);
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
    if (hasAttribute(element, name)) return truncate(normalizeText(getAttribute(element, name) ?? ''), 40);
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
    fileNameWords(source) ||
    identifierWords(sprite.split('#').pop() ?? '') ||
    classWords(own) ||
    backgroundWords(element)
  );
}

function backgroundWords(element: Element): string {
  const address = /url\("?([^")]+)/.exec(getComputedStyle(element).backgroundImage)?.[1];
  return address === undefined ? '' : fileNameWords(address);
}

/** Past this, or as a sentence, what stands further off is an instruction, not the label of one field. */
const MAX_LABEL_LENGTH = 40;
/** Of words that are folded. Not begun in their middle, so that thousands of them are gone through once. */
const TRAILING_PUNCTUATION = /(?<![\s:*])[\s:*]+$/;
const FIELDS = 'input, select, textarea, button';

/**
 * The words just before (after, for a box to tick) an element, in its own line or cell; else just after it, where it is alone.
 * @param named the field says what it is itself: what heads the whole form is not its label then
 */
export function adjacentText(element: Element, after: boolean, named = false): string {
  const step = after ? nextSibling : previousSibling;
  for (let at: Element = element, climbed = 0; climbed < 3; climbed++) {
    const text = siblingText(at, step, named);
    // What stands before another field is that one's label.
    if (text === null) break;
    const label = text.replace(TRAILING_PUNCTUATION, '');
    if (label !== '' && (climbed === 0 || (label.length <= MAX_LABEL_LENGTH && !/[.!]$/.test(label))))
      return truncate(label, MAX_HINT_LENGTH);
    if (label !== '') break;
    const parent = parentNode(at);
    if (!isElement(parent) || /^(form|body|table|fieldset|section|main|dialog)$/.test(localName(parent)))
      break;
    at = parent;
  }
  return after ? '' : textBelow(element);
}

/** A label that stands under or behind its field, in a box of their own. */
function textBelow(element: Element): string {
  const box = parentNode(element);
  if (!isElement(box) || queryAllIn(box, FIELDS).length !== 1) return '';
  const text = siblingText(element, nextSibling) ?? '';
  return text.length <= MAX_LABEL_LENGTH && !/[.!]$/.test(text) ? text.replace(TRAILING_PUNCTUATION, '') : '';
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
    if (type === Node.TEXT_NODE) text = joinText(text, characters(node as CharacterData), step);
    else if (isElement(node)) {
      const tag = localName(node);
      if (/^(input|select|textarea|button)$/.test(tag) || queryIn(node, FIELDS) !== null)
        return /\S/.test(text) ? normalizeText(text) : null;
      if (pastHeadings && /^h[1-6]$/.test(tag)) return normalizeText(text);
      if (tag !== 'br' && tag !== 'script' && tag !== 'style') text = joinText(text, visibleText(node), step);
    }
    if (/\S/.test(text)) break;
  }
  return normalizeText(text);
}

const joinText = (text: string, more: string, step: (node: Node) => Node | null): string =>
  step === previousSibling ? `${more} ${text}` : `${text} ${more}`;
