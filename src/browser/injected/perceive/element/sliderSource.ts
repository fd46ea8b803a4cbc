import { queryIn } from '../../dom/domGetters.ts';

/** A range input that takes no keys: a library writes into it, for screen readers, what the handle around it holds. */
const STATED = 'input[type=range][tabindex="-1"]';

/** Returns the element that states the value and the range of a slider: an input that its handle keeps for it, else the slider itself. */
export const sliderSource = (slider: Element): Element => queryIn(slider, STATED) ?? slider;

/** Returns true for a box that keeps such an input. */
export const hasSliderSource = (slider: Element): boolean => queryIn(slider, STATED) !== null;
