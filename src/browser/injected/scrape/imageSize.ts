/** Reads the size of an image that the browser shows as a document. */
import type { ImageSize } from './pageScraper.ts';

/** Returns the size of the image that is the document: of a bitmap the natural size, of an SVG the declared size or that of its view box. Null if unknown. */
export function imageSize(): ImageSize | null {
  const root = document.documentElement;
  if (root instanceof SVGSVGElement) {
    const { width, height } = root.viewBox.baseVal ?? {};
    return roundedSize(inPixels(root.width), inPixels(root.height)) ?? roundedSize(width, height);
  }
  const image = document.querySelector('img');
  return image === null ? null : roundedSize(image.naturalWidth, image.naturalHeight);
}

const inPixels = ({ baseVal }: SVGAnimatedLength): number =>
  baseVal.unitType === SVGLength.SVG_LENGTHTYPE_PERCENTAGE ? 0 : baseVal.value;

const roundedSize = (width: number, height: number): ImageSize | null =>
  width > 0 && height > 0 ? { width: Math.round(width), height: Math.round(height) } : null;
