/** Draws a picture anew: scaled down, or with parts painted over. */
import type { Rect } from '../../domain/space/action.ts';

/** Changes of a picture. */
export interface RedrawOptions {
  /** Width of the new picture in pixels; absent to keep the size. */
  readonly width?: number;
  /** Parts that are painted over, in CSS pixels. */
  readonly boxes?: readonly Rect[];
  /** Width of what the picture shows, in CSS pixels; absent if it has one pixel for each. */
  readonly cssWidth?: number;
  /** Quality of a JPEG, 1 to 100. A PNG stays a PNG. */
  readonly quality: number;
}

/** The first bytes of a PNG in Base64. */
const PNG = 'iVBORw0KGgo';

/** Returns the picture drawn anew. @param image PNG or JPEG, Base64 */
export async function redrawImage(
  image: string,
  { width, boxes = [], cssWidth, quality }: RedrawOptions,
): Promise<string> {
  // Loaded with the first picture that is changed: most services change none.
  const { createCanvas, loadImage } = await import('@napi-rs/canvas');
  const source = await loadImage(Buffer.from(image, 'base64'));
  const scale = (width ?? source.width) / source.width;
  const canvas = createCanvas(Math.round(source.width * scale), Math.round(source.height * scale));
  const context = canvas.getContext('2d');
  context.scale(scale, scale);
  context.drawImage(source, 0, 0);
  if (cssWidth !== undefined) context.scale(source.width / cssWidth, source.width / cssWidth);
  context.fillStyle = '#808080';
  for (const box of boxes)
    context.fillRect(
      Math.floor(box.x),
      Math.floor(box.y),
      Math.ceil(box.width) + 1,
      Math.ceil(box.height) + 1,
    );
  const encoded = image.startsWith(PNG) ? await canvas.encode('png') : await canvas.encode('jpeg', quality);
  return encoded.toString('base64');
}
