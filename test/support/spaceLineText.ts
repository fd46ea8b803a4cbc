/** Reads the text after the ids of actions in a line of `space.markdown`, by its grammar. */
export const QUOTED = '"[^"]*"';
/** Own words and quotations in any order. */
export const PHRASE = `(?:[^"]|${QUOTED})*`;
const NOTE = `(?:covered|clipped|excluded|takes a file|${QUOTED}(?:\\|${QUOTED})*)`;
/** The kind of an element, in own words. */
export const KIND = '(?: [^", (][^",]*?)?';
/** Several names, one for each id of a range. */
const NAMES = new RegExp(`^(${KIND})((?: ${QUOTED}){3,})((?:, ${PHRASE})?(?: \\(.*\\))?)$`);
/** Names that count, by the first and the last one. */
const SERIES = new RegExp(`^(${KIND}) (${QUOTED})–(${QUOTED})((?:, ${PHRASE})?(?: \\(.*\\))?)$`);
const BODY = new RegExp(
  `^(?: ([^", (][^",]*?))?(?: (${QUOTED}))?((?: ${QUOTED})?(?:, ${PHRASE}?)?)(?: \\((${NOTE}(?:, ${NOTE})*)\\))?$`,
);

export const unquote = (text: string): string => text.slice(1, -1);
export const quotations = (text: string): string[] =>
  [...text.matchAll(new RegExp(QUOTED, 'g'))].map(([all]) => all);

/** Returns the text of an action in a row that refers to another: that of the other one, with the states or the words of the row that it says. */
export function likeText(
  line: string,
  text: string,
  above: string,
  titleAbove: string | null,
  title: string | null,
): string {
  if (text.startsWith(',')) {
    const { role, name, notes } = bodyOf(line, above);
    return `${role === null ? '' : ` ${role}`}${name === null ? '' : ` ${name}`}${text}${notes === '' ? '' : ` (${notes})`}`;
  }
  if (text !== '' || title === null || titleAbove === null || titleAbove.length < 4) return text || above;
  const { name } = bodyOf(line, above);
  if (name === null || unquote(name) === titleAbove) return above;
  return above.replace(name, () => name.replace(titleAbove, () => title));
}

export function bodyOf(line: string, text: string) {
  const body = BODY.exec(text);
  if (body === null) throw new Error(`Not in the grammar: ${JSON.stringify(line)}`);
  const [, role = null, name = null, all = '', notes = ''] = body;
  const own = new RegExp(`^(${PHRASE}?), in (${QUOTED})$`).exec(all);
  return { role, name, states: own?.[1] ?? all, context: own === null ? null : unquote(own[2] ?? ''), notes };
}

/** Returns the text of each id: one of several names, or the same text for all. */
export function itemsOf(
  ids: readonly string[],
  text: string,
): { readonly id: string; readonly text: string }[] {
  const series = SERIES.exec(text);
  if (series !== null) {
    const [, kind = '', first = '', last = '', states = ''] = series;
    return ids.map((id, index) => ({
      id,
      text: `${kind} ${nameOfSeries(first, last, index, ids.length)}${states}`,
    }));
  }
  const [, kind = '', all = '', states = ''] = NAMES.exec(text) ?? [];
  const names = quotations(all);
  if (names.length > 0 && names.length !== ids.length) throw new Error(`Another number of names: ${text}`);
  return ids.map((id, index) => ({
    id,
    text: names.length === 0 ? text : `${kind} ${names[index]}${states}`,
  }));
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Returns a name between two that count: the number in which they differ is greater, and the day of the week another one. */
function nameOfSeries(first: string, last: string, index: number, count: number): string {
  const [from, to] = [first.split(/(\d+)/), last.split(/(\d+)/)];
  if (from.length !== to.length) throw new Error(`No series: ${first}–${last}`);
  let counts = 0;
  const name = from.map((part, nth) => {
    if (nth % 2 === 0)
      return part.replace(/[A-Z][a-z]+day\b/, day => WEEKDAYS[(WEEKDAYS.indexOf(day) + index) % 7] ?? day);
    if (Number(to[nth]) - Number(part) !== count - 1) return part;
    counts++;
    return String(Number(part) + index).padStart(part.startsWith('0') ? part.length : 1, '0');
  });
  if (counts === 0) throw new Error(`No series: ${first}–${last}`);
  return name.join('');
}

export function idsBetween(first: string, last: string): string[] {
  const [from, to] = [Number(first.slice(1)), Number(last.slice(1))];
  return Array.from({ length: to - from + 1 }, (_, index) => `${first.charAt(0)}${from + index}`);
}
