/** Finds buttons that are not rendered until the pointer is over the row that contains them. */

import { boxOf, checkVisibility, composedParent, matches, queryAllIn } from '../../dom/domGetters.ts';
import { BUTTONS } from '../../dom/vocabulary.ts';
import type { Candidate } from '../candidate.ts';
import type { StyleRules } from '../element/styleRules.ts';

/** A button that is not rendered, and the element over which the pointer must be for it. */
interface HiddenButton {
  readonly button: Element;
  readonly host: Element;
}

/** Number of ancestors among which the element is searched over which the pointer must be. */
const MAX_ANCESTORS = 5;
/** A box with more buttons than this is a menu or a dialog, which something else opens. */
const MAX_BUTTONS = 6;

/** Returns the buttons that an unrendered element is or contains, if a style rule renders it while the pointer is over an element around it. */
export function buttonsShownOnHover(element: Element, { opensOnHover }: StyleRules): readonly HiddenButton[] {
  let host = composedParent(element);
  for (let up = 0; host !== null && !opensOnHover(host); up++, host = composedParent(host))
    if (up >= MAX_ANCESTORS) return [];
  if (host === null || !checkVisibility(host) || matches(host, 'body')) return [];
  const buttons = matches(element, BUTTONS)
    ? [element]
    : Array.from(queryAllIn(element, BUTTONS)).slice(0, MAX_BUTTONS + 1);
  if (buttons.length > MAX_BUTTONS) return [];
  const shownBy = host;
  return buttons.map(button => ({ button, host: shownBy }));
}

/** Returns the element over which the pointer must be for a candidate to be rendered; null if it is rendered, or nothing shows it. */
export const hoverHostOf = ({ shownBy, element }: Candidate): Element | null =>
  shownBy === undefined || checkVisibility(element) ? null : shownBy;

export function pointOver(host: Element): readonly [number, number] | null {
  const { left, top, width, height } = boxOf(host);
  const x = left + width / 2;
  const y = top + height / 2;
  return x > 0 && y > 0 && x < innerWidth && y < innerHeight ? [x, y] : null;
}
