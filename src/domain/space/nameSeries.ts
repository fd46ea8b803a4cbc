/** Finds names that count: the years of a list of choices, the days of a calendar. The first and the last one say all of them. */

/** Minimum number of names that are written as a series. */
export const MIN_SERIES = 7;
/** Maximum number of names that are compared at once: a part of a series has fewer. */
export const MAX_SERIES = 24;
/** A word that comes again with each seventh name: the day of the week. */
const WEEK = 7;
/** Minimum number of names of a part of a series, so that its parts can begin at round numbers. */
const MIN_PART = 3;
const ROUND = 10;

/** A name, divided at its numbers: texts at even places, numbers at odd ones. */
type Parts = readonly string[];

const partsOf = (name: string): Parts =>
  name
    .split(/(\d{1,9})/)
    .map((part, index) => (index > 0 && index % 2 === 0 ? part.replace(/^(?:st|nd|rd|th)\b/, '') : part));

/** Returns the place of the number that is one greater than in the name before, if no other number differs; -1 if there is none. */
function countingPlace(before: Parts, now: Parts): number {
  if (before.length !== now.length) return -1;
  let place = -1;
  for (let index = 1; index < now.length; index += 2) {
    const [one = '', other = ''] = [before[index], now[index]];
    if (one === other) continue;
    const isNext = Number(other) === Number(one) + 1 && (one.length === other.length || /^9+$/.test(one));
    if (!isNext || place >= 0) return -1;
    place = index;
  }
  return place;
}

/** Returns true if the words around the numbers are those of the name before, or of the name a week before. */
function hasSameWords(names: readonly Parts[], at: number): boolean {
  const [now = [], before = [], weekBefore = null] = [names[at], names[at - 1], names[at - WEEK]];
  const isSame = (other: Parts): boolean =>
    now.every((part, index) => index % 2 === 1 || part === other[index]);
  if (isSame(before)) return true;
  // Only the first word may differ, and in each name of the week.
  const isOtherDay = now.every((part, index) => index % 2 === 1 || index === 0 || part === before[index]);
  const start = now[0]?.replace(/^\p{L}+/u, '');
  if (!isOtherDay || start === now[0] || start !== before[0]?.replace(/^\p{L}+/u, '')) return false;
  return weekBefore === null || isSame(weekBefore);
}

/** Returns the end of the names from this one on that count up by one, each like the one before: `1925` to `1999`, `Friday, May 1` to `Sunday, May 31`; less than `MIN_SERIES` beyond the start if there are too few. */
export function endOfSeries(names: readonly string[], start: number): number {
  const parts: Parts[] = [];
  let place = -1;
  let end = start;
  for (; end < names.length; end++) {
    const name = names[end];
    if (name === undefined) break;
    parts.push(partsOf(name));
    const at = parts.length - 1;
    if (at === 0) continue;
    const counting = countingPlace(parts[at - 1] ?? [], parts[at] ?? []);
    if (counting < 0 || (place >= 0 && counting !== place) || !hasSameWords(parts, at)) break;
    place = counting;
  }
  const isWeekly = parts[0]?.[0] !== parts[1]?.[0];
  return isWeekly && end - start <= WEEK ? start + 1 : end;
}

/** Returns the end of the first part of a series: parts begin at round numbers, so that a reader finds an id without counting far. */
export function endOfPart(names: readonly string[], start: number, end: number): number {
  const place = countingPlace(partsOf(names[start] ?? ''), partsOf(names[start + 1] ?? ''));
  const numberAt = (index: number): number => Number(partsOf(names[index] ?? '')[place]);
  for (let at = start + MIN_PART; at <= end - MIN_PART; at++) if (numberAt(at) % ROUND === 0) return at;
  return end;
}
