/** Computes the boxes of elements, of their content, and of image map areas. */
import {
  boxOf,
  checkVisibility,
  clientHeight,
  clientWidth,
  composedParent,
  firstElementChild,
  getAttribute,
  hasAttributes,
  queryAllDocument,
  scrollHeight,
  scrollWidth,
} from '../../dom/domGetters.ts';
import { styleOf } from '../../dom/styleOf.ts';
import type { Candidate } from '../candidate.ts';
import { drawnPlace } from './drawnPlace.ts';

export const roundPixels = (pixels: number): number => Math.round(pixels * 10) / 10;

const SCROLLING_OVERFLOW = /auto|scroll|overlay/;
const CONTAINER_TAGS = /^(main|section|article|aside|nav|ul|ol|pre|table|div)$/;
/** A region is listed only if its visible height (or width, if it scrolls sideways) is larger than this. CSS pixels. */
const MIN_SIZE_PX = 12;

/** Returns true for a scrollable region. Reads the layout, which is expensive, only where needed. @param handlesWheel then hidden overflow can scroll too */
export function isScrollable(
  element: Element,
  tag: string,
  style: CSSStyleDeclaration,
  handlesWheel = false,
): boolean {
  if (tag === 'video' || tag === 'audio' || firstElementChild(element) === null) {
    if (!hasAttributes(element)) return false;
  } else if (!hasAttributes(element) && !CONTAINER_TAGS.test(tag)) return false;
  const { overflowY } = style;
  // `visible` and `clip` become `auto` and `hidden` beside any other value: nothing scrolls sideways here either.
  if (overflowY === 'visible' || overflowY === 'clip') return false;
  const scrollsDown =
    (SCROLLING_OVERFLOW.test(overflowY) || (handlesWheel && overflowY === 'hidden')) &&
    scrollHeight(element) > clientHeight(element) + 2;
  if (scrollsDown) return clientHeight(element) > MIN_SIZE_PX;
  return (
    SCROLLING_OVERFLOW.test(style.overflowX) &&
    scrollWidth(element) > clientWidth(element) + 2 &&
    clientWidth(element) > MIN_SIZE_PX
  );
}

/** Matches the elements that draw an SVG shape. */
export const SHAPE_SELECTOR = 'circle, rect, ellipse, polygon, polyline, path, line, text, image, use';

const SHAPE_TAGS = new Set(SHAPE_SELECTOR.split(', '));

export const isShape = (tag: string): boolean => SHAPE_TAGS.has(tag);

/** Returns `circle`, `rectangle`, `triangle`…; null when the element is not a shape with a common name. */
export function shapeName(element: Element, tag: string): string | null {
  switch (tag) {
    case 'circle':
    case 'ellipse':
    case 'line':
      return tag;
    case 'rect':
      return 'rectangle';
    case 'polygon':
      return polygonName(corners(element));
    case 'polyline':
      return 'line';
    case 'path':
      return 'shape';
    case 'text':
      return 'text';
    case 'image':
      return 'image';
    default:
      return null;
  }
}

function corners(element: Element): number {
  const numbers = (getAttribute(element, 'points') ?? '').match(/-?[\d.]+(e-?\d+)?/gi) ?? [];
  const points: string[] = [];
  for (let index = 0; index + 1 < numbers.length; index += 2)
    points.push(`${numbers[index]},${numbers[index + 1]}`);
  if (points.length > 1 && points[0] === points.at(-1)) points.pop();
  return points.length;
}

const polygonName = (sides: number): string =>
  ['polygon', 'polygon', 'line', 'triangle', 'quadrilateral', 'pentagon', 'hexagon', 'heptagon', 'octagon'][
    sides
  ] ?? 'polygon';

/** A box in CSS pixels in the frame's viewport. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const toBox = (rect: DOMRect): Box => ({
  left: rect.left,
  top: rect.top,
  right: rect.right,
  bottom: rect.bottom,
});

export function visibleBox(element: Element): Box | null {
  if (!checkVisibility(element, { checkOpacity: true, checkVisibilityCSS: true })) return null;
  const box = toBox(boxOf(element));
  return box.right - box.left > 1 && box.bottom - box.top > 1 ? box : null;
}

/** The controls that pages draw by style rules alone, on an element without a size. */
const DRAWN = /^(?:slider|checkbox|radio)$/;

/** Returns the box of what people see of an element without a size of its own; null if they see nothing. */
export function boxInstead({ element, tag, control }: Candidate): Box | null {
  if (tag === 'area') return areaBox(element);
  return contentBox(element) ?? (DRAWN.test(control) ? generatedBox(element) : null);
}

/** Returns the box of the content of an element without one, as around a picture; null if the content has no size or is cut off. */
function contentBox(element: Element): Box | null {
  const { display, overflow } = styleOf(element);
  if (overflow !== 'visible' && !/^(inline|contents)$/.test(display)) return null;
  const range = new Range();
  range.selectNodeContents(element);
  const box = toBox(range.getBoundingClientRect());
  return box.right - box.left >= 1 && box.bottom - box.top >= 1 ? box : null;
}

/** Returns the box of what a style rule draws (`::before`, `::after`) for an element without a size; null if it draws nothing. */
function generatedBox(element: Element): Box | null {
  const { left, top } = boxOf(element);
  for (const pseudo of ['::before', '::after']) {
    const style = getComputedStyle(element, pseudo);
    if (style.content === 'none' || style.display === 'none') continue;
    const [x, y] = [
      pixels(style.left) + pixels(style.marginLeft),
      pixels(style.top) + pixels(style.marginTop),
    ];
    const [width, height] = [pixels(style.width), pixels(style.height)];
    if (width < 1 || height < 1) continue;
    return { left: left + x, top: top + y, right: left + x + width, bottom: top + y + height };
  }
  return null;
}

const pixels = (length: string): number => Number.parseFloat(length) || 0;

function imageOfArea(area: Element): Element | null {
  let map = composedParent(area);
  while (map !== null && !(map instanceof HTMLMapElement)) map = composedParent(map);
  const name = map === null ? null : getAttribute(map, 'name') || getAttribute(map, 'id');
  if (!name) return null;
  const images = Array.from(queryAllDocument(document, 'img[usemap]'));
  const ofMap = images.filter(image => getAttribute(image, 'usemap') === `#${name}`);
  return ofMap.find(image => visibleBox(image) !== null) ?? null;
}

/** Returns an element that can be scrolled into view in the place of one without a box: an area, or an element with `display: contents`. */
export function scrolledElement(element: Element): Element {
  const { width, height } = boxOf(element);
  if (width > 0 || height > 0) return element;
  let at = imageOfArea(element) ?? composedParent(element);
  while (at !== null && visibleBox(at) === null) at = composedParent(at);
  return at ?? element;
}

const minAndMax = (numbers: readonly number[]): readonly [number, number] => [
  Math.min(...numbers),
  Math.max(...numbers),
];

/** Returns the box of an `area` of an image map, from its coordinates in the image that uses the map; null if no visible image does. */
function areaBox(area: Element): Box | null {
  const image = imageOfArea(area);
  if (image === null) return null;
  const numbers = (getAttribute(area, 'coords') ?? '').split(',').map(Number);
  const shape = getAttribute(area, 'shape') ?? 'rect';
  if (shape === 'default' || numbers.length < 3 || numbers.some(Number.isNaN)) return toBox(boxOf(image));
  const [x = 0, y = 0, radius = 0] = numbers;
  const xs = shape === 'circle' ? [x - radius, x + radius] : numbers.filter((_, index) => index % 2 === 0);
  const ys = shape === 'circle' ? [y - radius, y + radius] : numbers.filter((_, index) => index % 2 === 1);
  const [a, b, c, d, e, f] = drawnPlace(image);
  const corners = minAndMax(xs).flatMap(across => minAndMax(ys).map(down => [across, down] as const));
  const [left, right] = minAndMax(corners.map(([across, down]) => a * across + c * down + e));
  const [top, bottom] = minAndMax(corners.map(([across, down]) => b * across + d * down + f));
  return { left, top, right, bottom };
}

/** Returns the overlap of two boxes; null if its width or height is at most half a pixel. */
export function intersection(one: Box, other: Box): Box | null {
  const left = Math.max(one.left, other.left);
  const top = Math.max(one.top, other.top);
  const right = Math.min(one.right, other.right);
  const bottom = Math.min(one.bottom, other.bottom);
  return right - left > 0.5 && bottom - top > 0.5 ? { left, top, right, bottom } : null;
}
