/** The value of a slider that is no `input`, as it states it or as the page shows it. */
import { bodyOf, characters, getAttribute, inputValue } from '../dom/domGetters.ts';
import { elementByKey } from '../perceive/elementKeys.ts';

/** A number that the page shows. */
export type ShownNumber = readonly [position: number, value: number];

const MAX_SHOWN_NUMBERS = 400;
const NUMBER = /-?\d+(?:\.\d+)?/;
const ONLY_NUMBER = /^-?\d+(\.\d+)?$/;

/** The slider's `aria-valuenow`, null when it states none. Returns null when the slider is gone. */
export function readSlider(key: number): { readonly value: number | null } | null {
  const slider = elementByKey(key);
  if (slider === null) return null;
  const value = Number.parseFloat(getAttribute(slider, 'aria-valuenow') ?? '');
  return { value: Number.isFinite(value) ? value : null };
}

/**
 * The numbers in the texts and inputs of the page. The one that changes with the slider is its value.
 * @returns positions that stay the same from one call to the next while the page keeps its structure
 */
export function shownNumbers(key: number): ShownNumber[] {
  const slider = elementByKey(key);
  const body = bodyOf(document);
  if (slider === null || body === null) return [];
  const found: ShownNumber[] = [];
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  for (let nth = 0; walker.nextNode() !== null && found.length < MAX_SHOWN_NUMBERS; nth++) {
    const match = NUMBER.exec(characters(walker.currentNode as Text));
    if (match !== null) found.push([nth, Number(match[0])]);
  }
  for (const [nth, input] of [...document.querySelectorAll('input')].entries())
    if (input !== slider && ONLY_NUMBER.test(inputValue(input)))
      found.push([-1 - nth, Number(inputValue(input))]);
  return found;
}
