/** Recognizes the kinds of SVG shapes. */
import { getAttribute } from '../../dom/domGetters.ts';

/** Matches the elements that draw an SVG shape. */
export const SHAPE_SELECTOR = 'circle, rect, ellipse, polygon, polyline, path, line, text, image, use';

const SHAPE_TAGS = new Set(SHAPE_SELECTOR.split(', '));

/** Returns true for the tag of an SVG shape. */
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
