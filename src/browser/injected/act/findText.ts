/** Finds a text on the page and returns where it is drawn, so that it can be selected by a drag. */

import {
  bodyOf,
  boxOf,
  checkVisibility,
  composedParent,
  localName,
  queryAllDocument,
  queryAllIn,
  scrollIntoView,
} from '../dom/domGetters.ts';
import { documentState } from '../dom/lifetimes.ts';
import { isSecretField } from '../dom/secretFields.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import { isEditingHost } from '../perceive/find/interactionHints.ts';

/**
 * The place of a text on the screen, as a line from the left edge of its first character to the right edge of its last
 * one. CSS pixels in the frame's viewport.
 */
export type TextSpan = readonly [fromX: number, fromY: number, toX: number, toY: number];

/** `findText` searches about this many characters of visible text in the page or in one editor. */
const MAX_SEARCHED_CHARACTERS = 2_000_000;

interface TextPosition {
  readonly node: Text;
  readonly offset: number;
}

/** Finds a text in an element, else in editors, then in the page, and scrolls it into view; null if it is not shown. */
export function findText(text: string, key: number | null): TextSpan | null {
  const searchText = text.replace(/\s+/g, ' ').trim();
  const body = bodyOf(document);
  if (searchText === '' || body === null) return null;
  const only = key === null ? null : elementByKey(key);
  if (key !== null && only === null) return null;
  const editors =
    only === null ? Array.from(queryAllIn(body, '[contenteditable]')).filter(isEditingHost) : [];
  for (const root of only === null ? [...editors, body] : [only]) {
    const span = spanIn(root, searchText);
    if (span !== null) return span;
  }
  return null;
}

function spanIn(root: Element, searchText: string): TextSpan | null {
  const { text, positions } = readVisibleText(root);
  const start = text.indexOf(searchText);
  const from = positions[start];
  const last = positions[start + searchText.length - 1];
  if (start < 0 || from === undefined || last === undefined) return null;
  const range = new Range();
  range.setStart(from.node, from.offset);
  range.setEnd(last.node, last.offset + 1);
  if (!isInViewport(range))
    composedParent(from.node)?.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  const first = characterBox(from);
  const end = characterBox(last);
  return [first.left, first.top + first.height / 2, end.right, end.top + end.height / 2];
}

/** Returns the visible text with white space collapsed, and the position of each of its characters in the DOM. */
function readVisibleText(root: Element): { text: string; positions: readonly TextPosition[] } {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const positions: TextPosition[] = [];
  let text = '';
  let afterSpace = true;
  for (
    let node = walker.nextNode();
    node !== null && positions.length < MAX_SEARCHED_CHARACTERS;
    node = walker.nextNode()
  ) {
    const parent = composedParent(node);
    // What a field shows is its value.
    if (parent === null || localName(parent) === 'textarea') continue;
    if (!checkVisibility(parent, { checkOpacity: true, checkVisibilityCSS: true })) continue;
    const { data } = node as Text;
    for (let offset = 0; offset < data.length; offset++) {
      const character = data[offset] ?? '';
      const isSpace = /\s/.test(character);
      if (isSpace && afterSpace) continue;
      text += isSpace ? ' ' : character;
      positions.push({ node: node as Text, offset });
      afterSpace = isSpace;
    }
  }
  return { text, positions };
}

function characterBox({ node, offset }: TextPosition): DOMRect {
  const range = new Range();
  range.setStart(node, offset);
  range.setEnd(node, offset + 1);
  return range.getBoundingClientRect();
}

function isInViewport(range: Range): boolean {
  const { left, top, right, bottom } = range.getBoundingClientRect();
  return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
}

type Field = HTMLInputElement | HTMLTextAreaElement;

/** The words that `findInField` has found last. */
interface FieldRange {
  readonly field: Field;
  readonly start: number;
  readonly end: number;
}

const lastFound = documentState.value(() => ({ range: null as FieldRange | null }));

/** Finds words in the value of a field (null: of any) and scrolls to it. Returns its middle; `missing`, or null if it is no field. */
export function findInField(texts: readonly string[], key: number | null): TextSpan | 'missing' | null {
  const element = key === null ? null : elementByKey(key);
  if (key !== null && !isField(element)) return null;
  const fields = isField(element) ? [element] : Array.from(queryAllDocument(document, 'input, textarea'));
  const found = fields.map(field => rangeIn(field, texts)).find(range => range !== null) ?? null;
  lastFound().range = found;
  if (found === null) return key === null ? null : 'missing';
  scrollIntoView(found.field, { block: 'center', inline: 'nearest', behavior: 'instant' });
  const { left, top, width, height } = boxOf(found.field);
  return [left + width / 2, top + height / 2, left + width / 2, top + height / 2];
}

/** Selects the words that `findInField` has found. Returns false if the field does not let them be selected. */
export function selectInField(): boolean {
  const { range } = lastFound();
  if (range === null) return false;
  const { field, start, end } = range;
  HTMLElement.prototype.focus.call(field);
  const { prototype } = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  prototype.setSelectionRange.call(field, start, end);
  return field.selectionStart === start && field.selectionEnd === end;
}

const isField = (element: Element | null): element is Field =>
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement && /^(text|search|url|tel)$/.test(element.type));

function rangeIn(field: Element, [first = '', ...others]: readonly string[]): FieldRange | null {
  if (!isField(field) || isSecretField(field)) return null;
  if (!checkVisibility(field, { checkOpacity: true, checkVisibilityCSS: true })) return null;
  const { value } = field;
  const from = patternOf(first).exec(value);
  if (from === null) return null;
  const start = from.index;
  const last = others.at(-1);
  const to = last === undefined ? from : patternOf(last).exec(value.slice(start));
  if (to === null) return null;
  return { field, start, end: (last === undefined ? start : start + to.index) + to[0].length };
}

const patternOf = (words: string): RegExp =>
  new RegExp(
    words
      .trim()
      .split(/\s+/)
      .map(word => word.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
      .join('\\s+'),
  );
