import type { Control } from '../injected/perceive/wireFormat.ts';
import { click } from './click.ts';
import { controlMedia } from './controlMedia.ts';
import type { ElementContext } from './elementContext.ts';
import { fillFormatted } from './fillFormatted.ts';
import { moveSlider } from './moveSlider.ts';
import { selectOptions } from './selectOptions.ts';
import { setChecked } from './setChecked.ts';
import { setInputFiles } from './setInputFiles.ts';
import { typeText } from './typeText.ts';

/** The function that performs a step on an element, by the control of the element. */
const PERFORMERS: Readonly<Record<Control, (element: ElementContext) => Promise<void>>> = {
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

/** Performs a step on an element: clicks, types, selects or what its control needs. @throws Failure ACTION_BLOCKED, VALIDATION_ERROR */
export const actOnElement = (element: ElementContext): Promise<void> =>
  PERFORMERS[element.listed.control](element);
