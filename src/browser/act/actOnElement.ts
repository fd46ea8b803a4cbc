/** What a step on an element does, by the element's control. */
import type { Control } from '../injected/perceive/wireFormat.ts';
import { click } from './click.ts';
import { controlMedia } from './controlMedia.ts';
import type { ElementContext } from './elementContext.ts';
import { moveSlider } from './moveSlider.ts';
import { selectOptions, setChecked } from './selectOptions.ts';
import { setInputFiles } from './setInputFiles.ts';
import { fillFormatted, typeText } from './typeText.ts';

/** Controls → what sets them. Adding a control is one line here and its file. */
const PERFORMERS: Readonly<Record<Control, (acting: ElementContext) => Promise<void>>> = {
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

/** @throws Failure ACTION_BLOCKED, VALIDATION_ERROR */
export const actOnElement = (element: ElementContext): Promise<void> =>
  PERFORMERS[element.listed.control](element);
