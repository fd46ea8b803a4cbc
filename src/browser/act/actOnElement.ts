import type { Control } from '../injected/perceive/wireFormat.ts';
import { click } from './click.ts';
import { controlMedia } from './controlMedia.ts';
import type { ElementContext, KeptCheck } from './elementContext.ts';
import { fillFormatted } from './fillFormatted.ts';
import { moveSlider } from './moveSlider.ts';
import { selectOptions } from './selectOptions.ts';
import { setChecked } from './setChecked.ts';
import { setInputFiles } from './setInputFiles.ts';
import { typeText } from './typeText.ts';

/** The function that performs a step on an element, by the control of the element. */
const PERFORMERS: Readonly<
  Record<Control, (element: ElementContext) => Promise<KeptCheck | null> | Promise<void>>
> = {
  click,
  canvas: click,
  media: controlMedia,
  text: typeText,
  contenteditable: typeText,
  number: fillFormatted,
  range: fillFormatted,
  date: fillFormatted,
  time: fillFormatted,
  datetime: fillFormatted,
  month: fillFormatted,
  week: fillFormatted,
  color: fillFormatted,
  select: selectOptions,
  checkbox: setChecked,
  radio: setChecked,
  slider: moveSlider,
  file: setInputFiles,
};

/**
 * Performs a step on an element: clicks, types, selects or what its control needs.
 * @returns a check for the time when the page has settled; null for none
 * @throws Failure ACTION_BLOCKED, ACTION_STALE, VALIDATION_ERROR, VALUE_REFUSED
 */
export const actOnElement = async (element: ElementContext): Promise<KeptCheck | null> =>
  (await PERFORMERS[element.listed.control](element)) ?? null;
