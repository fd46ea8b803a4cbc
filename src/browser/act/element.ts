/** What a step on an element does, by the element's control. */
import type { Control } from '../perceive/raw.ts';
import type { Acting } from './acting.ts';
import { chooseOptions, setChecked } from './choose.ts';
import { click } from './click.ts';
import { chooseFiles } from './files.ts';
import { fillFormatted, typeText } from './fill.ts';
import { controlMedia } from './media.ts';
import { slide } from './slide.ts';

/** Controls → what sets them. Adding a control is one line here and its file. */
const PERFORMERS: Readonly<Record<Control, (acting: Acting) => Promise<void>>> = {
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
  select: chooseOptions,
  checkbox: setChecked,
  radio: setChecked,
  slider: slide,
  file: chooseFiles,
};

/** @throws Failure ACTION_BLOCKED, VALIDATION_ERROR */
export const actOnElement = (acting: Acting): Promise<void> => PERFORMERS[acting.listed.control](acting);
