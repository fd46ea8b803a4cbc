/** The images that the page shows, with the size their bytes have; nothing is fetched again. */
import type { ImageCategory, ScrapedImage } from '../../../domain/contentParts.ts';
import {
  attribute,
  baseAddress,
  boxOf,
  closest,
  currentSource,
  inputType,
  localName,
  naturalHeight,
  naturalWidth,
  ownText,
  selectIn,
} from './liveDom.ts';
import { isPlaceholder, resolveLazySource, safeMediaUrl } from './urlAttributes.ts';

/** At most this many are listed. */
const MAX_IMAGES = 5_000;
/** Pixels on a side up to which a picture is an icon; the largest usual icon size. */
const ICON_PX = 48;
/** Thinner pictures are rules and spacers. */
const THIN_PX = 4;
const ICON_NAME =
  /(^|[-_/\s])(icons?|ico|favicon|sprite|glyph|emoji|avatar-?xs|arrow|chevron|bullet)([-_/.\s\d]|$)/i;
const DECORATIVE_NAME =
  /(^|[-_/\s])(spacer|pixel|blank|divider|separator|background|bg|decor\w*|ornament|pattern)([-_/.\s\d]|$)/i;

/** Collects images while the page is walked. */
export class ImageCollector {
  /** Whether the page has more than are listed. */
  truncated = false;
  readonly #found: (Omit<ScrapedImage, 'id'> | Element)[] = [];
  readonly #frameImages = new Map<Element, readonly ScrapedImage[]>();

  /** To be called for each seen element, in document order. */
  readonly onVisible = (element: Element): void => {
    const name = localName(element);
    if (name === 'img' || (name === 'input' && inputType(element) === 'image')) this.#addImage(element, name);
    else if (name === 'iframe' || name === 'frame') this.#add(element);
    else if (name === 'svg' && closest(element, 'svg svg') === null) this.#addSvg(element);
  };

  #addImage(element: Element, name: string): void {
    const base = baseAddress(element);
    const shown = name === 'img' ? currentSource(element) : '';
    const copy = inertDocument.createElement('img');
    for (const key of ['src', 'srcset', ...LAZY_ATTRIBUTES]) {
      const value = attribute(element, key);
      if (value !== null) copy.setAttribute(key, value);
    }
    resolveLazySource(copy, base, shown);
    const source = copy.getAttribute('src') ?? '';
    const url = safeMediaUrl(source, base);
    if (source === '' || url === null) return;
    const loaded = name === 'img' && naturalWidth(element) > 0 && !(isPlaceholder(element) && url !== shown);
    const box = boxOf(element);
    const alt = attribute(element, 'alt') ?? attribute(element, 'aria-label');
    this.#add({
      url,
      alt,
      category: imageCategory(element, url, box, alt),
      width: loaded ? naturalWidth(element) : null,
      height: loaded ? naturalHeight(element) : null,
    });
  }

  #addSvg(element: Element): void {
    const { width, height } = boxOf(element);
    if (width === 0 || height === 0) return;
    const title = Array.from(selectIn(element, 'title')).map(ownText)[0] ?? null;
    const alt = attribute(element, 'aria-label') ?? title;
    const small = width <= ICON_PX && height <= ICON_PX;
    const inControl =
      closest(element, 'button,[role=button],summary') !== null && Math.max(width, height) <= 2 * ICON_PX;
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
    else this.truncated = true;
  }

  /** Takes the images of a frame that another world read; they stand at the frame's place. */
  addFrameImages(frame: Element, images: readonly ScrapedImage[]): void {
    this.#frameImages.set(frame, images);
  }

  /** In document order, numbered from 1. */
  get images(): ScrapedImage[] {
    const all = this.#found.flatMap(found =>
      'category' in found ? found : (this.#frameImages.get(found) ?? []),
    );
    if (all.length > MAX_IMAGES) this.truncated = true;
    return all.slice(0, MAX_IMAGES).map((image, index) => ({ ...image, id: `IMG${index + 1}` }));
  }
}

const LAZY_ATTRIBUTES = [
  'data-src',
  'data-original',
  'data-lazy-src',
  'data-srcset',
  'data-lazy-srcset',
  'data-url',
  'data-image',
];
const inertDocument = document.implementation.createHTMLDocument('');

function imageCategory(element: Element, url: string, box: DOMRect, alt: string | null): ImageCategory {
  const names = `${attribute(element, 'class') ?? ''} ${attribute(element, 'id') ?? ''} ${fileName(url)}`;
  // The box of an image that did not load is that of its broken-image sign.
  const drawn = localName(element) !== 'img' || naturalWidth(element) > 0;
  const width = drawn ? box.width : declaredSize(element, 'width');
  const height = drawn ? box.height : declaredSize(element, 'height');
  const role = attribute(element, 'role');
  if (width > 0 && height > 0 && (width <= THIN_PX || height <= THIN_PX)) return 'decorative';
  if (role === 'presentation' || role === 'none' || attribute(element, 'aria-hidden') === 'true')
    return 'decorative';
  if (DECORATIVE_NAME.test(names) && !alt) return 'decorative';
  if (width > 0 && height > 0 && width <= ICON_PX && height <= ICON_PX) return 'icon';
  if (ICON_NAME.test(names) && Math.max(width, height) <= 2 * ICON_PX) return 'icon';
  return alt === '' && width > 0 && Math.max(width, height) < 2 * ICON_PX ? 'decorative' : 'content_image';
}

const declaredSize = (element: Element, name: 'width' | 'height'): number =>
  Number.parseInt(attribute(element, name) ?? '', 10) || 0;

function fileName(url: string): string {
  if (url.startsWith('data:')) return '';
  const [path = ''] = url.split(/[?#]/, 1);
  return path.split('/').slice(-2).join('/');
}
