import { boxOf, closest, composedContains } from '../dom/domGetters.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import { minutesOf, timeRows } from '../perceive/name/timeColumn.ts';
import { deepestElementAt } from '../perceive/reach/hitTest.ts';
import { expectOwnScroll } from '../settle/quiet.ts';

/** Distance below the line of a time at which it is pressed. CSS pixels. */
const BELOW_LINE_PX = 2;

/**
 * Scrolls a time of a day in a week view into view, and returns its point of the viewport. Null if the element is no such day, shows no
 * such time, or something else lies there.
 */
export function timePoint(key: number, time: string): readonly [number, number] | null {
  const day = elementByKey(key);
  const minutes = minutesOf(time);
  if (day === null || minutes === null) return null;
  const rows = timeRows(day);
  const index = rows.findLastIndex(row => row.minutes <= minutes);
  const row = rows[index];
  if (row === undefined) return null;
  const length =
    (rows[index + 1]?.minutes ?? row.minutes + row.minutes - (rows[index - 1]?.minutes ?? 0)) - row.minutes;
  if (minutes >= row.minutes + length) return null;
  expectOwnScroll();
  Element.prototype.scrollIntoView.call(row.element, {
    block: 'center',
    inline: 'nearest',
    behavior: 'instant',
  });
  const column = boxOf(day);
  const slot =
    row.offset === undefined ? boxOf(row.element) : { top: column.top + row.offset, height: row.height ?? 0 };
  const x = column.left + column.width / 2;
  const y = slot.top + (slot.height * (minutes - row.minutes)) / length + BELOW_LINE_PX;
  const top = deepestElementAt(x, y);
  // The rows of a table of times can lie above the days, and take the presses for them.
  const rowsTable = closest(row.element, 'table') ?? row.element;
  const isFree =
    top !== null &&
    (composedContains(day, top) || composedContains(rowsTable, top) || composedContains(top, row.element));
  return isFree ? [x, y] : null;
}
