/** Recognizes the days of a week view, where the height of a press decides its time, and finds the height of a time. */
import {
  boxOf,
  closest,
  composedParent,
  getAttribute,
  hasAttribute,
  queryAllIn,
} from '../../dom/domGetters.ts';
import { columnRows } from './weekColumns.ts';

/** The row of a time in a week view. */
interface TimeRow {
  readonly minutes: number;
  /** The element of the row; for a row with an `offset`, the label of its time. */
  readonly element: Element;
  /** Distance of the row from the top of the day, and its height, if no element has them. CSS pixels. */
  readonly offset?: number;
  readonly height?: number;
}

/** Number of ancestors of a day among which the rows of the times are searched, and the minimum number of rows. */
const MAX_ANCESTORS = 9;
const MIN_ROWS = 3;
/** Minimum height of a day of a week view. CSS pixels. */
const MIN_HEIGHT_PX = 120;
const TIME = /^(\d{1,2}):(\d\d)(?::\d\d)?$/;

/** Returns the rows of the times beside a day of a week view, earliest first; none for any other element. */
export function timeRows(day: Element): readonly TimeRow[] {
  const rows = columnRows(day);
  if (rows.length > 0) return rows;
  if (!hasAttribute(day, 'data-date') || boxOf(day).height < MIN_HEIGHT_PX) return [];
  let at = composedParent(day);
  for (let up = 0; at !== null && up < MAX_ANCESTORS; up++, at = composedParent(at)) {
    const rows = queryAllIn(at, '[data-time]');
    if (rows.length < MIN_ROWS) continue;
    const byTime = new Map<number, Element>();
    for (const element of rows) {
      const minutes = minutesOf(getAttribute(element, 'data-time') ?? '');
      if (minutes !== null && boxOf(element).height > 0) byTime.set(minutes, element);
    }
    return [...byTime]
      .map(([minutes, element]) => ({ minutes, element: closest(element, 'tr') ?? element }))
      .sort((one, other) => one.minutes - other.minutes);
  }
  return [];
}

/** Returns the minutes since midnight of a time such as `10:30`; null for any other text. */
export function minutesOf(text: string): number | null {
  const match = TIME.exec(text.trim());
  return match === null ? null : Number(match[1]) * 60 + Number(match[2]);
}
