import { styleOf } from '../../dom/styleOf.ts';

const RGB = /^rgba?\((\d+), (\d+), (\d+)/;
/** Red is at least this, of 255, and at least this many times as strong as green and blue. */
const MIN_RED = 128;
const MIN_RATIO = 1.7;

/** Returns true for an element whose text is red, the color of errors in nearly all design systems. */
export function isRed(element: Element): boolean {
  const [, red = 0, green = 0, blue = 0] = (RGB.exec(styleOf(element).color) ?? []).map(Number);
  return red >= MIN_RED && red >= Math.max(green, blue) * MIN_RATIO;
}
