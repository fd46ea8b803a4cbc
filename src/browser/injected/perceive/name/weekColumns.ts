/**
 * Recognizes the days of a week view that state neither their day nor their times: columns beside an axis of times, below a row of days.
 */

import { around } from '../../dom/around.ts';
import { ofClassName } from '../../dom/classNames.ts';
import {
  boxOf,
  checkVisibility,
  closest,
  composedContains,
  composedParent,
  getAttribute,
  hasAttribute,
  parentElement,
  queryAllIn,
  queryIn,
} from '../../dom/domGetters.ts';
import { observation, remembered } from '../../dom/lifetimes.ts';
import { styleOf } from '../../dom/styleOf.ts';
import { normalizeText } from '../element/plainText.ts';

const DATE = /^\d{4}-\d\d-\d\d$/;

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

/** A row of times in a column: `element` is the label of the time on the axis. */
export interface ColumnRow {
  readonly minutes: number;
  readonly element: Element;
  /** Distance from the top of the column. CSS pixels. */
  readonly offset: number;
  readonly height: number;
}

interface TimeLabel {
  readonly minutes: number;
  readonly element: Element;
  /** Vertical middle of the label. CSS pixels. */
  readonly y: number;
}

const isColumnClass = ofClassName(className =>
  /(?:^|[\s_-])(?:day|days|weekday|columns?|time-?grid|time-?slots?)(?:$|[\s_-])/i.test(className),
);
/** Minimum height of a column. CSS pixels. */
const MIN_HEIGHT_PX = 240;
const MIN_LABELS = 6;
const VISIBLE = { visibilityProperty: true };
/** Number of ancestors of the columns among which the axis and the row of days are searched. */
const MAX_ANCESTORS = 7;
/** Maximum number of texts that are read for one week view. */
const MAX_TEXTS = 600;
const TIME = /^(\d{1,2})(?:[:.](\d\d))?\s*(?:([ap])\.?m\.?)?$/i;
const DAY_MINUTES = 24 * 60;
/** The height of a text that belongs to the row of a day, from the number of the day. CSS pixels. */
const MAX_ROW_DISTANCE_PX = 30;
/** The row of days may lie on the top of the columns by so much: it stays while they are scrolled. CSS pixels. */
const MAX_OVERLAP_PX = 4;
const CLOCK = /\d[:.]\d\d|\d\s*[ap]\.?m/i;
const MAX_NAME_LENGTH = 40;

/** The labels of the times beside the children of an element; null if it has no such columns. */
const axes = observation.value(() => new WeakMap<Element, readonly TimeLabel[] | null>());

/** Returns true for a day of a week view; searches the axis of its times the first time. */
export function findWeekColumn(element: Element, className: string | null): boolean {
  const parent = className !== null && isColumnClass(className) ? parentElement(element) : null;
  if (parent === null || boxOf(element).height < MIN_HEIGHT_PX) return false;
  const axis = remembered(axes(), parent, () =>
    areSideBySide(parent, element) ? timeAxis(parent, element) : null,
  );
  return axis !== null && weekColumnName(element) !== '';
}

/** Returns true for a day of a week view that the last observation has found. */
export function isWeekColumn(element: Element): boolean {
  const parent = parentElement(element);
  return parent !== null && axes().get(parent) != null && isColumnClass(getAttribute(element, 'class') ?? '');
}

/** Returns true if the parts of an element with the class of a column begin at one height. */
const areSideBySide = (parent: Element, column: Element): boolean =>
  Array.from(queryAllIn(parent, ':scope > [class]')).every(
    part =>
      !isColumnClass(getAttribute(part, 'class') ?? '') ||
      Math.abs(boxOf(part).top - boxOf(column).top) <= MAX_OVERLAP_PX,
  );

function timeAxis(parent: Element, column: Element): readonly TimeLabel[] | null {
  const { top, bottom } = boxOf(column);
  const { left } = boxOf(parent);
  for (const at of ancestorsOf(parent)) {
    const labels: TimeLabel[] = [];
    for (const { text, element } of textsIn(at)) {
      const minutes = minutesOf(text);
      if (minutes === null || composedContains(column, element) || !checkVisibility(element, VISIBLE))
        continue;
      const box = boxOf(element);
      const y = (box.top + box.bottom) / 2;
      const isBeside = box.left < left + box.width && y > top - box.height && y < bottom + box.height;
      if (isBeside && labels.at(-1)?.minutes !== minutes) labels.push({ minutes, element, y });
    }
    if (labels.length >= MIN_LABELS) return areEven(labels) ? labels : null;
  }
  return null;
}

/** Returns true if the times of the labels grow evenly from top to bottom. */
function areEven(labels: readonly TimeLabel[]): boolean {
  const [first, second] = labels;
  if (first === undefined || second === undefined) return false;
  const [minutes, pixels] = [second.minutes - first.minutes, second.y - first.y];
  return labels.every((label, index) => {
    const before = labels[index - 1];
    if (before === undefined) return true;
    return label.minutes - before.minutes === minutes && Math.abs(label.y - before.y - pixels) < pixels * 0.2;
  });
}

/** Returns the rows of the times of a day of a week view, earliest first; none for any other element. */
export function columnRows(column: Element): readonly ColumnRow[] {
  const parent = parentElement(column);
  const labels = parent === null ? null : (axes().get(parent) ?? null);
  const [first, second] = labels ?? [];
  if (labels === null || first === undefined || second === undefined || !isWeekColumn(column)) return [];
  const { top, height } = boxOf(column);
  const [firstY, secondY] = [middleOf(first.element), middleOf(second.element)];
  const step = second.minutes - first.minutes;
  const rowHeight = secondY - firstY;
  if (rowHeight <= 0) return [];
  const total = Math.round((height / rowHeight) * step);
  const isWholeDay = Math.abs(total - DAY_MINUTES) < step;
  // A label stands on the line of its time or below it: half a row says which.
  const start = isWholeDay ? 0 : first.minutes - Math.round(((firstY - top) / rowHeight) * 2) * (step / 2);
  const rows: ColumnRow[] = [];
  for (let minutes = start; minutes < start + total; minutes += step) {
    const label = labels.findLast(one => one.minutes <= minutes) ?? first;
    rows.push({
      minutes,
      element: label.element,
      offset: ((minutes - start) / step) * rowHeight,
      height: rowHeight,
    });
  }
  return rows;
}

/** Returns the text above a day of a week view in the row of the days, such as `9 Mon`; empty if there is none. */
export function weekColumnName(column: Element): string {
  const parent = parentElement(column);
  if (parent === null) return '';
  const { left, right, top } = boxOf(column);
  let visibleTop = top;
  for (const at of ancestorsOf(parent)) {
    visibleTop = Math.max(visibleTop, boxOf(at).top);
    const above = textsIn(at)
      .filter(({ element }) => !composedContains(parent, element))
      .map(({ text, element }) => ({ text, element, box: boxOf(element) }))
      .filter(({ box }) => {
        const middle = (box.left + box.right) / 2;
        return middle > left && middle < right && box.width < (right - left) * 1.5;
      })
      .filter(
        ({ text, box, element }) =>
          !CLOCK.test(text) && (box.top <= visibleTop + MAX_OVERLAP_PX || isInStickyRow(element, at)),
      )
      .sort((one, other) => one.box.top - other.box.top);
    const day = above.find(({ text }) => /(?:^|\D)\d{1,2}(?:\D|$)/.test(text) && minutesOf(text) === null);
    if (day === undefined) continue;
    const row = above.filter(({ box }) => Math.abs(box.top - day.box.top) < MAX_ROW_DISTANCE_PX);
    return normalizeText(row.map(({ text }) => text).join(' ')).slice(0, MAX_NAME_LENGTH);
  }
  return '';
}

/** Returns true for a text in a row that stays while the columns below it are scrolled, and so lies over them. */
function isInStickyRow(element: Element, end: Element): boolean {
  for (let at: Element | null = element; at !== null && at !== end; at = composedParent(at))
    if (styleOf(at).position === 'sticky') return true;
  return false;
}

function middleOf(element: Element): number {
  const { top, bottom } = boxOf(element);
  return (top + bottom) / 2;
}

const ancestorsOf = (element: Element): Iterable<Element> => around(composedParent(element), MAX_ANCESTORS);

function textsIn(box: Element): { readonly text: string; readonly element: Element }[] {
  const texts: { readonly text: string; readonly element: Element }[] = [];
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && texts.length < MAX_TEXTS; node = walker.nextNode()) {
    const text = normalizeText((node as Text).data);
    const element = text === '' ? null : composedParent(node);
    if (element !== null) texts.push({ text, element });
  }
  return texts;
}

/** Returns the minutes since midnight of a time on an axis, such as `9 am` or `10:30`; null for any other text. */
function minutesOf(text: string): number | null {
  const [, hour, minute, half] = TIME.exec(text) ?? [];
  if (minute === undefined && half === undefined) return null;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
  return hours > 24 ? null : hours * 60 + Number(minute ?? 0);
}

export interface TimeRow {
  readonly minutes: number;
  /** The element of the row; for a row with an `offset`, the label of its time. */
  readonly element: Element;
  /** Distance of the row from the top of the day, and its height, if no element has them. CSS pixels. */
  readonly offset?: number;
  readonly height?: number;
}

/** Number of ancestors of a day among which the rows of the times are searched, and the minimum number of rows. */
const MAX_CALENDAR_ANCESTORS = 9;
const MIN_ROWS = 3;
/** Minimum height of a day of a week view. CSS pixels. */
const MIN_TIMED_DAY_HEIGHT_PX = 120;
const DATA_TIME = /^(\d{1,2}):(\d\d)(?::\d\d)?$/;

/** Returns the rows of the times beside a day of a week view, earliest first; none for any other element. */
export function timeRows(day: Element): readonly TimeRow[] {
  const rows = columnRows(day);
  if (rows.length > 0) return rows;
  if (!hasAttribute(day, 'data-date') || boxOf(day).height < MIN_TIMED_DAY_HEIGHT_PX) return [];
  for (const at of around(composedParent(day), MAX_CALENDAR_ANCESTORS)) {
    const rows = queryAllIn(at, '[data-time]');
    if (rows.length < MIN_ROWS) continue;
    const byTime = new Map<number, Element>();
    for (const element of rows) {
      const minutes = minutesOfDay(getAttribute(element, 'data-time') ?? '');
      if (minutes !== null && boxOf(element).height > 0) byTime.set(minutes, element);
    }
    return [...byTime]
      .map(([minutes, element]) => ({ minutes, element: closest(element, 'tr') ?? element }))
      .sort((one, other) => one.minutes - other.minutes);
  }
  return [];
}

/** Returns the minutes since midnight of a time such as `10:30`; null for any other text. */
export function minutesOfDay(text: string): number | null {
  const match = DATA_TIME.exec(text.trim());
  return match === null ? null : Number(match[1]) * 60 + Number(match[2]);
}
