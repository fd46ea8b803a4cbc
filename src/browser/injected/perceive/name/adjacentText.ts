/** Finds the text beside a field that has no label of its own. */

import { NEAR_LEVELS, WIDGET_LEVELS } from '../../dom/around.ts';
import {
  checkVisibility,
  closest,
  contains,
  getAttribute,
  hasAttribute,
  isElement,
  localName,
  matches,
  nextSibling,
  nodeType,
  parentNode,
  previousSibling,
  queryAllIn,
  queryIn,
  textContent,
} from '../../dom/domGetters.ts';
import { DRAWN_TICKS, EDITABLE, FIELDS } from '../../dom/vocabulary.ts';
import { countIn } from '../element/fields.ts';
import { normalizeText, truncate } from '../element/plainText.ts';
import { visibleText } from '../element/renderedText.ts';
import { isRed } from '../element/visibility.ts';
import { columnHeader, isCellBelowHeaders } from './tableContext.ts';

/** Maximum length of the returned text, in characters. Longer text is cut. */
const MAX_TEXT_LENGTH = 60;
/** A text farther away than beside its field is a label up to this length; a longer one, or a sentence, is an instruction. */
const MAX_LABEL_LENGTH = 40;
const MAX_SIBLINGS = 12;
/** The lookbehind scans a long run of marks only once. */
const TRAILING_PUNCTUATION = /(?<![\s:*])[\s:*]+$/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** Matches the numbers of a scale, such as those below a slider, which name no field. */
const SCALE = /^[\d.,%]+(?:\s+[\d.,%]+)+$/;
const LABELLED = `${FIELDS}, button, [role=combobox], ${DRAWN_TICKS}, ${EDITABLE}`;

/** Returns the text before a field (`after`: after a tick box), else the one after the only field of a box. @param isNamed then no heading counts */
export function adjacentText(element: Element, after: boolean, isNamed = false): string {
  const shared = labelWithButton(element);
  if (shared !== '') return shared;
  const step = after ? nextSibling : previousSibling;
  for (let at: Element = element, climbed = 0; climbed < NEAR_LEVELS; climbed++) {
    if (isCellBelowHeaders(at)) return columnHeader(at);
    const text = siblingText(at, step, isNamed);
    // Stop: the text beyond another field is the label of that field.
    if (text === null) break;
    // A dash between two fields names neither.
    const label =
      LETTER_OR_DIGIT.test(text) && !SCALE.test(text) ? text.replace(TRAILING_PUNCTUATION, '') : '';
    if (label !== '' && (climbed === 0 || isShortLabel(label))) return truncate(label, MAX_TEXT_LENGTH);
    if (label !== '') break;
    const parent = parentNode(at);
    if (!isElement(parent) || OUTERMOST.test(localName(parent))) break;
    // A text after a group of radio buttons is none of theirs.
    if (after && countIn(parent, DRAWN_TICKS) > 1) break;
    at = parent;
  }
  return labelAround(element) || (after || isNamed ? '' : textAfterOnlyField(element));
}

const MAX_SWITCH_TEXTS = 12;

/** Returns the first text in the largest box around a switch or a toggle in which it is the only control; empty if there is none. */
export function switchLabel(element: Element): string {
  let box = parentNode(element);
  for (let climbed = 0; climbed < WIDGET_LEVELS && isElement(box); climbed++, box = parentNode(box)) {
    if (countIn(box, SWITCH_NEIGHBOURS) > 1) return '';
    const label = firstText(box, element);
    if (label !== '') return isShortLabel(label) ? label.replace(TRAILING_PUNCTUATION, '') : '';
    if (OUTERMOST.test(localName(box))) break;
  }
  return '';
}

/** Other controls than a switch whose label the text of a box may be. */
const SWITCH_NEIGHBOURS = `${LABELLED}, a[href], [role=button]`;

function firstText(box: Element, except: Element): string {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (
    let left = MAX_SWITCH_TEXTS, node = walker.nextNode();
    node !== null && left > 0;
    node = walker.nextNode(), left--
  ) {
    const parent = parentNode(node);
    if (!LETTER_OR_DIGIT.test((node as Text).data) || !isElement(parent) || contains(except, parent))
      continue;
    if (!checkVisibility(parent)) continue;
    return parent === box ? normalizeText((node as Text).data) : visibleText(parent);
  }
  return '';
}

/** Returns the text of a label around a field and a button or an output before it: the browser gives such a label to the first of them. */
function labelWithButton(field: Element): string {
  const label = closest(field, 'label');
  const control = label instanceof HTMLLabelElement ? label.control : null;
  if (label === null || control === null || control === field || !FIRST_LABELLED.test(localName(control)))
    return '';
  return truncate(visibleText(label, field).replace(TRAILING_PUNCTUATION, ''), MAX_TEXT_LENGTH);
}

const FIRST_LABELLED = /^(?:button|output|meter|progress)$/;

/** Number of ancestors beside which `labelAround` searches. */
const MAX_LABEL_ANCESTORS = 8;
const LABEL_CLASS = /(^|[\s_-])label([\s_-]|$)/i;

export function labelAround(field: Element): string {
  for (let at = field, climbed = 0; climbed < MAX_LABEL_ANCESTORS; climbed++) {
    let node = previousSibling(at);
    while (node !== null && !isElement(node)) node = previousSibling(node);
    if (node !== null && isLabelOfOther(node, field)) return '';
    if (node !== null && isLabel(node) && /\p{L}/u.test(visibleText(node)))
      return truncate(visibleText(node).replace(TRAILING_PUNCTUATION, ''), MAX_TEXT_LENGTH);
    const parent = parentNode(at);
    if (!isElement(parent) || OUTERMOST.test(localName(parent)) || isCellBelowHeaders(parent)) break;
    if (countIn(parent, FIELDS) > 1) break;
    at = parent;
  }
  return '';
}

/** Returns true for a label, or a box with one, that does not show the field which it names. */
const isLabel = (element: Element): boolean =>
  (localName(element) === 'label' ||
    LABEL_CLASS.test(getAttribute(element, 'class') ?? '') ||
    (queryIn(element, 'label') !== null && queryIn(element, 'a[href]') === null)) &&
  !Array.from(queryAllIn(element, LABELLED))
    .slice(0, MAX_SIBLINGS)
    .some(field => checkVisibility(field));

function isLabelOfOther(node: Element, box: Element): boolean {
  const named = node instanceof HTMLLabelElement ? node.control : null;
  return named !== null && !contains(box, named) && checkVisibility(named);
}

const OUTERMOST = /^(form|body|table|fieldset|section|main|dialog|header|footer|nav|aside|article)$/;
/** A part of the page with one of these is no label of a field that has a name of its own. */
const STRUCTURE = '[class*=header], h1, h2, h3, h4, h5, h6, ul, ol, table, nav, p + p, a[href]';

export const isShortLabel = (text: string): boolean => text.length <= MAX_LABEL_LENGTH && !/[.!]$/.test(text);

function textAfterOnlyField(element: Element): string {
  const box = parentNode(element);
  if (!isElement(box) || countIn(box, LABELLED) !== 1) return '';
  const text = siblingText(element, nextSibling) ?? '';
  return isShortLabel(text) ? text.replace(TRAILING_PUNCTUATION, '') : '';
}

/** Returns the text of the siblings in one direction; null when a field comes before any text. */
function siblingText(
  element: Element,
  step: (node: Node) => Node | null,
  stopAtHeadings = false,
): string | null {
  let text = '';
  for (let node = step(element), seen = 0; node !== null && seen < MAX_SIBLINGS; node = step(node), seen++) {
    const type = nodeType(node);
    if (type === Node.TEXT_NODE) text = joinText(text, (node as CharacterData).data, step);
    else if (isElement(node)) {
      if (getAttribute(node, 'aria-hidden') === 'true') continue;
      const tag = localName(node);
      // The native control that a script draws anew.
      if (matches(node, 'select, input') && !checkVisibility(node)) continue;
      if (isLabelOfOther(node, element)) return /\S/.test(text) ? normalizeText(text) : null;
      if (matches(node, LABELLED) || queryIn(node, LABELLED) !== null)
        return /\S/.test(text) ? normalizeText(text) : null;
      if (stopAtHeadings && isStructure(node, tag)) return normalizeText(text);
      // An error above a field that has a name of its own.
      if (stopAtHeadings && tag !== 'label' && isRed(node)) continue;
      // An icon beside a field is no label, whatever name it has; nor is something else that is pressed.
      if (!/\S/.test(textContent(node) ?? '') || (tag !== 'label' && isPressed(node))) continue;
      if (tag !== 'br' && tag !== 'script' && tag !== 'style') text = joinText(text, visibleText(node), step);
    }
    if (/\S/.test(text)) break;
  }
  return normalizeText(text);
}

const isStructure = (element: Element, tag: string): boolean =>
  /^(h[1-6]|ul|ol|table|nav|header|footer)$/.test(tag) ||
  HEADING_CLASS.test(getAttribute(element, 'class') ?? '') ||
  (tag !== 'label' && queryIn(element, STRUCTURE) !== null);

const isPressed = (element: Element): boolean =>
  hasAttribute(element, 'onclick') ||
  /^(button|link|tab|menuitem)$/.test(getAttribute(element, 'role') ?? '') ||
  queryIn(element, '[role=button], [role=tab], [role=menuitem]') !== null;

const HEADING_CLASS = /(^|[\s_-])(title|header|heading)([\s_-]|$)/i;

const joinText = (text: string, more: string, step: (node: Node) => Node | null): string =>
  step === previousSibling ? `${more} ${text}` : `${text} ${more}`;
