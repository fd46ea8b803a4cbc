/** Reads the values that a plan describes: from the flat copy of the visible page, else from the live document. */
import type { ExtractPlan } from '../../../domain/content/extractPlan.ts';
import type { Json } from '../../../domain/json.ts';
import { cutText } from '../../../domain/space/pageText.ts';
import { documentElement, getAttribute, queryAllIn, textContent } from '../dom/domGetters.ts';
import { collapseWhitespace } from './article/textStats.ts';
import { readableText } from './clean/readableText.ts';
import { type GridRow, headerRowCount, isHeaderRow, tableGrid } from './clean/tables.ts';
import type { ExtractResponse } from './pageScraper.ts';
import { flatten } from './snapshot/flatten.ts';
import { takeRequestedHosts } from './snapshot/shadowRoots.ts';

const TABLES = 'table, [role=grid], [role=treegrid], [role=table]';

/**
 * Returns the cells below a column header, from top to bottom: of the row that contains `scope` if it is in a row, else of all
 * rows of the first table in `scope` that has the header. A cell that covers several rows is in each of them. Empty if there is none.
 * @param isHeader returns true for the text of the header
 */
function cellsOfColumn(scope: Element, isHeader: (text: string) => boolean): readonly Element[] {
  const row = scope.closest('tr, [role=row]');
  const around = row?.closest(TABLES) ?? null;
  const tables = around === null ? [...scope.querySelectorAll(TABLES)] : [around];
  if (scope.matches(TABLES)) tables.unshift(scope);
  for (const table of tables) {
    const grid = tableGrid(table);
    const headers = grid.filter(one => isHeaderRow(one) || isFirstOfPlainTable(one, grid));
    const found = columnIn(headers, headerRowCount(grid), isHeader);
    if (found === null) continue;
    const body =
      row === null ? grid.slice(grid.indexOf(found.header) + 1) : grid.filter(one => one.row === row);
    return body
      .filter(one => !headers.includes(one))
      .map(({ places }) => places[found.column]?.cell)
      .filter(cell => cell !== undefined);
  }
  return [];
}

/** Returns the column with the header, and the row of it; null if there is none. The header may also be all headers above the column. */
function columnIn(
  headers: readonly GridRow[],
  leading: number,
  isHeader: (text: string) => boolean,
): { readonly header: GridRow; readonly column: number } | null {
  for (const header of headers) {
    const column = header.places.findIndex(
      place => place !== undefined && isHeader(readableText(place.cell)),
    );
    if (column >= 0) return { header, column };
  }
  const head = headers.slice(0, leading);
  const last = head.at(-1);
  if (last === undefined || head.length < 2) return null;
  const column = last.places.findIndex((_, at) => {
    const cells = new Set(head.map(({ places }) => places[at]?.cell).filter(cell => cell !== undefined));
    return isHeader(Array.from(cells, readableText).join(' '));
  });
  return column < 0 ? null : { header: last, column };
}

const isFirstOfPlainTable = (one: GridRow, grid: readonly GridRow[]): boolean =>
  one === grid[0] &&
  one.places.length > 2 &&
  !grid.some(({ row }) => row.querySelector('th, [role=columnheader]') !== null);

/** Maximum number of items in one list; further items are left out. */
const MAX_ITEMS = 1_000;
/** Maximum number of values in one result; further values are null. */
const MAX_VALUES = 20_000;
/** Maximum length of a value; longer ones are cut. */
const MAX_VALUE_CHARACTERS = 20_000;
/** Maximum length of all values together; the rest is cut. */
const MAX_TOTAL_CHARACTERS = 5_000_000;

interface ExtractState {
  /** The root of the live document, for values that are not visible: `meta`, attributes of hidden elements. */
  readonly liveRoot: Element | null;
  /** The names and indexes of the parts around the current one. */
  readonly path: string[];
  /** The paths of the values whose elements the page does not show. */
  readonly hidden: string[];
  remainingValues: number;
  remainingCharacters: number;
  isTruncated: boolean;
}

/**
 * Reads the values that a plan describes. Each is a string, or null if nothing was found; the host converts them to the
 * types of the schema.
 */
export function extractValues(page: Document, plan: ExtractPlan): ExtractResponse {
  const invalidSelectors = findInvalidSelectors(plan);
  if (invalidSelectors.length > 0)
    return { invalidSelectors, value: null, language: '', hidden: [], hostCount: 0, isTruncated: false };
  const { document, isTruncated } = flatten(page, { fullPage: true, onVisible: null });
  const state: ExtractState = {
    liveRoot: documentElement(page),
    path: [],
    hidden: [],
    remainingValues: MAX_VALUES,
    remainingCharacters: MAX_TOTAL_CHARACTERS,
    isTruncated,
  };
  const value = readValue(plan, document.body, state);
  return {
    invalidSelectors,
    value,
    language: (state.liveRoot && getAttribute(state.liveRoot, 'lang')) ?? '',
    hidden: state.hidden,
    hostCount: takeRequestedHosts(),
    isTruncated: state.isTruncated,
  };
}

/** Returns the paths of the plan's parts whose selector the browser does not accept. */
function findInvalidSelectors(plan: ExtractPlan): string[] {
  const inner = [
    ...plan.properties.map(({ plan: part }) => part),
    ...(plan.items === null ? [] : [plan.items]),
  ];
  const own = plan.selector === null || isValidSelector(plan.selector) ? [] : [plan.path];
  return [...own, ...inner.flatMap(findInvalidSelectors)];
}

/** Returns true for a selector that the browser accepts. */
export function isValidSelector(selector: string): boolean {
  try {
    new DocumentFragment().querySelector(selector);
    return true;
  } catch {
    return false;
  }
}

function readValue(plan: ExtractPlan, scope: Element, state: ExtractState): Json {
  if (plan.type === 'array') return readList(plan, scope, state);
  const found = findElement(plan, scope, state);
  if (plan.type === 'object') return found === null ? null : readObject(plan, found, state);
  if (found === null) return null;
  const text = readText(plan, found) || hiddenText(plan, found, state);
  if (plan.attribute === null && isLive(found) && !UNSEEN_ELEMENTS.has(found.localName)) noteHidden(state);
  const kept = text == null ? null : cutText(text, Math.min(MAX_VALUE_CHARACTERS, state.remainingCharacters));
  state.remainingCharacters -= kept?.length ?? 0;
  const fits = state.remainingValues-- > 0 && (kept === null || kept.length === text?.length);
  if (!fits) state.isTruncated = true;
  return state.remainingValues < 0 ? null : kept;
}

function readObject(plan: ExtractPlan, element: Element, state: ExtractState): Json {
  const value: Record<string, Json> = Object.create(null);
  for (const { name, plan: inner } of plan.properties)
    value[name] = within(state, name, () => readValue(inner, element, state));
  return value;
}

/** Reads a list: one item from each element that matches the list's own selector or, without one, the selector of its items. */
function readList(plan: ExtractPlan, scope: Element, state: ExtractState): Json {
  const items = plan.items;
  if (items === null) return null;
  const selector = plan.selector ?? items.selector;
  const elements =
    selector === null && plan.label !== null
      ? columnByLabel(plan.label, scope)
      : findAll(selector, scope, state);
  const own = plan.selector === null ? { ...items, selector: null, label: null } : { ...items, label: null };
  if (elements.length > MAX_ITEMS) state.isTruncated = true;
  return elements
    .slice(0, MAX_ITEMS)
    .map((element, at) => within(state, String(at), () => readValue(own, element, state)));
}

function within(state: ExtractState, name: string, read: () => Json): Json {
  state.path.push(name);
  const value = read();
  state.path.pop();
  return value;
}

/** Maximum number of hidden values that are reported. */
const MAX_HIDDEN = 1_000;

function noteHidden({ hidden, path }: ExtractState): void {
  if (hidden.length < MAX_HIDDEN) hidden.push(path.join('.'));
}

/** Elements that no page shows and that have values nevertheless. */
const UNSEEN_ELEMENTS = new Set('meta title script link input html head body'.split(' '));

const isLive = (element: Element): boolean => element.ownerDocument === document;

/** Returns the text of an element of which the page shows nothing, from the live document, and notes that; null if it has none. */
function hiddenText(plan: ExtractPlan, element: Element, state: ExtractState): string | null {
  const { selector, attribute } = plan;
  if (selector === null || attribute !== null || isLive(element) || state.liveRoot === null)
    return readText(plan, element);
  const copies = [...(element.ownerDocument.body.querySelectorAll(selector) ?? [])];
  const originals = queryAllIn(state.liveRoot, selector);
  const original = copies.length === originals.length ? originals[copies.indexOf(element)] : undefined;
  const text = original === undefined ? '' : collapseWhitespace(textContent(original) ?? '');
  if (text === '') return readText(plan, element);
  noteHidden(state);
  return text;
}

function findElement(plan: ExtractPlan, scope: Element, state: ExtractState): Element | null {
  if (plan.selector !== null) return findAll(plan.selector, scope, state)[0] ?? null;
  // An object without a selector groups values from its parent's element.
  if (plan.type === 'object' || plan.label === null) return scope;
  return findByLabel(plan.label, scope);
}

function findAll(selector: string | null, scope: Element, state: ExtractState): Element[] {
  if (selector === null) return [];
  const shown = [...scope.querySelectorAll(selector)];
  if (shown.length > 0 || state.liveRoot === null || scope.localName !== 'body') return shown;
  return [...queryAllIn(state.liveRoot, selector)];
}

function readText(plan: ExtractPlan, element: Element): string | null {
  if (plan.attribute !== null) return getAttribute(element, plan.attribute);
  const held = VALUE_ATTRIBUTES[element.localName];
  const value = held === undefined ? null : getAttribute(element, held);
  if (element.localName === 'input' && /^(checkbox|radio)$/.test(getAttribute(element, 'type') ?? ''))
    return String(element.hasAttribute('checked'));
  if (element.localName === 'select')
    return collapseWhitespace(element.querySelector('option[selected]')?.textContent ?? '');
  if (value !== null) return value;
  if (isLive(element)) return collapseWhitespace(textContent(element) ?? '');
  const text = readableText(element);
  const isNumber = (plan.type === 'number' || plan.type === 'integer') && BARE_NUMBER.test(text);
  return isNumber ? `${text} ${unitOfCell(element)}`.trimEnd() : text;
}

const BARE_NUMBER = /^[-−]?\d[\d.,]*$/;
/** The currency, and what is sold for it, in the header of a column. */
const UNIT = /(?:€|\bEUR\b|\bkr\b|Kč|zł|₺|₫)(?:\s?\/\s?[\p{L}²³$£¥€]+)?/u;
/** The tables laid out so far. */
const grids = new WeakMap<
  Element,
  { readonly rows: ReadonlyMap<Element, GridRow>; readonly heads: readonly GridRow[] }
>();

/** Returns the unit of the numbers in a cell, which stands in the header of its column or row; empty if that has none. */
function unitOfCell(element: Element): string {
  const cell = element.closest('td');
  const row = cell?.closest('tr') ?? null;
  const table = row?.closest('table') ?? null;
  if (cell === null || row === null || table === null) return '';
  const { rows, heads } = grids.get(table) ?? layOut(table);
  const places = rows.get(row)?.places ?? [];
  const column = places.findIndex(place => place?.cell === cell);
  const first = places[0]?.cell;
  const headers = heads.map(head => head.places[column]?.cell);
  if (first?.localName === 'th') headers.push(first);
  const unit = headers.map(header => (header === undefined ? null : UNIT.exec(readableText(header))));
  return unit.find(found => found !== null)?.[0] ?? '';
}

function layOut(table: Element) {
  const grid = tableGrid(table);
  const count = headerRowCount(grid);
  const isPlain = grid[0] !== undefined && isFirstOfPlainTable(grid[0], grid);
  const laid = { rows: new Map(grid.map(row => [row.row, row])), heads: grid.slice(0, isPlain ? 1 : count) };
  grids.set(table, laid);
  return laid;
}

/** Maximum length of a label on the page. Characters. */
const MAX_LABEL_LENGTH = 200;

/** The attribute that contains the value of an element, by tag name. The value of other elements is their text. */
const VALUE_ATTRIBUTES: Readonly<Record<string, string>> = {
  meta: 'content',
  input: 'value',
  data: 'value',
  meter: 'value',
  progress: 'value',
  img: 'src',
};

/**
 * Returns the element with the value that a label names: the element with this `itemprop`, the control of a form label, the cell below
 * a column header (in the row of the scope, else in the first row), or the element after the one with this text (`dt`, `th`, `b`, …).
 * Null if there is none.
 */
function findByLabel(label: string, scope: Element): Element | null {
  const normalizedLabel = normalizeLabel(label);
  for (const item of scope.querySelectorAll('[itemprop]'))
    if (normalizeLabel(getAttribute(item, 'itemprop') ?? '') === normalizedLabel) return item;
  const cell = columnByLabel(label, scope)[0];
  if (cell !== undefined) return controlIn(cell) ?? cell;
  for (const named of scope.querySelectorAll('dt,th,label,legend,strong,b,span,td,div,p')) {
    const text = named.textContent ?? '';
    if (text.length > MAX_LABEL_LENGTH || normalizeLabel(text) !== normalizedLabel) continue;
    const beside = elementLabelledBy(named);
    if (beside !== null) return controlIn(beside) ?? beside;
  }
  return null;
}

const columnByLabel = (label: string, scope: Element): readonly Element[] => {
  const normalizedLabel = normalizeLabel(label);
  return cellsOfColumn(
    scope,
    text => text.length <= MAX_LABEL_LENGTH && normalizeLabel(text) === normalizedLabel,
  );
};

/** Returns the control that is all that an element shows, such as the field in a cell; null if there is none. */
function controlIn(element: Element): Element | null {
  const [only, another] = element.querySelectorAll('input, select, textarea');
  const ownText = (element.textContent ?? '').trim();
  if (only === undefined || another !== undefined) return null;
  return ownText === (only.textContent ?? '').trim() ? only : null;
}

function elementLabelledBy(label: Element): Element | null {
  if (label.localName === 'label') {
    const target = getAttribute(label, 'for');
    const control = target === null ? null : label.ownerDocument.getElementById(target);
    if (control !== null) return control;
    const inside = label.querySelector('input,select,textarea');
    if (inside !== null) return inside;
  }
  return label.nextElementSibling;
}

/** Returns the same text for labels that only differ in spelling: `productName`, `Product name:` and `product_name`. */
const normalizeLabel = (label: string): string =>
  label
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_\-\s:]+/g, ' ')
    .trim()
    .toLowerCase();
