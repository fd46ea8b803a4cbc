/** Scrolls through endless lists, and through virtual ones, which have only the rows near their window: keeps a copy of each row. */

import * as dom from '../dom/domGetters.ts';
import { documentState } from '../dom/lifetimes.ts';
import type { ScrollStep } from './pageScraper.ts';
import { flatten } from './snapshot/flatten.ts';

/** The page has stopped to change if it has not changed for this time. Milliseconds. */
const QUIET_MS = 200;
/** Maximum wait for the first change after a step, and for the last one. Milliseconds. */
const MAX_FIRST_CHANGE_MS = 800;
const MAX_CHANGES_MS = 4_000;
/** The part (0 to 1) of the window by which a step scrolls: rows at its border are seen twice rather than never. */
const STEP_PART = 0.8;
/** A list has at least this many rows. */
const MIN_ROWS = 3;
/** Attributes that number the rows of a list. */
const ROW_KEYS = 'aria-rowindex aria-posinset data-index data-row-index data-item-index row-index'.split(' ');

interface ScrolledList {
  readonly box: Element;
  /** The parent of the rows; null if the rows stay in the page. */
  readonly list: Element | null;
  readonly rows: Map<string, { readonly row: Element; readonly place: number }>;
}

const state = documentState.value(() => ({ scrolled: null as ScrolledList | null, isAtEnd: false }));

/** Returns the rows that were kept, by list. */
export function collectedRows(): ReadonlyMap<Element, Iterable<Element>> {
  const { scrolled } = state();
  const list = scrolled?.list ?? null;
  if (scrolled === null || list === null || !isVirtual(scrolled)) return new Map();
  const rows = [...scrolled.rows.values()].sort((a, b) => a.place - b.place);
  return new Map([[list, rows.map(({ row }) => row)]]);
}

/** A list is virtual if it no longer has rows that it has had. */
const isVirtual = ({ list, rows }: ScrolledList): boolean =>
  list !== null && rows.size > dom.childElementCount(list);

/** True after the whole list has been scrolled through. */
export const wasScrolledToEnd = (): boolean => state().isAtEnd;

/** Scrolls one step. */
export async function scrollList(isFirst: boolean): Promise<ScrollStep> {
  const known = state();
  let { scrolled } = known;
  if (isFirst || scrolled === null) {
    scrolled = findList();
    Object.assign(known, { scrolled, isAtEnd: false });
    if (scrolled === null) return { isAtEnd: true, position: 0, rows: 0 };
    keepRows(scrolled);
  }
  const { box } = scrolled;
  const [before, height] = [dom.scrollTop(box), dom.scrollHeight(box)];
  const window = box === dom.scrollingElement(document) ? innerHeight : dom.clientHeight(box);
  const changed = nextChanges();
  dom.scrollBy(box, { top: Math.max(50, STEP_PART * window), behavior: 'instant' });
  await changed;
  keepRows(scrolled);
  const isAtEnd = dom.scrollTop(box) <= before + 1 && dom.scrollHeight(box) <= height + 1;
  known.isAtEnd = isAtEnd;
  const rows = Math.max(
    scrolled.rows.size,
    scrolled.list === null ? 0 : dom.childElementCount(scrolled.list),
  );
  return { isAtEnd, position: dom.scrollTop(box), rows };
}

/** Resolves when the page has changed and is quiet again, or when nothing changes. */
function nextChanges(): Promise<void> {
  return new Promise(resolve => {
    let timer = setTimeout(finish, MAX_FIRST_CHANGE_MS);
    const end = setTimeout(finish, MAX_CHANGES_MS);
    const observer = new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(finish, QUIET_MS);
    });
    function finish(): void {
      observer.disconnect();
      clearTimeout(timer);
      clearTimeout(end);
      resolve();
    }
    observer.observe(document, { childList: true, subtree: true, characterData: true });
  });
}

/** Finds the element that scrolls the most, and the list in it with the most rows; null in a document without elements. */
function findList(): ScrolledList | null {
  const page = dom.scrollingElement(document) ?? dom.documentElement(document);
  if (page === null) return null;
  let box = page;
  let most = dom.scrollHeight(page) - innerHeight;
  for (const element of dom.queryAllDocument(
    document,
    'div,main,section,ul,ol,table,tbody,[role=grid],[role=feed]',
  )) {
    const hidden = dom.scrollHeight(element) - dom.clientHeight(element);
    if (hidden <= Math.max(most, 50) || dom.clientHeight(element) < 100) continue;
    if (!/auto|scroll/.test(getComputedStyle(element).overflowY)) continue;
    box = element;
    most = hidden;
  }
  return { box, list: rowParent(box), rows: new Map() };
}

/** A list that goes on has at least this many rows, is the larger part of what scrolls, and ends this near its end. */
const MIN_OPEN_ROWS = 10;
const MAX_END_PX = 100;

/** Returns the list with which a page, or a part that scrolls, ends, if it is longer than its window: scripts may load more. */
export function openEnd(): { readonly box: Element; readonly list: Element } | null {
  const { box, list } = findList() ?? { box: null, list: null };
  if (box === null || list === null || dom.childElementCount(list) < MIN_OPEN_ROWS || wasScrolledToEnd())
    return null;
  const isPage = box === dom.scrollingElement(document);
  const [height, window] = [dom.scrollHeight(box), isPage ? innerHeight : dom.clientHeight(box)];
  const { bottom, height: own } = dom.boxOf(list);
  const listed = list === box ? height : own;
  const end = list === box ? height : bottom + (isPage ? scrollY : dom.scrollTop(box) - dom.boxOf(box).top);
  return height > window + MAX_END_PX && 2 * listed > height && end > height - MAX_END_PX
    ? { box, list }
    : null;
}

function rowParent(box: Element): Element | null {
  let best: Element | null = null;
  let most = MIN_ROWS - 1;
  for (const parent of [
    box,
    ...dom.queryAllIn(box, 'div,ul,ol,tbody,section,[role=rowgroup],[role=list],[role=feed]'),
  ]) {
    const count = dom.childElementCount(parent);
    if (count <= most || dom.boxOf(parent).height === 0) continue;
    best = parent;
    most = count;
  }
  return best;
}

/** Keeps a copy of each row that the list shows now. */
function keepRows({ list, rows, box }: ScrolledList): void {
  if (list === null) return;
  const copy = flatten(document, { fullPage: false, onVisible: null }, list).document.body;
  const offset = dom.scrollTop(box);
  const own: Element[] = [];
  for (let child = dom.firstElementChild(list); child !== null; child = dom.nextElementSibling(child))
    if (dom.boxOf(child).height > 0 && (dom.textContent(child) ?? '').trim() !== '') own.push(child);
  const shown = [...copy.children].filter(row => (row.textContent ?? '').trim() !== '');
  if (shown.length !== own.length) return;
  for (const [at, row] of shown.entries()) {
    const original = own[at] as Element;
    const number = ROW_KEYS.map(key => dom.getAttribute(original, key)).find(
      value => value !== null && value !== '',
    );
    const place = number === undefined ? dom.boxOf(original).top + offset : Number(number);
    const key = number ?? `${Math.round(place)} ${row.textContent}`;
    if (!rows.has(key)) rows.set(key, { row, place });
  }
}
