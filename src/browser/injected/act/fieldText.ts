/** Finds words in the value of a field, and selects them there. */
import {
  boxOf,
  checkVisibility,
  inputValue,
  localName,
  queryAllDocument,
  scrollIntoView,
  textareaValue,
} from '../dom/domGetters.ts';
import { isSecretField } from '../dom/secretFields.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import type { TextSpan } from './findText.ts';

type Field = HTMLInputElement | HTMLTextAreaElement;

/** The words that `findInField` has found last. */
interface FieldRange {
  readonly field: Field;
  readonly start: number;
  readonly end: number;
}

let found: FieldRange | null = null;

/**
 * Finds words in the value of a field, from the start of the first text to the end of the last, and scrolls the field into view.
 * @param key the key of the field; null searches the fields of the document
 * @returns the middle of the field, as a line without length; `missing` if it does not hold the words; null if the element is no field,
 * or no field holds them
 */
export function findInField(texts: readonly string[], key: number | null): TextSpan | 'missing' | null {
  const element = key === null ? null : elementByKey(key);
  if (key !== null && !isField(element)) return null;
  const fields = isField(element) ? [element] : Array.from(queryAllDocument(document, 'input, textarea'));
  found = fields.map(field => rangeIn(field, texts)).find(range => range !== null) ?? null;
  if (found === null) return key === null ? null : 'missing';
  scrollIntoView(found.field, { block: 'center', inline: 'nearest', behavior: 'instant' });
  const { left, top, width, height } = boxOf(found.field);
  return [left + width / 2, top + height / 2, left + width / 2, top + height / 2];
}

/** Selects the words that `findInField` has found. Returns false if the field does not let them be selected. */
export function selectInField(): boolean {
  if (found === null) return false;
  const { field, start, end } = found;
  HTMLElement.prototype.focus.call(field);
  const { prototype } = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  prototype.setSelectionRange.call(field, start, end);
  return field.selectionStart === start && field.selectionEnd === end;
}

/** Returns true for a field whose text can be selected. */
const isField = (element: Element | null): element is Field =>
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement && /^(text|search|url|tel)$/.test(element.type));

function rangeIn(field: Element, [first = '', ...others]: readonly string[]): FieldRange | null {
  if (!isField(field) || isSecretField(field)) return null;
  if (!checkVisibility(field, { checkOpacity: true, checkVisibilityCSS: true })) return null;
  const value =
    localName(field) === 'input'
      ? inputValue(field as HTMLInputElement)
      : textareaValue(field as HTMLTextAreaElement);
  const from = patternOf(first).exec(value);
  if (from === null) return null;
  const start = from.index;
  const last = others.at(-1);
  const to = last === undefined ? from : patternOf(last).exec(value.slice(start));
  if (to === null) return null;
  return { field, start, end: (last === undefined ? start : start + to.index) + to[0].length };
}

/** Returns a pattern that matches the words with any white space between them. */
const patternOf = (words: string): RegExp =>
  new RegExp(
    words
      .trim()
      .split(/\s+/)
      .map(word => word.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
      .join('\\s+'),
  );
