/** Reads the value of a slider that is not an `input`: from its ARIA attribute, or from numbers that the page shows. */
import { bodyOf, characterData, getAttribute, inputValue } from '../dom/domGetters.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import type { ValueRange } from './valueRange.ts';

/**
 * A number that the page shows, and its position: the index of its text node in the document; for the value of an
 * `input`, -1 minus the index of the input.
 */
export type ShownNumber = readonly [position: number, value: number];

/** Maximum number of numbers that are read from text nodes. */
const MAX_SHOWN_NUMBERS = 400;
const NUMBER = /-?\d+(?:\.\d+)?/;
const ONLY_NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * Returns the slider's `aria-valuenow` and the range that it declares; each is null without the attributes. Returns null
 * when the slider has left the document.
 */
export function readSlider(
  key: number,
): { readonly value: number | null; readonly range: ValueRange | null } | null {
  const slider = elementByKey(key);
  if (slider === null) return null;
  const number = (name: string): number | null => {
    const parsed = Number.parseFloat(getAttribute(slider, name) ?? '');
    return Number.isFinite(parsed) ? parsed : null;
  };
  const [value, min, max] = [number('aria-valuenow'), number('aria-valuemin'), number('aria-valuemax')];
  return { value, range: min === null || max === null ? null : { min, max, held: String(value ?? '') } };
}

/**
 * Returns the numbers in the texts and inputs of the page. Compare two calls: the number that
 * changes when the slider moves is the slider's value. Positions stay the same while the page keeps its structure.
 * @returns an empty list when the slider has left the document
 */
export function shownNumbers(key: number): ShownNumber[] {
  const slider = elementByKey(key);
  const body = bodyOf(document);
  if (slider === null || body === null) return [];
  const found: ShownNumber[] = [];
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  for (let nth = 0; walker.nextNode() !== null && found.length < MAX_SHOWN_NUMBERS; nth++) {
    const match = NUMBER.exec(characterData(walker.currentNode as Text));
    if (match !== null) found.push([nth, Number(match[0])]);
  }
  for (const [nth, input] of [...document.querySelectorAll('input')].entries())
    if (input !== slider && ONLY_NUMBER.test(inputValue(input)))
      found.push([-1 - nth, Number(inputValue(input))]);
  return found;
}
