/** Names a listed element: by its accessible name or text, else by a hint; and with a noun for its kind. */

import { around, WIDGET_LEVELS } from '../../dom/around.ts';
import {
  attributeText,
  boxOf,
  closest,
  comparePosition,
  elementById,
  firstChild,
  getAttribute,
  getRootNode,
  isElement,
  isShadowRoot,
  labelsOf,
  localName,
  nextElementSibling,
  nextSibling,
  nodeType,
  parentElement,
  previousElementSibling,
  queryAllDocument,
  queryAllIn,
  queryDocument,
  queryFragment,
  queryIn,
  textContent,
} from '../../dom/domGetters.ts';
import { BUTTONS, FIELDS } from '../../dom/vocabulary.ts';
import { whileTreeStands } from '../../dom/whileTreeStands.ts';
import type { Candidate } from '../candidate.ts';
import { INTERACTIVE_ROLES } from '../element/ariaRole.ts';
import { isShape } from '../element/box.ts';
import { countIn, isOpenPicker } from '../element/fields.ts';
import { normalizeText, truncate } from '../element/plainText.ts';
import {
  chosenText,
  contentText,
  isInnerControl,
  textBesideControls,
  visibleText,
} from '../element/renderedText.ts';
import { displayOf } from '../element/visibility.ts';
import { hoverHostOf } from '../reach/shownOnHover.ts';
import { choiceHint } from '../reach/standIn.ts';
import { accessibleName } from './accessibleName.ts';
import { adjacentText, isShortLabel, switchLabel } from './adjacentText.ts';
import { letterHint, nameHint, regionHint, symbolHint } from './nameHint.ts';
import { shapeColor, shapeDescription } from './shapeDescription.ts';
import { isWeekColumn, weekColumnName } from './weekColumns.ts';

/** Returns the text of the button that opens a hidden field: the one whose handler names it, else the one beside it. */
export function openerText(field: Element): string {
  const opener = namedOpener(field) ?? openerBeside(field);
  return opener === null ? '' : textOf(opener);
}

function namedOpener(field: Element): Element | null {
  const [parent, id] = [parentElement(field), getAttribute(field, 'id')];
  if (parent === null || !id || !/^[\w-]+$/.test(id)) return null;
  const names = new RegExp(`(?<![\\w-])${id}(?![\\w-])`);
  const buttons = Array.from(queryAllIn(parent, BUTTONS));
  return buttons.find(button => names.test(getAttribute(button, 'onclick') ?? '')) ?? null;
}

/** Returns the button before the field, unless it belongs to the field before it; else the button after the field. */
function openerBeside(field: Element): Element | null {
  const [before, after] = [previousElementSibling(field), nextElementSibling(field)];
  if (before !== null && isButton(before)) {
    const earlier = previousElementSibling(before);
    if (earlier === null || localName(earlier) !== 'input' || openerBeside(earlier) !== before) return before;
  }
  return after !== null && isButton(after) ? after : null;
}

const isButton = (element: Element): boolean =>
  localName(element) === 'button' ||
  getAttribute(element, 'role') === 'button' ||
  (element instanceof HTMLInputElement && element.type === 'button');

const textOf = (button: Element): string =>
  button instanceof HTMLInputElement
    ? button.value
    : visibleText(button) || attributeText(button, 'aria-label') || attributeText(button, 'title');

const SUBMENU = /^(?:ul|ol|menu)$/;

/** Returns the text that the box shows also while the pointer is elsewhere: without controls, submenus and what lies above the page. */
export function textAtRest(element: Element): string {
  let text = '';
  for (let node = firstChild(element); node !== null; node = nextSibling(node)) {
    if (nodeType(node) === Node.TEXT_NODE) text += (node as CharacterData).data;
    else if (isElement(node)) text += ` ${partAtRest(node)} `;
  }
  return normalizeText(text);
}

function partAtRest(part: Element): string {
  const tag = localName(part);
  const { shown, isOutOfFlow } = displayOf(part);
  return !shown || isOutOfFlow || SUBMENU.test(tag) || isInnerControl(part, tag)
    ? ''
    : textBesideControls(part, false);
}

const TITLE_SELECTOR = 'th[scope=row], h1, h2, h3, h4, h5, h6, [role=heading], legend, [role=rowheader]';

/** Returns the first heading, legend or row header inside a box; null if there is none. */
export function firstTitleIn(box: Element): Element | null {
  if (isShadowRoot(getRootNode(box))) return queryIn(box, TITLE_SELECTOR);
  const titles = whileTreeStands('titles', () => Array.from(queryAllDocument(document, TITLE_SELECTOR)));
  let from = 0;
  let to = titles.length;
  // Binary search for the first title that is not before the box.
  while (from < to) {
    const middle = (from + to) >> 1;
    const one = titles[middle];
    if (one !== undefined && (comparePosition(box, one) & Node.DOCUMENT_POSITION_PRECEDING) !== 0)
      from = middle + 1;
    else to = middle;
  }
  const first = titles[from];
  return first !== undefined && (comparePosition(box, first) & Node.DOCUMENT_POSITION_CONTAINED_BY) !== 0
    ? first
    : null;
}

/** Returns the label of the native control that a list of choices replaces, or one that names the list by its id; empty if there is none. */
function replacedLabel(widget: Element): string {
  const control = replacedControl(widget);
  // The label of a native field is known without its id.
  const id = /^(?:input|textarea)$/.test(localName(widget)) ? null : getAttribute(widget, 'id');
  const label =
    (control === null ? undefined : labelsOf(control)[0]) ??
    (id ? queryRoot(widget, `label[for="${CSS.escape(id)}"]`) : null);
  return label === null ? '' : contentText(label, false, control, true);
}

function queryRoot(element: Element, selector: string): Element | null {
  const root = getRootNode(element);
  return isShadowRoot(root) ? queryFragment(root, selector) : queryDocument(document, selector);
}

/** Returns true for an element without a role that shows what is chosen in a hidden native list of choices: a script draws that list by it. */
export function drawsSelect(element: Element): boolean {
  const hasSelects = whileTreeStands('selects', () => queryDocument(document, 'select') !== null);
  const select = hasSelects ? replacedControl(element) : null;
  if (!(select instanceof HTMLSelectElement) || select.multiple) return false;
  const [chosen] = Array.from(select.options).filter(option => option.selected);
  return chosen !== undefined && normalizeText(chosen.label) === visibleText(element);
}

function replacedControl(widget: Element): Element | null {
  const inside = queryIn(widget, 'select');
  if (inside !== null && isHidden(inside)) return inside;
  for (const at of around(widget, WIDGET_LEVELS)) {
    const before = previousElementSibling(at);
    if (before === null) continue;
    if (/^(select|input)$/.test(localName(before)) && isHidden(before)) return before;
    // What is chosen can stand before the only field of a widget.
    if (localName(widget) !== 'input' || countIn(at, FIELDS) > 1) return null;
  }
  return null;
}

/** Returns true for a control that people do not see: not rendered, or as small as a point. */
function isHidden(control: Element): boolean {
  const { width, height } = boxOf(control);
  if (getAttribute(control, 'aria-hidden') === 'true' || getAttribute(control, 'tabindex') === '-1')
    return true;
  return width < 2 || height < 2;
}

export interface ElementName {
  /** The accessible name or the visible text; else a hint, which is made from the markup. */
  readonly text: string;
  /** True when the page gives no name, so that `text` is a hint. */
  readonly isHint: boolean;
  /** The part of the name that is used in the fingerprint. It does not change with the element's state. */
  readonly stem: string;
  /** The background color; put before the hint when elements with the same hint have different colors. Empty if not known. */
  readonly color: string;
  /** The kind of the element in one to three words: `button`, `date field`, `clickable red circle`. */
  readonly kindNoun: string;
  /** Words from the markup that explain a name without letters (`+`, `×`, `▾`) or of a letter or two (`B`); absent for other names. */
  readonly symbolMeaning?: string;
}

const SYMBOLS_ONLY = /^[^\p{L}\p{N}]{1,3}$/u;
const LETTERS_ONLY = /^\p{L}{1,2}$/u;

/** Maximum length of the name of a native control, in characters: a link can contain a whole card with a title and a text. */
const MAX_NAME_LENGTH = 160;
/** Maximum length of the name of an element that is not a native control, in characters. */
const MAX_BOX_NAME_LENGTH = 100;
const MAX_REGION_NAME_LENGTH = 40;

/** Returns the name that the page gives, else a hint. @param generatesText true when style rules generate text */
export function nameCandidate(candidate: Candidate, generatesText: boolean): ElementName {
  const { element, tag, basis } = candidate;
  const kindNoun = kindNounOf(candidate);
  const maxLength = basis === 'control' ? MAX_NAME_LENGTH : MAX_BOX_NAME_LENGTH;
  const given = truncate(withoutOwnValue(nameGivenByPage(candidate, generatesText), candidate), maxLength);
  if (given !== '') {
    const symbolMeaning = candidate.letter === 'I' || isShape(tag) ? '' : meaningOf(element, given);
    const name = { text: given, isHint: false, stem: given, color: '', kindNoun };
    return symbolMeaning === '' ? name : { ...name, symbolMeaning };
  }
  if (isShape(tag)) return nameShape(candidate, kindNoun);
  const hint = basis === 'scroll' ? { stem: regionHint(element), color: '' } : nameHint(candidate);
  const stem = truncate(hint.stem, MAX_NAME_LENGTH);
  const color = truncate(hint.color, MAX_NAME_LENGTH);
  return { text: stem || color, isHint: true, stem, color, kindNoun };
}

function meaningOf(element: Element, name: string): string {
  if (SYMBOLS_ONLY.test(name)) return symbolHint(element, name);
  const hint = LETTERS_ONLY.test(name) ? letterHint(element) : '';
  return hint === name ? '' : hint;
}

function nameShape(candidate: Candidate, kindNoun: string): ElementName {
  const { element, tag, style } = candidate;
  const label = truncate(nameHint(candidate).stem, MAX_NAME_LENGTH);
  if (label !== '') return { text: label, isHint: false, stem: label, color: '', kindNoun };
  const description = truncate(shapeDescription(element, tag, style), MAX_NAME_LENGTH);
  return { text: description, isHint: true, stem: tag, color: '', kindNoun };
}

function nameGivenByPage(candidate: Candidate, generatesText: boolean): string {
  const { element, tag, basis, control, letter } = candidate;
  // What is in a place for drops is dragged, and listed.
  if (basis === 'scroll' || candidate.holdsDragged === true) return regionName(element);
  if (basis === 'child' && isWeekColumn(element)) return weekColumnName(element);
  if (basis === 'keys') return accessibleName(element, tag, generatesText) || regionName(element);
  const isDrawnList = candidate.role === 'combobox' && tag !== 'select' && tag !== 'input';
  const replaced = isDrawnList ? replacedLabel(element) : '';
  if (replaced !== '') return replaced;
  const own = withoutChoice(accessibleName(element, tag, generatesText), isDrawnList ? element : null);
  // What is chosen is no label.
  const isUnlabelled = isDrawnList && (own === '' || own === chosenText(element));
  const text = isUnlabelled ? adjacentText(element, false, true) : '';
  const label = isShortLabel(text) ? text : '';
  const name = label || own || hiddenName(candidate);
  if (name === '' && letter !== 'I' && control !== 'canvas')
    return (
      (basis === 'hover' ? textAtRest(element) : '') ||
      boxText(candidate) ||
      (isDrawnList ? choiceHint(element) : '')
    );
  const hasOwnName = name !== '' && name !== attributeText(element, 'placeholder');
  if (hasOwnName || letter !== 'I' || control === 'slider') return name;
  if (labelsOf(element).length > 0 || control === 'contenteditable') return name;
  const opener =
    control === 'file' || candidate.unrendered || isOpenPicker(element) ? openerText(element) : '';
  const beside =
    opener ||
    (control === 'text' ? replacedLabel(element) : '') ||
    labelBeside(candidate, name !== '') ||
    name ||
    (control === 'checkbox' ? switchLabel(element) : '');
  return beside === '' && candidate.role === 'combobox' ? choiceHint(element) : beside;
}

/** Returns a name without what is chosen at its end: Angular Material labels a list of choices by its label and its value. */
function withoutChoice(name: string, list: Element | null): string {
  const chosen = list === null ? '' : chosenText(list);
  return chosen !== '' && name !== chosen && name.endsWith(` ${chosen}`)
    ? name.slice(0, -chosen.length - 1)
    : name;
}

/** Returns the name of a slider without its value at the end, if an element of its own shows it in the label: `Volume: 40 %` for `40`. */
function withoutOwnValue(name: string, { element, control }: Candidate): string {
  if (control !== 'slider' && control !== 'range') return name;
  const value =
    element instanceof HTMLInputElement ? element.value : (getAttribute(element, 'aria-valuenow') ?? '');
  const [, before = '', number] = VALUE_AT_END.exec(name) ?? [];
  if (before === '' || value === '' || Number(number) !== Number(value)) return name;
  const ids = getAttribute(element, 'aria-labelledby')?.split(/\s+/) ?? [];
  const named = ids.map(id => elementById(element, id)).filter(label => label !== null);
  // The label around an `output` and a slider is that of the `output`.
  const outer = closest(element, 'label');
  const native =
    attributeText(element, 'aria-label') !== ''
      ? []
      : [...labelsOf(element), ...(outer === null ? [] : [outer])];
  const showsValue = (part: Element): boolean =>
    Number(VALUE.exec(normalizeText(textContent(part) ?? ''))?.[1]) === Number(value);
  return (named.length > 0 ? named : native).some(label =>
    Array.from(queryAllIn(label, '*')).some(showsValue),
  )
    ? before
    : name;
}

/** Matches a number with its sign of a currency and its unit, and a name that ends with one. */
const VALUE = /^[$€£]?\s*(-?\d+(?:\.\d+)?)\s*(?:%|°|\p{L}{1,3})?$/u;
const VALUE_AT_END = /^(.*[^\s:([=$€£–-])[\s:([=$€£–-]+(-?\d+(?:\.\d+)?)\s*(?:%|°|\p{L}{1,3})?[\])]?$/u;

/** Returns the text of a box without a name, without the controls in it unless it has no other words. */
function boxText({ element }: Candidate): string {
  const own = textBesideControls(element, false);
  return /\p{L}{2}/u.test(own) ? own : visibleText(element);
}

/** Fields that had a name of their own and no text beside them when they were listed first. */
const withoutLabel = new WeakSet<Element>();

/** Returns the text beside a field that is its label; empty for none. A text that came after the field is a message, and so is one in red. */
function labelBeside({ element, control }: Candidate, isNamed: boolean): string {
  if (isNamed && withoutLabel.has(element)) return '';
  const text = adjacentText(element, control === 'checkbox' || control === 'radio', isNamed);
  if (isNamed && text === '') withoutLabel.add(element);
  return text;
}

/** Returns the text of an element that is not rendered until the pointer is over its row; empty for any other. */
const hiddenName = (candidate: Candidate): string =>
  hoverHostOf(candidate) === null ? '' : normalizeText(textContent(candidate.element) ?? '');

/** Returns the label or title of a region. The text in a region is not its name: it belongs to the elements in the region. */
function regionName(element: Element): string {
  const label = attributeText(element, 'aria-label');
  if (label !== '') return label;
  const title = firstTitleIn(element);
  return title === null ? '' : truncate(visibleText(title), MAX_REGION_NAME_LENGTH);
}

function kindNounOf(candidate: Candidate): string {
  const { element, tag, role, basis, control } = candidate;
  switch (control) {
    case 'canvas':
      return tag === 'svg' ? 'drawing' : 'canvas';
    case 'contenteditable':
      return 'text editor';
    case 'file':
    case 'color':
    case 'date':
    case 'time':
    case 'month':
    case 'week':
      return `${control} field`;
    case 'datetime':
      return 'date and time field';
    case 'number':
      return 'number field';
    case 'text':
      return element instanceof HTMLInputElement && element.type === 'password'
        ? 'password field'
        : (role ?? 'textbox');
    case 'slider':
      return role === 'spinbutton' ? role : 'slider';
    default:
  }
  if (tag === 'video' || tag === 'audio') return `${tag} player`;
  if (role !== null && INTERACTIVE_ROLES.has(role)) return role;
  if (control === 'select') return role ?? 'combobox';
  if (basis === 'scroll') return 'scrollable region';
  if (basis === 'keys') return role ?? 'widget';
  if (basis === 'drag' && !candidate.takesDrops) return withShape(candidate, 'draggable');
  if (basis === 'target' || basis === 'drag') return withShape(candidate, 'drop target');
  if (basis === 'hover') return withShape(candidate, 'hoverable');
  return withShape(candidate, 'clickable');
}

/** Returns the noun; for an SVG shape, followed by its color and kind: `clickable red circle`. */
function withShape({ element, tag, style }: Candidate, noun: string): string {
  if (!isShape(tag)) return noun;
  if (tag !== 'text') return `${noun} ${shapeDescription(element, tag, style)}`;
  const color = shapeColor(element, tag, style);
  // Black is the default of text in drawings; mention it only when the author set it.
  const isDefault = color === 'black' && getAttribute(element, 'fill') === null;
  return color === null || isDefault ? `${noun} text` : `${noun} ${color} text`;
}
