/** Reads the text of SVG drawings. Main content has no drawings, but some pages have all their text in one. */
import { appendChild, boxOf, getAttribute, queryAllIn, textContent } from '../../dom/domGetters.ts';

/** Minimum width and height, in CSS pixels, of a drawing whose text is read; smaller ones are icons. */
const MIN_DRAWING_PX = 64;
/** Maximum number of `TEXT_ELEMENTS` read from one drawing: one with more is a map, not a chart. */
const MAX_TEXT_ELEMENTS = 300;
/** Drawn text, and HTML in a drawing: diagrams have their labels in it. */
const TEXT_ELEMENTS = 'text,foreignObject';
const PLACEHOLDER_ATTRIBUTE = 'data-pagespace-drawing';

/** Adds an empty placeholder with a drawing's text in an attribute. In articles it stays empty; on other pages `expandSvgText` fills it. */
export function appendSvgText(drawing: Element, into: Node, copy: Document): void {
  const { width, height } = boxOf(drawing);
  if (width < MIN_DRAWING_PX || height < MIN_DRAWING_PX) return;
  const text = svgText(drawing);
  if (text === '') return;
  const placeholder = copy.createElement('span');
  placeholder.setAttribute(PLACEHOLDER_ATTRIBUTE, text);
  appendChild(into, placeholder);
}

/** Fills the placeholders that `appendSvgText` added with the text of their drawings. */
export function expandSvgText(root: Element): void {
  for (const placeholder of root.querySelectorAll(`[${PLACEHOLDER_ATTRIBUTE}]`)) {
    placeholder.textContent = placeholder.getAttribute(PLACEHOLDER_ATTRIBUTE);
    placeholder.removeAttribute(PLACEHOLDER_ATTRIBUTE);
  }
}

function svgText(drawing: Element): string {
  const texts = queryAllIn(drawing, TEXT_ELEMENTS);
  const parts = [getAttribute(drawing, 'aria-label') ?? ''];
  for (let at = 0; at < Math.min(MAX_TEXT_ELEMENTS, texts.length); at++) {
    const text = texts[at];
    if (text !== undefined) parts.push(textContent(text) ?? '');
  }
  return parts
    .map(part => part.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join(' ');
}
