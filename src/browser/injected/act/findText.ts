/** Finds a text on the page and returns where it is drawn, so that it can be selected by a drag. */
import {
  bodyOf,
  characterData,
  checkVisibility,
  composedParent,
  localName,
  queryAllIn,
} from '../dom/domGetters.ts';
import { elementByKey } from '../perceive/elementKeys.ts';
import { isEditingHost } from '../perceive/find/interactionHints.ts';

/**
 * The place of a text on the screen, as a line from the left edge of its first character to the right edge of its last
 * one. CSS pixels in the frame's viewport.
 */
export type TextSpan = readonly [fromX: number, fromY: number, toX: number, toY: number];

/** `findText` searches about this many characters of visible text in the page or in one editor. */
const MAX_SEARCHED_CHARACTERS = 2_000_000;

/** The position of one character in the DOM. */
interface TextPosition {
  readonly node: Text;
  readonly offset: number;
}

/**
 * Finds the first occurrence of a text, with white space collapsed, and scrolls it into view.
 * @param key the key of the element to search; null searches editable elements first, then the page
 * @returns the place of the text; null when the page does not show it
 */
export function findText(text: string, key: number | null): TextSpan | null {
  const searchText = text.replace(/\s+/g, ' ').trim();
  const body = bodyOf(document);
  if (searchText === '' || body === null) return null;
  const only = key === null ? null : elementByKey(key);
  if (key !== null && only === null) return null;
  const editors =
    only === null ? Array.from(queryAllIn(body, '[contenteditable]')).filter(isEditingHost) : [];
  for (const root of only === null ? [...editors, body] : [only]) {
    const span = spanIn(root, searchText);
    if (span !== null) return span;
  }
  return null;
}

function spanIn(root: Element, searchText: string): TextSpan | null {
  const { text, positions } = readVisibleText(root);
  const start = text.indexOf(searchText);
  const from = positions[start];
  const last = positions[start + searchText.length - 1];
  if (start < 0 || from === undefined || last === undefined) return null;
  const range = new Range();
  range.setStart(from.node, from.offset);
  range.setEnd(last.node, last.offset + 1);
  if (!isInViewport(range))
    composedParent(from.node)?.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  const first = characterBox(from);
  const end = characterBox(last);
  return [first.left, first.top + first.height / 2, end.right, end.top + end.height / 2];
}

/** Returns the visible text with white space collapsed, and the position of each of its characters in the DOM. */
function readVisibleText(root: Element): { text: string; positions: readonly TextPosition[] } {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const positions: TextPosition[] = [];
  let text = '';
  let afterSpace = true;
  for (
    let node = walker.nextNode();
    node !== null && positions.length < MAX_SEARCHED_CHARACTERS;
    node = walker.nextNode()
  ) {
    const parent = composedParent(node);
    // What a field shows is its value.
    if (parent === null || localName(parent) === 'textarea') continue;
    if (!checkVisibility(parent, { checkOpacity: true, checkVisibilityCSS: true })) continue;
    const data = characterData(node as Text);
    for (let offset = 0; offset < data.length; offset++) {
      const character = data[offset] ?? '';
      const isSpace = /\s/.test(character);
      if (isSpace && afterSpace) continue;
      text += isSpace ? ' ' : character;
      positions.push({ node: node as Text, offset });
      afterSpace = isSpace;
    }
  }
  return { text, positions };
}

function characterBox({ node, offset }: TextPosition): DOMRect {
  const range = new Range();
  range.setStart(node, offset);
  range.setEnd(node, offset + 1);
  return range.getBoundingClientRect();
}

function isInViewport(range: Range): boolean {
  const { left, top, right, bottom } = range.getBoundingClientRect();
  return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
}
