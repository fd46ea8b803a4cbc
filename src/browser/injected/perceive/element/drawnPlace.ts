/** Reads how the content of an element is drawn: transforms turn and scale it, and so does the CSS property `zoom`. */
import type { Placement } from '../../../../domain/space/placement.ts';
import {
  boxOf,
  clientHeight,
  clientLeft,
  clientTop,
  clientWidth,
  composedParent,
} from '../../dom/domGetters.ts';

/** The difference of two lengths that can come from rounding. CSS pixels. */
const ROUNDING_PX = 1;
/** The difference of two factors that can come from rounding: of the sine of a turn by 180°. */
const ROUNDING = 1e-6;

/** Returns where the content of an iframe or a picture is drawn in its document's viewport. */
export function drawnPlace(element: Element): Placement {
  const box = boxOf(element);
  const { offsetWidth: width = 0, offsetHeight: height = 0 } = element as HTMLElement;
  const [a, b, c, d] = drawnPixel(element, [width, height], box);
  const { paddingLeft, paddingTop } = getComputedStyle(element);
  const inset = (border: number, padding: string): number => border + (Number.parseFloat(padding) || 0);
  const x = inset(clientLeft(element), paddingLeft);
  const y = inset(clientTop(element), paddingTop);
  // The corner of the element that is drawn first need not be its own top left one.
  const left = box.left - Math.min(0, a * width) - Math.min(0, c * height);
  const top = box.top - Math.min(0, b * width) - Math.min(0, d * height);
  return [a, b, c, d, left + a * x + c * y, top + b * x + d * y];
}

/** Returns the size of an iframe's document if transforms turn it in space, so that its place tells only how all of it is drawn; null if they do not. */
export function sizeInSpace(element: Element): readonly [width: number, height: number] | null {
  if (transformOf(element).is2D) return null;
  const { paddingLeft, paddingRight, paddingTop, paddingBottom } = getComputedStyle(element);
  const without = (length: number, ...paddings: readonly string[]): number =>
    paddings.reduce((left, padding) => left - (Number.parseFloat(padding) || 0), length);
  return [
    without(clientWidth(element), paddingLeft, paddingRight),
    without(clientHeight(element), paddingTop, paddingBottom),
  ];
}

type Pixel = readonly [a: number, b: number, c: number, d: number];

/** Returns how one pixel of the element is drawn: by the styles around it if they explain its box, else by its box, which does not tell a turn. */
function drawnPixel(element: Element, [width, height]: readonly [number, number], box: DOMRect): Pixel {
  const { a, b, c, d } = transformOf(element);
  const fits =
    !differs(Math.abs(a) * width + Math.abs(c) * height, box.width) &&
    !differs(Math.abs(b) * width + Math.abs(d) * height, box.height);
  if (fits) return [a, b, c, d];
  // A perspective scales it, too.
  const isScaled = Math.abs(b) < ROUNDING && Math.abs(c) < ROUNDING && width > 0 && height > 0;
  return isScaled
    ? [(Math.sign(a) * box.width) / width, 0, 0, (Math.sign(d) * box.height) / height]
    : [1, 0, 0, 1];
}

/** Returns the product of the transforms of the element and of all around it, and of their zoom. */
function transformOf(element: Element): DOMMatrix {
  let product = new DOMMatrix().scale((element as Element & { currentCSSZoom?: number }).currentCSSZoom ?? 1);
  for (let around: Element | null = element; around !== null; around = composedParent(around)) {
    const { rotate, scale, transform } = getComputedStyle(around);
    for (const text of [transform, scaleFunction(scale), rotateFunction(rotate)])
      if (text !== 'none') product = new DOMMatrix(text).multiply(product);
  }
  return product;
}

/** Returns the transform function for a value of the property `scale`: of one, two or three numbers. */
const scaleFunction = (scale: string): string =>
  scale === 'none' ? scale : `scale(${scale.split(' ').slice(0, 2).join()})`;

const AXES: Readonly<Record<string, string>> = { x: '1,0,0', y: '0,1,0', z: '0,0,1' };

/** Returns the transform function for a value of the property `rotate`: an angle, after the letter or the three numbers of its axis. */
function rotateFunction(rotate: string): string {
  if (rotate === 'none') return rotate;
  const [angle = '0deg', ...axis] = rotate.split(' ').reverse();
  const numbers = axis.reverse().join();
  return `rotate3d(${AXES[numbers || 'z'] ?? numbers},${angle})`;
}

const differs = (one: number, other: number): boolean => Math.abs(one - other) >= ROUNDING_PX;
