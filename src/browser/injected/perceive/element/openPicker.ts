/** Recognizes inputs whose picker is open: that of the browser, which the pages of a session do not show. */
import { inputType, matches } from '../../dom/domGetters.ts';

/** Types of the inputs whose values a picker of the browser sets. */
const PICKED = /^(?:color|date|datetime-local|month|time|week)$/;
/** Since Chromium 133. */
const knowsOpen = CSS.supports('selector(:open)');

/** Returns true for an input whose picker the page has opened (`showPicker`, `click()`); the input itself can be hidden. */
export const isOpenPicker = (element: Element): boolean =>
  element instanceof HTMLInputElement &&
  PICKED.test(inputType(element)) &&
  knowsOpen &&
  matches(element, ':open');
