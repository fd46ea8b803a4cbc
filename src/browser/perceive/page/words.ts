/** Where words stand on the page, so that a pointer can be drawn over them. */
import { isEditingHost } from './judge.ts';
import { elementOf } from './keys.ts';
import { bodyOf, characters, checkVisibility, composedParent, queryAllIn } from './native.ts';

/** From before the first character to behind the last; CSS pixels in the frame's viewport. */
export type WordsPlace = readonly [fromX: number, fromY: number, toX: number, toY: number];

/** Characters beyond this are not searched. */
const MOST_SEARCHED = 2_000_000;

interface Spot {
  readonly node: Text;
  readonly offset: number;
}

/**
 * Brings the first place of the words, as they are read, into sight: in the element behind `holder` if it is given, else
 * in an editor, where words are selected to be changed, else on the page. Null where they are not there.
 */
export function findWords(words: string, holder: number | null): WordsPlace | null {
  const wanted = words.replace(/\s+/g, ' ').trim();
  const body = bodyOf(document);
  if (wanted === '' || body === null) return null;
  const only = holder === null ? null : elementOf(holder);
  if (holder !== null && only === null) return null;
  const editors =
    only === null ? Array.from(queryAllIn(body, '[contenteditable]')).filter(isEditingHost) : [];
  for (const root of only === null ? [...editors, body] : [only]) {
    const place = placeIn(root, wanted);
    if (place !== null) return place;
  }
  return null;
}

function placeIn(root: Element, wanted: string): WordsPlace | null {
  const { text, spots } = readVisible(root);
  const at = text.indexOf(wanted);
  const from = spots[at];
  const last = spots[at + wanted.length - 1];
  if (at < 0 || from === undefined || last === undefined) return null;
  const range = new Range();
  range.setStart(from.node, from.offset);
  range.setEnd(last.node, last.offset + 1);
  if (!isInSight(range))
    composedParent(from.node)?.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  const first = characterBox(from);
  const end = characterBox(last);
  return [first.left, first.top + first.height / 2, end.right, end.top + end.height / 2];
}

/** The element's text with folded spaces, and for each character where it stands. */
function readVisible(root: Element): { text: string; spots: readonly Spot[] } {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const spots: Spot[] = [];
  let text = '';
  let spaced = true;
  for (
    let node = walker.nextNode();
    node !== null && spots.length < MOST_SEARCHED;
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

function characterBox({ node, offset }: Spot): DOMRect {
  const range = new Range();
  range.setStart(node, offset);
  range.setEnd(node, offset + 1);
  return range.getBoundingClientRect();
}

function isInSight(range: Range): boolean {
  const { left, top, right, bottom } = range.getBoundingClientRect();
  return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
}
