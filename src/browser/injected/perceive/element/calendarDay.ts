/** Recognizes the days of calendars by the date that their cells state. */
import { closest, getAttribute } from '../../dom/domGetters.ts';

const DATE = /^\d{4}-\d\d-\d\d$/;

/** Returns true for the cell of a day. */
export const isCalendarDay = (element: Element): boolean =>
  DATE.test(getAttribute(element, 'data-date') ?? '');

/** Returns the date of the day that contains an element, such as `2026-03-20`; empty outside of a day. */
export function dateAround(element: Element): string {
  const cell = closest(element, 'td[data-date], [role=gridcell][data-date]');
  const date = cell === null ? '' : (getAttribute(cell, 'data-date') ?? '');
  return DATE.test(date) ? date : '';
}
