/** The text around an element that says which of several things it belongs to: the row of a button, the month of a day. */
import { around } from '../../dom/around.ts';
import { bodyOf, composedContains, composedParent, localName, queryAllIn } from '../../dom/domGetters.ts';
import { remembered } from '../../dom/lifetimes.ts';
import { whileTreeStands } from '../../dom/whileTreeStands.ts';
import { optionText } from '../element/fields.ts';
import { normalizeText, truncate } from '../element/plainText.ts';
import { hasShadowTrees } from '../element/shadowRootOf.ts';

const MAX_ROW_ANCESTORS = 4;
/** Maximum number of ancestors among which the month of a day is searched. */
const MAX_MONTH_ANCESTORS = 7;
/** Maximum number of texts near a day that are compared. A calendar has its month at the top, before its events. */
const MAX_MONTH_TEXTS = 4;
const MAX_READ_TEXTS = 200;
const MAX_TEXT_LENGTH = 60;

/** Matches a name that is only a number, such as a day: the month says which day it is. */
const NUMBER = /^\d{1,2}$/;
const LETTERS = /\p{L}{2}/u;
const YEAR = /(?:^|\D)(?:19|20)\d\d(?:\D|$)/;

export interface ContextSearch {
  /** Names that several elements have, such as `Edit` in each row: they identify no row. */
  readonly repeatedNames: ReadonlySet<string>;
  /** The texts near the days of calendars, by the box that contains them. */
  readonly monthTexts: Map<Element, readonly string[]>;
  readonly rows: RowContexts;
}

/** The contexts of elements by their rows, which depend only on the tree of the document and on the names that are repeated. */
interface RowContexts {
  /** The first text of each box in which the row of an element was searched; null for a box without one. */
  readonly texts: Map<Element, FoundText | null>;
  readonly contexts: Map<Element, string>;
}

const noRows = (): RowContexts => ({ texts: new Map(), contexts: new Map() });

/** Returns a search that reads everything again. @param repeatedNames the names that several elements have */
export const contextSearch = (repeatedNames: ReadonlySet<string>, rows = noRows()): ContextSearch => ({
  repeatedNames,
  monthTexts: new Map(),
  rows,
});

/** Returns a search for a list: in a document that has not changed since the last one, it knows the rows from there. */
export const contextSearchOfList = (repeatedNames: ReadonlySet<string>): ContextSearch =>
  contextSearch(repeatedNames, rowsBeside([...repeatedNames].join('\n')));

function rowsBeside(names: string): RowContexts {
  if (hasShadowTrees()) return noRows();
  const kept = whileTreeStands('row contexts', () => ({ names, rows: noRows() }));
  if (kept.names !== names) Object.assign(kept, { names, rows: noRows() });
  return kept.rows;
}

interface FoundText {
  readonly text: string;
  readonly parent: Element;
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** Returns true if the name does not identify an element by itself. @param isRepeated true when other elements have the same name */
export const needsContext = (name: string, isRepeated: boolean): boolean => isRepeated || NUMBER.test(name);

/** Returns the year and month near a number, else the first text of the nearest box that has other text than the element. */
export function identifyingContext(element: Element, name: string, search: ContextSearch): string {
  return NUMBER.test(name) ? monthContext(element, search.monthTexts) : rowContext(element, search);
}

const rowContext = (element: Element, search: ContextSearch): string =>
  remembered(search.rows.contexts, element, () => findRowContext(element, search));

function findRowContext(element: Element, { repeatedNames, rows: { texts } }: ContextSearch): string {
  for (const box of ancestorsOf(element, MAX_ROW_ANCESTORS)) {
    const first = remembered(texts, box, () => textsIn(box, null, 1, repeatedNames)[0] ?? null);
    if (first === null) continue;
    if (!composedContains(element, first.parent)) return first.text;
    const [other] = textsIn(box, element, 1, repeatedNames);
    if (other !== undefined) return other.text;
  }
  return '';
}

function monthContext(element: Element, cache: Map<Element, readonly string[]>): string {
  for (const box of ancestorsOf(element, MAX_MONTH_ANCESTORS)) {
    const texts = remembered(cache, box, () => [
      ...textsIn(box, null, MAX_MONTH_TEXTS, NO_NAMES).map(({ text }) => text),
      ...chosenValues(box),
    ]);
    if (texts.some(text => YEAR.test(text))) return texts.join(' · ');
  }
  return '';
}

/** Returns the elements around an element, below the body. */
const ancestorsOf = (element: Element, max: number): readonly Element[] => {
  const path = [...around(composedParent(element), max)];
  const end = path.indexOf(bodyOf(document) as Element);
  return end < 0 ? path : path.slice(0, end);
};

/** Returns the first texts with letters or a year in a box, without those of one element and without `skipped`. */
function textsIn(
  box: Element,
  without: Element | null,
  max: number,
  skipped: ReadonlySet<string>,
): FoundText[] {
  const texts: FoundText[] = [];
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (let read = 0; texts.length < max && read < MAX_READ_TEXTS; read++) {
    const node = walker.nextNode();
    if (node === null) break;
    const text = (node as Text).data;
    if (!LETTERS.test(text) && !YEAR.test(text)) continue;
    const parent = composedParent(node);
    if (parent === null || /^(option|script|style)$/.test(localName(parent))) continue;
    const normal = normalizeText(text);
    if (!skipped.has(normal) && (without === null || !composedContains(without, parent)))
      texts.push({ text: truncate(normal, MAX_TEXT_LENGTH), parent });
  }
  return texts;
}

/** Returns the chosen options of the lists in a box, and the years in its fields: some calendars choose the month by them. */
function chosenValues(box: Element): string[] {
  const values: string[] = [];
  for (const control of Array.from(queryAllIn(box, 'select, input')).slice(0, MAX_MONTH_TEXTS))
    if (control instanceof HTMLSelectElement) {
      const chosen = control.options.item(control.selectedIndex);
      if (chosen !== null) values.push(optionText(chosen).name);
    } else if (control instanceof HTMLInputElement && YEAR.test(control.value)) values.push(control.value);
  return values;
}
