/** Reads the value of a slider that is not an `input`: from its ARIA attribute, or from numbers that the page shows. */
import { bodyOf, boxOf, composedParent, getAttribute, hasAttribute, textContent } from '../dom/domGetters.ts';
import { statedTraits } from '../perceive/element/customElement.ts';
import { sliderSource } from '../perceive/element/fields.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import { isTouchedOnly } from './listenedEvents.ts';

/** The numbers that a slider accepts, and what it holds now. */
export interface ValueRange {
  readonly min: number;
  readonly max: number;
  readonly held: string;
}

/**
 * A number that the page shows, and its position: the index of its text node in the document; for the value of an
 * `input`, -1 minus the index of the input.
 */
export type ShownNumber = readonly [position: number, value: number];

export interface SliderTrack {
  /** The point that the pointer presses, from the slider's top left corner. CSS pixels. */
  readonly press: { readonly x: number; readonly y: number };
  /** Distance along the track for one unit of the value; negative if the value grows upwards. CSS pixels. */
  readonly pixelsPerUnit: number;
  readonly isVertical: boolean;
  /** True if only a finger moves it. */
  readonly touch: boolean;
}

/** A track is at least this many times as long as its handle, or as it is thick. */
const MIN_TRACK_RATIO = 3;
/** Number of elements around a handle in which its track is searched. */
const MAX_ANCESTORS = 6;
/** The range of a slider that declares none (WAI-ARIA 1.2, slider). */
const [DEFAULT_MIN, DEFAULT_MAX] = [0, 100];

/** Maximum number of numbers that are read from text nodes. */
const MAX_SHOWN_NUMBERS = 400;
const NUMBER = /-?\d+(?:\.\d+)?/;
const ONLY_NUMBER = /^-?\d+(\.\d+)?$/;

/** The value of a slider and the range that it declares; each is null if it declares none. */
export interface SliderReading {
  readonly value: number | null;
  readonly range: ValueRange | null;
}

/** Returns the value and the range; null if the slider is gone, `stated` if only the browser knows them. */
export function readSlider(key: number): SliderReading | 'stated' | null {
  const slider = elementByKey(key);
  if (slider === null) return null;
  return statedRange(slider) === null ? readShown(slider) : 'stated';
}

function statedRange(slider: Element): SliderReading | null {
  const traits = statedTraits(slider);
  if (traits === null || traits.number === null || hasAttribute(slider, 'aria-valuenow')) return null;
  const { number, min, max } = traits;
  return { value: number, range: min === null || max === null ? null : { min, max, held: String(number) } };
}

function readShown(slider: Element): SliderReading {
  if (slider instanceof HTMLInputElement) return readRangeInput(slider);
  const source = sliderSource(slider);
  const number = (name: string): number | null => {
    const parsed = Number.parseFloat(getAttribute(source, name) ?? '');
    return Number.isFinite(parsed) ? parsed : null;
  };
  const [min, max] = [number('aria-valuemin'), number('aria-valuemax')];
  const value = number('aria-valuenow') ?? shownNumber(slider);
  return { value, range: min === null || max === null ? null : { min, max, held: String(value ?? '') } };
}

function shownNumber(element: Element): number | null {
  const text = getAttribute(element, 'role') === 'spinbutton' ? (textContent(element) ?? '').trim() : '';
  return ONLY_NUMBER.test(text) ? Number(text) : null;
}

function readRangeInput(input: HTMLInputElement) {
  const bound = (name: string, fallback: number) => Number(getAttribute(input, name) || fallback);
  const held = input.value;
  return {
    value: Number(held),
    range: { min: bound('min', DEFAULT_MIN), max: bound('max', DEFAULT_MAX), held },
  };
}

/** Returns the position of a slider on its track in percent, as its style states it; null if it states none. */
export function sliderPosition(key: number): number | null {
  const slider = elementByKey(key);
  const style = slider === null ? '' : (getAttribute(slider, 'style') ?? '');
  const percent = /(?:^|[;\s])(?:left|bottom|inset-inline-start)\s*:\s*([\d.]+)%/.exec(style)?.[1];
  return percent === undefined ? null : Number(percent);
}

/** Returns the numbers that the page shows: the one that changes with the slider is its value. */
export function shownNumbers(key: number): ShownNumber[] {
  const slider = elementByKey(key);
  const body = bodyOf(document);
  if (slider === null || body === null) return [];
  const found: ShownNumber[] = [];
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  for (let nth = 0; walker.nextNode() !== null && found.length < MAX_SHOWN_NUMBERS; nth++) {
    const match = NUMBER.exec((walker.currentNode as Text).data);
    if (match !== null) found.push([nth, Number(match[0])]);
  }
  for (const [nth, input] of [...document.querySelectorAll('input')].entries())
    if (input !== slider && ONLY_NUMBER.test(input.value)) found.push([-1 - nth, Number(input.value)]);
  return found;
}

/** Returns how a pointer moves the slider: itself, or in the first long element around it; null if it shows no track. */
export function sliderTrack(key: number): SliderTrack | null {
  const slider = elementByKey(key);
  if (slider === null) return null;
  const own = boxOf(slider);
  const { value, range } = statedRange(slider) ?? readShown(slider);
  const { min, max } = range ?? { min: DEFAULT_MIN, max: DEFAULT_MAX };
  const orientation = getAttribute(slider, 'aria-orientation');
  let at: Element | null = slider;
  for (let up = 0; at !== null && up <= MAX_ANCESTORS; up++, at = composedParent(at)) {
    const box = boxOf(at);
    const isVertical = orientation === null ? box.height > box.width : orientation === 'vertical';
    const length = isVertical ? box.height : box.width;
    // The slider itself is a track if it is long; an element around it, if it is long beside the slider.
    const isAcross = at === slider ? !isVertical : isVertical;
    if (length === 0 || length < MIN_TRACK_RATIO * (isAcross ? own.height : own.width)) continue;
    const part = at !== slider || value === null || max <= min ? 0.5 : (value - min) / (max - min);
    const press = isVertical
      ? { x: own.width / 2, y: own.height * (1 - part) }
      : { x: own.width * part, y: own.height / 2 };
    const pixelsPerUnit = max <= min ? 0 : ((isVertical ? -1 : 1) * length) / (max - min);
    return { press: inside(press, own), pixelsPerUnit, isVertical, touch: isTouchedOnly(key) };
  }
  return null;
}

/** Moves a point on the edge of a box one pixel into it. */
const inside = ({ x, y }: SliderTrack['press'], { width, height }: DOMRect): SliderTrack['press'] => ({
  x: Math.min(Math.max(x, 1), Math.max(1, width - 1)),
  y: Math.min(Math.max(y, 1), Math.max(1, height - 1)),
});
