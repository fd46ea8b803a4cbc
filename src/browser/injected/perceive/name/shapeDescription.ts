/** Describes SVG shapes in words, and finds the text drawn on them. */
import {
  boxOf,
  composedParent,
  firstElementChild,
  getAttribute,
  localName,
  queryAllIn,
} from '../../dom/domGetters.ts';
import { shapeName } from '../element/box.ts';
import { quote, truncate } from '../element/plainText.ts';
import { visibleText } from '../element/renderedText.ts';
import { classWords, idWords } from './identifierWords.ts';

/** Names of common CSS colors. Of two CSS names with the same value, the more common one. */
const CSS_COLOR_NAMES: ReadonlyMap<string, string> = new Map(
  `000000 black,ffffff white,ff0000 red,00ff00 lime,0000ff blue,ffff00 yellow,00ffff cyan,ff00ff magenta,808080 gray,c0c0c0 silver,800000 maroon
808000 olive,008000 green,800080 purple,008080 teal,000080 navy,ffa500 orange,ffc0cb pink,a52a2a brown,ffd700 gold,4b0082 indigo,ee82ee violet
40e0d0 turquoise,fa8072 salmon,ff7f50 coral,f5f5dc beige,d2b48c tan,87ceeb skyblue,d3d3d3 light gray,a9a9a9 dark gray`
    .split(/[,\n]/)
    .map(line => [line.slice(0, 6), line.slice(7)]),
);

const COLOR_NAME = /^[a-z]{3,20}$/;
const NOT_COLORS: ReadonlySet<string> = new Set(
  'none transparent currentcolor inherit initial unset context-fill'.split(' '),
);

/** Returns true if an attribute value is the name of a color (not a number, a keyword such as `inherit`, or a reference). */
export const isColorWord = (written: string | null): written is string =>
  written !== null && COLOR_NAME.test(written) && !NOT_COLORS.has(written) && CSS.supports('color', written);

export function colorName(computed: string): string | null {
  const parts = /^rgba?\(([\d.]+),? ([\d.]+),? ([\d.]+)(?:,? ?\/? ?([\d.]+))?\)$/.exec(computed);
  if (parts === null) return null;
  if (parts[4] !== undefined && Number(parts[4]) < 0.15) return null;
  const [red, green, blue] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const hex = [red, green, blue].map(channel => Math.round(channel).toString(16).padStart(2, '0')).join('');
  return CSS_COLOR_NAMES.get(hex) ?? nearestColorName(red, green, blue);
}

/** Names of hues, each with its upper limit in degrees on the color wheel, in ascending order. */
const HUES: ReadonlyArray<readonly [number, string]> = [
  [14, 'red'],
  [42, 'orange'],
  [68, 'yellow'],
  [165, 'green'],
  [195, 'cyan'],
  [255, 'blue'],
  [290, 'purple'],
  [330, 'magenta'],
  [346, 'pink'],
  [361, 'red'],
];

function nearestColorName(red: number, green: number, blue: number): string {
  const max = Math.max(red, green, blue);
  const min = Math.min(red, green, blue);
  const lightness = (max + min) / 510;
  const chroma = max - min;
  const saturation = chroma === 0 ? 0 : chroma / 255 / (1 - Math.abs(2 * lightness - 1));
  if (saturation < 0.12 || chroma < 14) {
    if (lightness < 0.12) return 'black';
    if (lightness > 0.94) return 'white';
    return lightness < 0.4 ? 'dark gray' : lightness > 0.7 ? 'light gray' : 'gray';
  }
  const hue = hueOf(red, green, blue, max, chroma);
  const name = HUES.find(([limit]) => hue < limit)?.[1] ?? 'red';
  if (name === 'orange' && lightness < 0.4) return 'brown';
  if (name === 'red' && lightness > 0.75) return 'pink';
  return lightness < 0.3 ? `dark ${name}` : lightness > 0.72 ? `light ${name}` : name;
}

function hueOf(red: number, green: number, blue: number, max: number, chroma: number): number {
  const sixth =
    max === red
      ? (green - blue) / chroma
      : max === green
        ? (blue - red) / chroma + 2
        : (red - green) / chroma + 4;
  return (sixth * 60 + 360) % 360;
}

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

/** Returns the color of the fill, or of the stroke of a line or a hollow shape, as the author named it if possible. */
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

export function backgroundColorName(element: Element, style: CSSStyleDeclaration): string {
  const authored = authoredColor(element, 'background') ?? authoredColor(element, 'background-color');
  return authored ?? colorName(style.backgroundColor) ?? '';
}

/** Returns the color that the author wrote as a word, in the `style` attribute or in an attribute of this name. */
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
