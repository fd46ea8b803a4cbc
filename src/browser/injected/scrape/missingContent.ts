/** Tells what a page has beside what it shows: more rows on scrolling. */
import type { MissingContent } from '../../../domain/content/contentParts.ts';
import * as dom from '../dom/domGetters.ts';
import { openEnd, wasScrolledToEnd } from './scrollList.ts';

/** A list with fewer items is not cut. */
const MIN_ITEMS = 5;
/** An element after a list that says it goes on. */
const MORE =
  '[class*=infinite i],[class*=load-more i],[class*=loadmore i],[class*=sentinel i],[id*=sentinel i],[id*=load-more i],[data-infinite],[aria-busy=true],[role=progressbar],[class*=spinner i],[class*=skeleton i]';
const LOADING =
  /^(loading|load(ing)? more|show more|view more|see more|more results)\b.{0,20}$|^(lädt|laden|mehr (laden|anzeigen)|chargement|voir plus|cargando|ver más|carica(mento)?|завантаження|загрузка)/i;
/** The control of a page is named as a button, not as a link to another page. */
const BUTTONS = 'button,[role=button]';
/** In a virtual list the rows cover less than this part (0 to 1) of its height. */
const MAX_COVERED = 0.6;
const SCROLLED = /auto|scroll/;

/** Returns what is missing in the content of a page. */
export const missingContent = (page: Document): MissingContent[] => (hasMoreRows(page) ? ['rows'] : []);

function hasMoreRows(page: Document): boolean {
  if (wasScrolledToEnd()) return false;
  return hasMoreCounted(page) || hasVirtualList(page) || goesOn(page);
}

/** Returns true if a table or list says that it has more rows than it shows. */
function hasMoreCounted(page: Document): boolean {
  for (const table of dom.queryAllDocument(page, '[aria-rowcount]')) {
    const count = Number(dom.getAttribute(table, 'aria-rowcount'));
    const rows = dom.queryAllIn(table, '[role=row],tr').length;
    if (count > rows && rows >= MIN_ITEMS && isVisible(table)) return true;
  }
  const item = dom.queryDocument(page, ':is([role=listitem],[role=article],article,li)[aria-setsize]');
  if (item === null) return false;
  const size = Number(dom.getAttribute(item, 'aria-setsize'));
  const list = dom.parentElement(item);
  return list !== null && (size > dom.queryAllIn(list, '[aria-setsize]').length || size === -1);
}

const isVisible = (element: Element): boolean => dom.boxOf(element).height > 0;

/** Matches elements that a script has made as high as all rows together. */
const SPACERS = '[style*="height:"],[style*="padding-top:"],[style*="padding-bottom:"],[style*="translate"]';
const MAX_SPACERS = 200;
const MIN_HIDDEN_PX = 400;

/** Returns true if an element that scrolls is far higher than the rows in it: only those near its window exist. */
function hasVirtualList(page: Document): boolean {
  let left = MAX_SPACERS;
  for (const spacer of dom.queryAllDocument(page, SPACERS)) {
    if (left-- <= 0) return false;
    const box = scrolledBox(spacer);
    if (box === null) continue;
    const height = dom.scrollHeight(box);
    if (height - dom.clientHeight(box) < MIN_HIDDEN_PX) continue;
    const isEmpty =
      (dom.textContent(spacer) ?? '').trim() === '' && dom.boxOf(spacer).height >= MIN_HIDDEN_PX;
    const rows = rowsIn(isEmpty ? box : spacer).filter(row => !isEmpty || !dom.contains(row, spacer));
    if (rows.length < MIN_ITEMS) continue;
    const covered = rows.reduce((sum, row) => sum + dom.boxOf(row).height, 0);
    if (covered < MAX_COVERED * height) return true;
  }
  return false;
}

/** Returns the closest element around that scrolls, or the page. */
function scrolledBox(element: Element): Element | null {
  for (let at: Element | null = element; at !== null; at = dom.parentElement(at))
    if (SCROLLED.test(getComputedStyle(at).overflowY)) return at;
  return dom.scrollingElement(document);
}

/** Returns the children of the element in `root` with the most alike children. */
function rowsIn(root: Element): Element[] {
  let best: Element[] = [];
  for (const parent of [root, ...dom.queryAllIn(root, 'div,ul,ol,tbody,[role=rowgroup]')].slice(0, 50)) {
    const children: Element[] = [];
    for (let child = dom.firstElementChild(parent); child !== null; child = dom.nextElementSibling(child))
      if (dom.boxOf(child).height > 0) children.push(child);
    if (children.length > best.length) best = children;
  }
  return best;
}

/** Returns true if a list ends with an element that loads more. */
function goesOn(page: Document): boolean {
  const end = openEnd();
  if (end !== null && endsWithSentinel(end.list)) return true;
  for (const element of [...dom.queryAllDocument(page, `${MORE},${BUTTONS}`)].slice(0, 500)) {
    const text = lineOf(element);
    const isMarked = !dom.matches(element, BUTTONS) && dom.matches(element, MORE) && text.length < 80;
    if (!isMarked && !LOADING.test(text)) continue;
    if (dom.closest(element, 'nav,header,form,dialog') === null && followsList(element)) return true;
  }
  return false;
}

const lineOf = (element: Element): string => (dom.textContent(element) ?? '').replace(/\s+/g, ' ').trim();

/** An element without text, this high or less, is watched: what comes into view there loads more. CSS pixels. */
const MAX_SENTINEL_PX = 50;

/** Returns true if a list ends with, or is followed by, an element that shows nothing and has a height: scripts watch whether it comes into view. */
function endsWithSentinel(list: Element): boolean {
  return [dom.lastElementChild(list), dom.nextElementSibling(list)].some(
    element => element !== null && (isSentinel(element) || LOADING.test(lineOf(element))),
  );
}

function isSentinel(element: Element): boolean {
  if (!/^(div|li)$/.test(dom.localName(element)) || dom.hasChildNodes(element)) return false;
  const { height } = dom.boxOf(element);
  if (height === 0 || height > MAX_SENTINEL_PX) return false;
  const { backgroundImage, borderTopWidth } = getComputedStyle(element);
  return backgroundImage === 'none' && borderTopWidth === '0px';
}

/** Returns true for an element at the end of, or after, many alike siblings. */
function followsList(element: Element): boolean {
  let at: Element | null = element;
  for (let level = 0; at !== null && level < 3; level++, at = dom.parentElement(at)) {
    // What stays in the window while the page scrolls, such as a bar of progress, is not the end of a list.
    if (getComputedStyle(at).position === 'fixed') return false;
    const before = dom.previousElementSibling(at);
    if (before === null) continue;
    if (alikeChildren(before) >= MIN_ITEMS) return true;
    const parent = dom.parentElement(at);
    if (parent !== null && alikeChildren(parent) > MIN_ITEMS) return true;
  }
  return false;
}

/** Returns the number of children with the same name and class as the second, which is an item where there are many. */
function alikeChildren(parent: Element): number {
  const second = dom.firstElementChild(parent);
  const item = second === null ? null : (dom.nextElementSibling(second) ?? second);
  if (item === null) return 0;
  const names = dom.getAttribute(item, 'class');
  let count = 0;
  for (let child = dom.firstElementChild(parent); child !== null; child = dom.nextElementSibling(child))
    if (dom.localName(child) === dom.localName(item) && dom.getAttribute(child, 'class') === names) count++;
  return count;
}
