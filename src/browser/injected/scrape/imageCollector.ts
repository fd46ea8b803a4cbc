/** Collects the images that the page shows, with their natural size. Makes no requests. */
import type { ImageCategory, ScrapedImage } from '../../../domain/content/contentParts.ts';
import * as dom from '../dom/domGetters.ts';
import type { ImageSize } from './pageScraper.ts';
import {
  isPlaceholder,
  LAZY_SRC_ATTRIBUTES,
  LAZY_SRCSET_ATTRIBUTES,
  resolveLazySource,
  safeMediaUrl,
} from './snapshot/urlAttributes.ts';

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

const MAX_IMAGES = 5_000;
/** Maximum width and height of an icon, in CSS pixels: the largest usual icon size. */
const ICON_PX = 48;
/** An image at most this wide or high, in CSS pixels, is decorative: a rule or a spacer. */
const THIN_PX = 4;
const ICON_NAME =
  /(^|[-_/\s])(icons?|ico|favicon|sprite|glyph|emoji|avatar-?xs|arrow|chevron|bullet)([-_/.\s\d]|$)/i;
const DECORATIVE_NAME =
  /(^|[-_/\s])(spacer|pixel|blank|divider|separator|background|bg|decor\w*|ornament|pattern)([-_/.\s\d]|$)/i;

/** Collects the images that the page shows, while `flatten` walks the page. */
export class ImageCollector {
  /** True if images were left out, because the page shows more than 5,000. Read `images` first: that can set it. */
  isTruncated = false;
  readonly #found: (Omit<ScrapedImage, 'id'> | Element)[] = [];
  readonly #frameImages = new Map<Element, readonly ScrapedImage[]>();

  /** Records the element if it is an image, an SVG drawing or a frame. Call it for each visible element, in document order. */
  readonly onVisible = (element: Element): void => {
    const name = dom.localName(element);
    if (name === 'img' || (name === 'input' && (element as HTMLInputElement).type === 'image'))
      this.#addImage(element, name);
    else if (/^(iframe|frame|object|embed)$/.test(name)) this.#add(element);
    else if (name === 'svg' && dom.closest(element, 'svg svg') === null) this.#addSvg(element);
  };

  #addImage(element: Element, name: string): void {
    const base = dom.baseURI(element);
    const image = name === 'img' ? (element as HTMLImageElement) : null;
    const shown = image === null ? '' : image.currentSrc;
    const copy = inertDocument.createElement('img');
    for (const key of ['src', 'srcset', ...LAZY_SRC_ATTRIBUTES, ...LAZY_SRCSET_ATTRIBUTES]) {
      const value = dom.getAttribute(element, key);
      if (value !== null) copy.setAttribute(key, value);
    }
    resolveLazySource(copy, base, shown, image === null ? 0 : image.naturalWidth);
    const source = copy.getAttribute('src') ?? '';
    const url = safeMediaUrl(source, base);
    if (source === '' || url === null) return;
    const showsUrl = !(isPlaceholder(element) && url !== shown);
    const loaded = image !== null && image.naturalWidth > 0 && showsUrl ? image : null;
    const box = dom.boxOf(element);
    const alt = dom.getAttribute(element, 'alt') ?? dom.getAttribute(element, 'aria-label');
    this.#add({
      url,
      alt,
      category: imageCategory(element, url, box, alt),
      width: loaded === null ? null : loaded.naturalWidth,
      height: loaded === null ? null : loaded.naturalHeight,
    });
  }

  #addSvg(element: Element): void {
    const { width, height } = dom.boxOf(element);
    if (width === 0 || height === 0) return;
    const title = Array.from(dom.queryAllIn(element, 'title')).map(dom.textContent)[0] ?? null;
    const alt = dom.getAttribute(element, 'aria-label') ?? title;
    const small = width <= ICON_PX && height <= ICON_PX;
    const inControl =
      dom.closest(element, 'button,[role=button],summary') !== null && Math.max(width, height) <= 2 * ICON_PX;
    this.#add({
      url: null,
      alt: alt === null ? null : alt.trim(),
      category: small || inControl ? 'svg_icon' : 'svg_content',
      width: Math.round(width),
      height: Math.round(height),
    });
  }

  #add(image: Omit<ScrapedImage, 'id'> | Element): void {
    if (this.#found.length < MAX_IMAGES) this.#found.push(image);
    else this.isTruncated = true;
  }

  /** Adds the images of a frame of another process, at the frame's position. */
  addFrameImages(frame: Element, images: readonly ScrapedImage[]): void {
    this.#frameImages.set(frame, images);
  }

  /** The images of the page and its frames, in document order, with the ids `IMG1`, `IMG2`, … */
  get images(): ScrapedImage[] {
    const all = this.#found.flatMap(found =>
      'category' in found ? found : (this.#frameImages.get(found) ?? []),
    );
    if (all.length > MAX_IMAGES) this.isTruncated = true;
    return all.slice(0, MAX_IMAGES).map((image, index) => ({ ...image, id: `IMG${index + 1}` }));
  }
}

const inertDocument = document.implementation.createHTMLDocument('');

function imageCategory(element: Element, url: string, box: DOMRect, alt: string | null): ImageCategory {
  const names = `${dom.getAttribute(element, 'class') ?? ''} ${dom.getAttribute(element, 'id') ?? ''} ${fileName(url)}`;
  // If an image did not load, its box is that of the broken-image icon.
  const hasOwnBox = dom.localName(element) !== 'img' || (element as HTMLImageElement).naturalWidth > 0;
  const width = hasOwnBox ? box.width : declaredSize(element, 'width');
  const height = hasOwnBox ? box.height : declaredSize(element, 'height');
  const role = dom.getAttribute(element, 'role');
  if (width > 0 && height > 0 && (width <= THIN_PX || height <= THIN_PX)) return 'decorative';
  if (role === 'presentation' || role === 'none' || dom.getAttribute(element, 'aria-hidden') === 'true')
    return 'decorative';
  if (DECORATIVE_NAME.test(names) && !alt) return 'decorative';
  if (width > 0 && height > 0 && width <= ICON_PX && height <= ICON_PX) return 'icon';
  if (ICON_NAME.test(names) && Math.max(width, height) <= 2 * ICON_PX) return 'icon';
  return alt === '' && width > 0 && Math.max(width, height) < 2 * ICON_PX ? 'decorative' : 'content_image';
}

const declaredSize = (element: Element, name: 'width' | 'height'): number =>
  Number.parseInt(dom.getAttribute(element, name) ?? '', 10) || 0;

function fileName(url: string): string {
  if (url.startsWith('data:')) return '';
  const [path = ''] = url.split(/[?#]/, 1);
  return path.split('/').slice(-2).join('/');
}
