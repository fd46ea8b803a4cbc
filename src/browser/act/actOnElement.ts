import type { Control } from '../injected/perceive/wireFormat.ts';
import type { ElementContext, KeptCheck } from './element/elementContext.ts';
import { click } from './pointer/click.ts';
import { controlMedia } from './values/controlMedia.ts';
import { fillFormatted } from './values/fillFormatted.ts';
import { moveSlider } from './values/moveSlider.ts';
import { selectOptions } from './values/selectOptions.ts';
import { setChecked } from './values/setChecked.ts';
import { setInputFiles } from './values/setInputFiles.ts';
import { typeText } from './values/typeText.ts';

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
