import { closest, contains, parentElement, queryAllIn } from '../../dom/domGetters.ts';
import { contentText } from './renderedText.ts';

/** The open list of a list of choices, which some keep inside of themselves. */
const POPUP = '[role=listbox], [role=dialog], [role=menu], [role=tree], [role=grid]';

/** Returns the text that a drawn list of choices shows as chosen: its text without its open list. */
export const comboboxText = (element: Element): string => contentText(element, false, popupIn(element));

/** Returns the open list inside; null if there is none. Some show what is chosen in a list too: that one stands before the open list. */
function popupIn(element: Element): Element | null {
  const popups = Array.from(queryAllIn(element, POPUP)).filter(
    popup => !isInPopup(parentElement(popup), element),
  );
  return popups.at(-1) ?? null;
}

/** Returns true for an element in another popup of the list of choices. */
function isInPopup(at: Element | null, list: Element): boolean {
  const around = at === null ? null : closest(at, POPUP);
  return around !== null && around !== list && contains(list, around);
}
