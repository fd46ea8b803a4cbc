/** What is written in an SVG drawing. Main content leaves drawings out, but a page may say all it says in one. */
import { attribute, boxOf, ownText, selectIn } from './live.ts';

/** Smaller drawings are icons. Pixels on a side. */
const SMALLEST_DRAWING_PX = 64;
/** More words than these are a map's, not a chart's. */
const MOST_WORDS = 300;
const MARK = 'data-pagespace-drawing';

/** Leaves an empty mark for a drawing that has words; an article ignores it, other pages unfold it. */
export function appendDrawing(drawing: Element, into: Node, copy: Document): void {
  const { width, height } = boxOf(drawing);
  if (width < SMALLEST_DRAWING_PX || height < SMALLEST_DRAWING_PX) return;
  const words = wordsOf(drawing);
  if (words === '') return;
  const mark = copy.createElement('span');
  mark.setAttribute(MARK, words);
  into.appendChild(mark);
}

/** Puts the words at the marks. */
export function unfoldDrawings(root: Element): void {
  for (const mark of root.querySelectorAll(`[${MARK}]`)) {
    mark.textContent = mark.getAttribute(MARK);
    mark.removeAttribute(MARK);
  }
}

function wordsOf(drawing: Element): string {
  const texts = selectIn(drawing, 'text');
  const words = [attribute(drawing, 'aria-label') ?? ''];
  for (let at = 0; at < Math.min(MOST_WORDS, texts.length); at++) {
    const text = texts[at];
    if (text !== undefined) words.push(ownText(text) ?? '');
  }
  return words
    .map(word => word.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join(' ');
}
