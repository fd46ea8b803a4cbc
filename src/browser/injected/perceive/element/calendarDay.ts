/** Recognizes the days of calendars by the date that their cells state. */
import { closest, getAttribute, queryIn } from '../../dom/domGetters.ts';

const DATE = /^\d{4}-\d\d-\d\d$/;

/** Returns true for the cell of a day. */
export const isCalendarDay = (element: Element): boolean => dateOf(element) !== '';

/** Returns the date that a cell states, by an attribute or by the `time` in a cell of a grid; empty if it states none. */
function dateOf(cell: Element): string {
  const stated = getAttribute(cell, 'data-date') ?? '';
  if (DATE.test(stated)) return stated;
  const role = getAttribute(cell, 'role');
  const time = role === 'cell' || role === 'gridcell' ? queryIn(cell, 'time[datetime]') : null;
  const date = time === null ? '' : (getAttribute(time, 'datetime') ?? '');
  return DATE.test(date) ? date : '';
}

/** Returns the date of the day that contains an element, such as `2026-03-20`; empty outside of a day. */
export function dateAround(element: Element): string {
  const cell = closest(element, 'td[data-date], [role=gridcell], [role=cell]');
  return cell === null ? '' : dateOf(cell);
}
