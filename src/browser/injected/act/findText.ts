/** Where words stand on the page, so that a pointer can be drawn over them. */

import { bodyOf, characters, checkVisibility, composedParent, queryAllIn } from '../dom/domGetters.ts';
import { isEditingHost } from '../perceive/classifyNative.ts';
import { elementByKey } from '../perceive/elementKeys.ts';

/** From before the first character to behind the last; CSS pixels in the frame's viewport. */
export type TextSpan = readonly [fromX: number, fromY: number, toX: number, toY: number];

/** Characters beyond this are not searched. */
const MAX_SEARCHED_CHARACTERS = 2_000_000;

interface TextPosition {
  readonly node: Text;
  readonly offset: number;
}

/**
 * Brings the first place of the words, as they are read, into sight: in the element behind `holder` if it is given, else
 * in an editor, where words are selected to be changed, else on the page. Null where they are not there.
 */
export function findText(words: string, holder: number | null): TextSpan | null {
  const wanted = words.replace(/\s+/g, ' ').trim();
  const body = bodyOf(document);
  if (wanted === '' || body === null) return null;
  const only = holder === null ? null : elementByKey(holder);
  if (holder !== null && only === null) return null;
  const editors =
    only === null ? Array.from(queryAllIn(body, '[contenteditable]')).filter(isEditingHost) : [];
  for (const root of only === null ? [...editors, body] : [only]) {
    const place = spanIn(root, wanted);
    if (place !== null) return place;
  }
  return null;
}

function spanIn(root: Element, wanted: string): TextSpan | null {
  const { text, spots } = readVisibleText(root);
  const at = text.indexOf(wanted);
  const from = spots[at];
  const last = spots[at + wanted.length - 1];
  if (at < 0 || from === undefined || last === undefined) return null;
  const range = new Range();
  range.setStart(from.node, from.offset);
  range.setEnd(last.node, last.offset + 1);
  if (!isInViewport(range))
    composedParent(from.node)?.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  const first = characterBox(from);
  const end = characterBox(last);
  return [first.left, first.top + first.height / 2, end.right, end.top + end.height / 2];
}

/** The element's text with folded spaces, and for each character where it stands. */
function readVisibleText(root: Element): { text: string; spots: readonly TextPosition[] } {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const spots: TextPosition[] = [];
  let text = '';
  let spaced = true;
  for (
    let node = walker.nextNode();
    node !== null && spots.length < MAX_SEARCHED_CHARACTERS;
    node = walker.nextNode()
  ) {
    const holder = composedParent(node);
    if (holder === null || !checkVisibility(holder, { checkOpacity: true, checkVisibilityCSS: true }))
      continue;
    const written = characters(node as Text);
    for (let offset = 0; offset < written.length; offset++) {
      const character = written[offset] ?? '';
      const isSpace = /\s/.test(character);
      if (isSpace && spaced) continue;
      text += isSpace ? ' ' : character;
      spots.push({ node: node as Text, offset });
      spaced = isSpace;
    }
  }
  return { text, spots };
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
