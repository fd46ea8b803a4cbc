import { queryIn } from '../../dom/domGetters.ts';
import { contentText } from './renderedText.ts';

/** The open list of a list of choices, which some keep inside of themselves. */
const POPUP = '[role=listbox], [role=dialog], [role=menu], [role=tree], [role=grid]';

/** Returns what a drawn list of choices shows as chosen: its text without its open list. */
export const comboboxText = (element: Element): string =>
  contentText(element, false, queryIn(element, POPUP));
