/** Describes SVG shapes in words, and finds the text drawn on them. */
import {
  boxOf,
  composedParent,
  firstElementChild,
  getAttribute,
  localName,
  queryAllIn,
} from '../../dom/domGetters.ts';
import { quote, truncate } from '../element/plainText.ts';
import { visibleText } from '../element/renderedText.ts';
import { shapeName } from '../element/svgShape.ts';
import { colorName, isColorWord } from './colorName.ts';
import { classWords, idWords } from './identifierWords.ts';

const MAX_LABEL_LENGTH = 60;
/** Maximum number of texts of a drawing that are compared with a shape. */
const MAX_TEXTS = 60;

/** Returns the color and kind of an SVG shape, and the words of its classes or its id: `red circle "hotspot"`. */
export function shapeDescription(element: Element, tag: string, style: CSSStyleDeclaration): string {
  const name = shapeName(element, tag) ?? (tag === 'g' ? groupShapeName(element) : 'shape');
  const color = shapeColor(element, tag, style);
  const identifier = classWords(element) || idWords(element);
  const extra = identifier !== '' && !identifier.includes(name) ? quote(identifier) : '';
  return [color ?? '', name, extra].filter(part => part !== '').join(' ');
}

/**
 * Returns the name of a shape's visible color: of its fill, or of the stroke of a hollow shape or a line. Prefers the name
 * that the author wrote. Null if the shape has no color.
 */
export function shapeColor(element: Element, tag: string, style: CSSStyleDeclaration): string | null {
  const isLine = tag === 'line' || tag === 'polyline';
  for (const property of isLine ? (['stroke', 'fill'] as const) : (['fill', 'stroke'] as const)) {
    const authored = authoredColor(element, property);
    if (authored !== null) return authored;
    const computed = style[property];
    const name = computed === 'none' ? null : colorName(computed);
    if (name !== null) return name;
  }
  return null;
}

/** Returns the name of the background color of a box; empty if it has none. */
export function backgroundColorName(element: Element, style: CSSStyleDeclaration): string {
  const authored = authoredColor(element, 'background') ?? authoredColor(element, 'background-color');
  return authored ?? colorName(style.backgroundColor) ?? '';
}

/**
 * Returns the color name that the author wrote for a CSS property, in the `style` attribute or in an attribute with the name
 * of the property; null if there is none.
 */
function authoredColor(element: Element, property: string): string | null {
  const inline = new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([a-z]+)\\s*(?:;|$)`).exec(
    getAttribute(element, 'style') ?? '',
  );
  const written = inline?.[1] ?? getAttribute(element, property);
  return isColorWord(written) ? written : null;
}

function groupShapeName(group: Element): string {
  const first = firstElementChild(group);
  return first === null ? 'shape' : (shapeName(first, localName(first)) ?? 'shape');
}

/** Returns the text drawn on a shape: the only text of its group, or the only text whose center is in its box; else empty. */
export function shapeLabel(element: Element, tag: string): string {
  if (tag === 'text') return '';
  const parent = composedParent(element);
  if (parent === null) return '';
  const box = boxOf(element);
  const texts = Array.from(queryAllIn(parent, 'text')).slice(0, MAX_TEXTS);
  const onlyInGroup = localName(parent) === 'g' && texts.length === 1 ? texts[0] : undefined;
  const inBox = texts.filter(text => {
    const { left, top, width, height } = boxOf(text);
    const x = left + width / 2;
    const y = top + height / 2;
    return x > box.left && x < box.right && y > box.top && y < box.bottom;
  });
  const label = onlyInGroup ?? (inBox.length === 1 ? inBox[0] : undefined);
  return label === undefined ? '' : truncate(visibleText(label), MAX_LABEL_LENGTH);
}
