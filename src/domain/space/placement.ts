/** Converts points of the documents in frames to those of the page: transforms and CSS zoom draw frames scaled and turned. */

/** Maps a point of a document to one of what it is in: x to ax + cy + e, y to bx + dy + f, as `DOMMatrix`. CSS pixels. */
export type Placement = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

interface Point {
  readonly x: number;
  readonly y: number;
}

export const ON_TOP: Placement = [1, 0, 0, 1, 0, 0];

export function placedIn([a, b, c, d, e, f]: Placement, inner: Placement): Placement {
  const [g, h, i, j, x, y] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * x + c * y + e, b * x + d * y + f];
}

export const toPage = ([a, b, c, d, e, f]: Placement, { x, y }: Point): Point => ({
  x: a * x + c * y + e,
  y: b * x + d * y + f,
});

/** Converts a point of the page to one of the document. */
export function toDocument([a, b, c, d, e, f]: Placement, point: Point): Point {
  const [x, y, size] = [point.x - e, point.y - f, a * d - b * c];
  return { x: (d * x - c * y) / size, y: (a * y - b * x) / size };
}

/**
 * Returns how a document is drawn around one of its points in space, where a perspective draws each part by its own size.
 * @param corners x and y of the corners of the drawn document: top left, top right, bottom right, bottom left
 * @param size of the document, in its own pixels
 */
export function placedAround(
  corners: readonly number[],
  [width, height]: readonly [number, number],
  at: Point,
): Placement {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = corners;
  // The projective map of a square: P. Heckbert, Fundamentals of Texture Mapping and Image Warping (1989), 2.2.3.
  const [rightX, rightY, lowX, lowY] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2];
  const [sumX, sumY] = [x0 - x1 - lowX, y0 - y1 - lowY];
  const determinant = rightX * lowY - lowX * rightY;
  const g = (sumX * lowY - lowX * sumY) / determinant;
  const h = (rightX * sumY - sumX * rightY) / determinant;
  const [u, v] = [at.x / width, at.y / height];
  const depth = g * u + h * v + 1;
  const [ax, bx] = [x1 - x0 + g * x1, x3 - x0 + h * x3];
  const [ay, by] = [y1 - y0 + g * y1, y3 - y0 + h * y3];
  const [x, y] = [(ax * u + bx * v + x0) / depth, (ay * u + by * v + y0) / depth];
  const a = (ax - g * x) / depth / width;
  const b = (ay - g * y) / depth / width;
  const c = (bx - h * x) / depth / height;
  const d = (by - h * y) / depth / height;
  return [a, b, c, d, x - a * at.x - c * at.y, y - b * at.x - d * at.y];
}

/** Returns the box on the page around a box of the document. */
export function boxOnPage(
  placement: Placement,
  [x, y, width, height]: readonly [number, number, number, number],
): Point & { readonly width: number; readonly height: number } {
  const [a, b, c, d] = placement;
  const corner = toPage(placement, { x, y });
  return {
    x: corner.x + Math.min(0, a * width) + Math.min(0, c * height),
    y: corner.y + Math.min(0, b * width) + Math.min(0, d * height),
    width: Math.abs(a) * width + Math.abs(c) * height,
    height: Math.abs(b) * width + Math.abs(d) * height,
  };
}

/** Returns the lengths on the page of the sides of one pixel of the document. */
export const pixelSize = ([a, b, c, d]: Placement): Point => ({ x: Math.hypot(a, b), y: Math.hypot(c, d) });

export const isTransformed = ([a, b, c, d]: Placement): boolean => a !== 1 || b !== 0 || c !== 0 || d !== 1;
