/** Event delegation: determines which descendants of a container with a press handler are interactive. */

import {
  boxOf,
  firstChild,
  firstElementChild,
  getAttribute,
  hasAttribute,
  localName,
  nextElementSibling,
  nextSibling,
  nodeType,
  parentElement,
  queryAllIn,
  queryIn,
  textContent,
} from '../../dom/domGetters.ts';
import { CONTROLS } from '../../dom/vocabulary.ts';
import { SHAPE_SELECTOR } from '../element/box.ts';
import { isCalendarDay } from '../name/weekColumns.ts';

const ROW_TAGS: ReadonlySet<string> = new Set(
  'li tr td th div span dt dd i img section article g'.split(' '),
);
const STATE_CLASSES =
  /^(active|selected|current|hover|focus|first|last|odd|even|open|closed|done|completed|checked)$/;
const MAX_CHILDREN = 400;

/** Returns what users press in a container that handles presses, without what contains controls; null if they press the container. */
export function delegationTargets(
  element: Element,
  tag: string,
  pointer: boolean,
): readonly Element[] | null {
  switch (tag) {
    case 'ul':
    case 'ol':
    case 'menu':
    case 'dl':
      return withoutControls(childrenOf(element).filter(child => /^(li|dt|dd|div)$/.test(localName(child))));
    case 'table':
    case 'tbody':
    case 'thead':
      return tableTargets(element);
    case 'svg':
    case 'g':
      if (tag === 'svg' && isIcon(element)) return null;
      return tag === 'svg' ? Array.from(queryAllIn(element, SHAPE_SELECTOR)).slice(0, MAX_CHILDREN) : null;
    case 'tr':
    case 'td':
    case 'th':
    case 'li':
    case 'a':
    case 'button':
    case 'label':
    case 'p':
      return null;
    default:
      return pointer ? null : (uniformChildren(element) ?? daysIn(element));
  }
}

/** Maximum side of a drawing that is an icon: its shapes are not pressed one by one. CSS pixels. */
const MAX_ICON_PX = 32;

function isIcon(drawing: Element): boolean {
  const { width, height } = boxOf(drawing);
  return width <= MAX_ICON_PX && height <= MAX_ICON_PX;
}

export function hasOwnText(element: Element): boolean {
  for (let node = firstChild(element); node !== null; node = nextSibling(node))
    if (nodeType(node) === Node.TEXT_NODE && /\S/.test((node as CharacterData).data)) return true;
  return false;
}

function childrenOf(element: Element): Element[] {
  const children: Element[] = [];
  for (let child = firstElementChild(element); child !== null; child = nextElementSibling(child)) {
    if (children.length >= MAX_CHILDREN) break;
    if (!/^(script|style|template|br|hr)$/.test(localName(child))) children.push(child);
  }
  return children;
}

const MIN_DAYS = 7;

/** Returns the parts of a table that users press: the cells of a board (a game, a calendar), else the rows. */
function tableTargets(table: Element): readonly Element[] {
  if (isFrameOfControl(table)) return [];
  const cells = Array.from(queryAllIn(table, 'td')).slice(0, MAX_CHILDREN);
  // An event in the day of a calendar does not make its week the thing that is pressed.
  const days = cells.filter(isCalendarDay);
  if (days.length >= MIN_DAYS) return days;
  const isBoard = cells.every(cell => (textContent(cell) ?? '').trim().length <= 3);
  if (isBoard) return withoutControls(cells);
  return withoutControls(Array.from(queryAllIn(table, 'tr')).filter(row => queryIn(row, 'td') !== null));
}

/** Returns true for a table whose cells draw the edges of one button. */
function isFrameOfControl(table: Element): boolean {
  const [only, second] = queryAllIn(table, CONTROLS);
  if (only === undefined || second !== undefined) return false;
  return (textContent(table) ?? '').trim() === (textContent(only) ?? '').trim();
}

/** The texts of the days that every month has. */
const DAYS = Array.from({ length: 28 }, (_, nth) => String(nth + 1)).join();

function daysIn(element: Element): readonly Element[] | null {
  const cells = Array.from(queryAllIn(element, 'td')).slice(0, MAX_CHILDREN);
  const days = cells.filter(cell => /^\d{1,2}$/.test((textContent(cell) ?? '').trim()));
  return days
    .map(day => (textContent(day) ?? '').trim())
    .join()
    .includes(DAYS)
    ? days
    : null;
}

/** Returns the children of an element if they are similar boxes; if they form a grid, its cells. Null when they are not similar. */
function uniformChildren(element: Element): readonly Element[] | null {
  if (hasOwnText(element)) return null;
  const children = childrenOf(element);
  const [only] = children;
  if (
    children.length === 1 &&
    only !== undefined &&
    (ROW_TAGS.has(localName(only)) || /^(table|ul|ol|menu)$/.test(localName(only)))
  )
    return targetsInOnlyChild(only);
  if (!areUniform(children)) return null;
  const rows = children.map(child => (hasOwnText(child) ? [] : childrenOf(child)));
  const isGrid = rows.every(row => row.length >= 2 && areUniform(row) && row.length === rows[0]?.length);
  return withoutControls(isGrid ? rows.flat() : children);
}

function targetsInOnlyChild(only: Element): readonly Element[] | null {
  if (localName(only) === 'table') return tableTargets(only);
  if (/^(ul|ol|menu)$/.test(localName(only))) return delegationTargets(only, localName(only), false);
  const inner = uniformChildren(only);
  return inner !== null && inner.length > 0 ? inner : null;
}

/** Returns true if 80 percent of the children, at least 2 (3 without a class), have the tag and classes of the first. */
function areUniform(children: readonly Element[]): boolean {
  const first = children[0];
  if (first === undefined || children.length < 2) return false;
  const signature = signatureOf(first);
  const similar = children.filter(child => signatureOf(child) === signature).length;
  const tag = localName(first);
  const isMarked = hasAttribute(first, 'class') || tag.includes('-');
  const minSimilar = isMarked ? 2 : 3;
  // The entries of web components are custom elements.
  return (
    (ROW_TAGS.has(tag) || tag.includes('-')) && similar >= minSimilar && similar >= children.length * 0.8
  );
}

function signatureOf(element: Element): string {
  const classes = (getAttribute(element, 'class') ?? '')
    .split(/\s+/)
    .filter(word => !STATE_CLASSES.test(word));
  return `${localName(element)}.${classes.sort().join('.')}`;
}

function withoutControls(children: readonly Element[]): readonly Element[] {
  return children.filter(child => queryIn(child, CONTROLS) === null);
}

/** Returns the entries of a wheel, which a script moves by `transform`; pages hide them from screen readers. */
export function wheelEntries(element: Element): readonly Element[] {
  for (const box of [element, ...childrenOf(element)]) {
    if (!/(?:^|[;\s])transform\s*:/.test(getAttribute(box, 'style') ?? '')) continue;
    const entries = childrenOf(box);
    if (areAlike(entries) && queryIn(box, CONTROLS) === null) return entries;
  }
  return [];
}

/** Returns true if there are two or more elements, all with a text and with the tag and the first class of the first one. */
function areAlike(elements: readonly Element[]): boolean {
  const kindOf = (element: Element) =>
    `${localName(element)}.${(getAttribute(element, 'class') ?? '').split(' ')[0]}`;
  const showsText = (element: Element) => (textContent(element) ?? '').trim() !== '';
  return elements.length >= 2 && new Set(elements.map(kindOf)).size === 1 && elements.every(showsText);
}

/** Maximum length of the text of an entry that is dragged as a whole. Characters. */
const MAX_DRAGGED_TEXT = 300;

/** Returns the children of a box if they are similar boxes with a short text and without controls; none otherwise. */
export function draggedEntries(element: Element): readonly Element[] {
  if (firstElementChild(element) === null || hasOwnText(element)) return [];
  const children = childrenOf(element);
  const first = children[0];
  if (first === undefined || children.some(child => !isDraggedEntry(child))) return [];
  const signature = signatureOf(element);
  const beside = siblingsOf(element).filter(
    other => other !== element && signatureOf(other) === signature && !hasOwnText(other),
  );
  // Two entries without a class are entries if another list is beside theirs.
  const isPair =
    children.length === 2 &&
    beside.length > 0 &&
    children.every(one => signatureOf(one) === signatureOf(first));
  if (!areUniform(children) && !isPair) return [];
  return [...children, ...beside.flatMap(other => childrenOf(other).filter(isDraggedEntry))];
}

const isDraggedEntry = (child: Element): boolean => {
  if (!/^(div|li|section|article)$/.test(localName(child))) return false;
  const text = (textContent(child) ?? '').trim();
  return (
    text !== '' && text.length <= MAX_DRAGGED_TEXT && queryIn(child, `${CONTROLS}, h1, h2, h3, p`) === null
  );
};

function siblingsOf(element: Element): readonly Element[] {
  const parent = parentElement(element);
  return parent === null ? [] : childrenOf(parent);
}
