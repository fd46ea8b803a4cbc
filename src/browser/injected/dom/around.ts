/** How far around an element what belongs to it is searched: pages and component libraries put boxes between the two. */
import { composedParent } from './domGetters.ts';

/** A label, an error, another part of a field: Bootstrap and Material put up to two boxes between them and the field. */
export const NEAR_LEVELS = 3;
/** The box of a widget around the field in it: the input of Ant Design's list of choices is four boxes inside of it. */
export const WIDGET_LEVELS = 4;
/** A cell, or an entry of a list, around something in it: data grids put up to ten boxes into a cell. */
export const ENTRY_LEVELS = 12;

export function* around(element: Element | null, levels: number): Generator<Element, void> {
  let at = element;
  for (let left = levels; at !== null && left > 0; left--, at = composedParent(at)) yield at;
}
