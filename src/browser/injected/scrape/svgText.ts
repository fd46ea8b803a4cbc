/** What is written in an SVG drawing. Main content leaves drawings out, but a page may say all it says in one. */
import { boxOf, getAttribute, queryAllIn, textContent } from '../dom/domGetters.ts';

/** Smaller drawings are icons. Pixels on a side. */
const MIN_DRAWING_PX = 64;
/** More words than these are a map's, not a chart's. */
const MAX_TEXT_ELEMENTS = 300;
const PLACEHOLDER_ATTRIBUTE = 'data-pagespace-drawing';

/** Leaves an empty mark for a drawing that has words; an article ignores it, other pages unfold it. */
export function appendSvgText(drawing: Element, into: Node, copy: Document): void {
  const { width, height } = boxOf(drawing);
  if (width < MIN_DRAWING_PX || height < MIN_DRAWING_PX) return;
  const words = svgText(drawing);
  if (words === '') return;
  const mark = copy.createElement('span');
  mark.setAttribute(PLACEHOLDER_ATTRIBUTE, words);
  into.appendChild(mark);
}

/** Puts the words at the marks. */
export function expandSvgText(root: Element): void {
  for (const mark of root.querySelectorAll(`[${PLACEHOLDER_ATTRIBUTE}]`)) {
    mark.textContent = mark.getAttribute(PLACEHOLDER_ATTRIBUTE);
    mark.removeAttribute(PLACEHOLDER_ATTRIBUTE);
  }
}

function svgText(drawing: Element): string {
  const texts = queryAllIn(drawing, 'text');
  const words = [getAttribute(drawing, 'aria-label') ?? ''];
  for (let at = 0; at < Math.min(MAX_TEXT_ELEMENTS, texts.length); at++) {
    const text = texts[at];
    if (text !== undefined) words.push(textContent(text) ?? '');
  }
  return words
    .map(word => word.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join(' ');
}
