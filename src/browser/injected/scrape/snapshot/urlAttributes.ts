/** Makes the URLs in HTML absolute and safe, and finds the real source of lazy images. */

import { closest, firstChild, lastChild, nodeType, textContent } from '../../dom/domGetters.ts';

/** Maximum length of a `noscript` that can be the fallback of one image. */
const MAX_NOSCRIPT_CHARACTERS = 4_000;

/**
 * Sets the source of the image before a `noscript` to that of the fallback image in the `noscript`, if the image has only
 * a placeholder.
 * @param into the node of the copy that ends with the copy of that image
 */
export function applyNoscriptImage(noscript: Element, into: Node, base: string): void {
  const first = firstChild(noscript);
  if (first === null || nodeType(first) !== 3) return;
  const html = textContent(noscript) ?? '';
  const begin = html.search(/<img\s/i);
  if (html.length > MAX_NOSCRIPT_CHARACTERS || begin < 0) return;
  const tag = html.slice(begin, html.indexOf('>', begin) + 1);
  const source = attributeOf(tag, 'data-src|src');
  const image = lastImage(into) ?? imageOfFigure(noscript, tag, into);
  if (source === null || image === null || !isPlaceholder(image)) return;
  image.setAttribute('src', source);
  rewriteUrlAttribute(image, 'src', base);
}

function lastImage(into: Node): Element | null {
  for (let node = lastChild(into); node !== null; node = node.previousSibling) {
    if (node.nodeType === 1) {
      const element = node as Element;
      return element.localName === 'img' ? element : element.querySelector('img');
    }
    if (/\S/.test(node.textContent ?? '')) return null;
  }
  return null;
}

/** Elements that a figure may show instead of the image in its `noscript`. */
const SHOWN_IN_FIGURE = 'img,picture,video,audio,canvas,svg,iframe,object,pre,table,blockquote';

/** Adds the image to the copy of a figure that shows nothing else; returns null anywhere else, and for a tracking pixel. */
function imageOfFigure(noscript: Element, tag: string, into: Node): Element | null {
  const figure = closest(noscript, 'figure');
  if (figure === null || figure.querySelector(SHOWN_IN_FIGURE) !== null) return null;
  const sides = ['width', 'height'].map(name => Number.parseFloat(attributeOf(tag, name) ?? ''));
  if (sides.some(side => side <= MAX_PLACEHOLDER_PX)) return null;
  const image = (into.ownerDocument as Document).createElement('img');
  image.setAttribute('alt', attributeOf(tag, 'alt') ?? '');
  return (into as Element).appendChild(image);
}

/** The characters that HTML writers escape in attributes. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['quot', '"'],
  ['#39', "'"],
  ['#039', "'"],
  ['lt', '<'],
  ['gt', '>'],
]);

/** Returns an attribute of a tag. Uses a pattern, because a page with Trusted Types forbids parsing. */
function attributeOf(tag: string, name: string): string | null {
  const found = new RegExp(`\\s(?:${name})\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(tag);
  const value = found?.[1] ?? found?.[2] ?? found?.[3] ?? null;
  return value?.replace(/&([a-z]+|#\d+);/g, (whole, entity: string) => ENTITIES.get(entity) ?? whole) ?? null;
}

/** URL schemes that links may have. */
const LINK_SCHEME = /^(https?|mailto|tel|ftp|sms):/i;
/** URL schemes that images and videos may have. Of data: URLs, only bitmap images are allowed. */
const MEDIA_SCHEME = /^(https?:|blob:|data:image\/(png|jpe?g|gif|webp|avif|bmp|x-icon)[;,])/i;
/** Maximum length of a data: URL; a longer one is removed: the bytes of an image are not content to read. */
const MAX_DATA_URL_CHARACTERS = 4_096;

/** Maximum length of any other URL; a longer one is removed. Patterns on a text of a hundred million characters exhaust the stack. */
const MAX_URL_CHARACTERS = 100_000;

/** Attributes with the URL of an image that a script loads later, the most common first. */
export const LAZY_SRC_ATTRIBUTES =
  'data-src data-original data-lazy-src data-url data-hi-res-src data-full-src data-image data-lazy'.split(
    ' ',
  );
/** The same for `srcset`. */
export const LAZY_SRCSET_ATTRIBUTES = ['data-srcset', 'data-lazy-srcset', 'data-original-set'];
const LOOKS_LIKE_URL = /^(https?:|\/|\.{0,2}\/|[\w%-]+\/|[\w%-]+\.(jpe?g|png|webp|gif|avif|svg)\b)/i;
const PLACEHOLDER_URL =
  /^data:|\b(blank|placeholder|spacer|transparent|loading|lazyload)\b|\b1x1\b|\bpixel\./i;

/** An image that is no wider shows nothing, or has not been loaded. */
const MAX_PLACEHOLDER_PX = 2;

/** Returns the absolute form of a URL, without user name and password if they are those of `base`; null if the URL is invalid or longer than `MAX_URL_CHARACTERS`. */
export function absoluteUrl(url: string, base: string): string | null {
  if (url.length > MAX_URL_CHARACTERS) return null;
  try {
    const found = new URL(url, base);
    if (base.includes('@')) stripPageCredentials(found, new URL(base));
    return found.href;
  } catch {
    return null;
  }
}

/** Removes user name and password from a URL if its host and both of them are those of the page's URL. */
function stripPageCredentials(found: URL, { host, username, password }: URL): void {
  if (found.host !== host || found.username !== username || found.password !== password) return;
  found.username = found.password = '';
}

/** Returns the absolute URL of a link; null if it is invalid or its scheme is not safe. */
function safeLinkUrl(url: string, base: string): string | null {
  const found = absoluteUrl(url, base);
  return found !== null && LINK_SCHEME.test(found) ? found : null;
}

/** Returns the absolute URL of an image, video or sound; null if it is invalid, too long or its scheme is not safe. */
export function safeMediaUrl(url: string, base: string): string | null {
  const found = absoluteUrl(url, base);
  if (found === null || !MEDIA_SCHEME.test(found)) return null;
  return found.startsWith('data:') && found.length > MAX_DATA_URL_CHARACTERS ? null : found;
}

type UrlRewrite = (value: string, base: string) => string | null;

const link: UrlRewrite = safeLinkUrl;
const media: UrlRewrite = safeMediaUrl;
/** The rewrite that removes an attribute: for attributes that are not content and make a browser send or load something. */
const drop: UrlRewrite = () => null;

/** Functions that rewrite the attributes that hold a URL, by the attribute's name. A null result removes the attribute. */
const URL_REWRITES: ReadonlyMap<string, UrlRewrite> = new Map<string, UrlRewrite>([
  ['href', link],
  ['cite', link],
  ['longdesc', link],
  ['xlink:href', (value, base) => (value.startsWith('#') ? value : safeLinkUrl(value, base))],
  ['src', media],
  ['poster', media],
  ['srcset', (value, base) => safeSrcset(value, base)],
  ...['action', 'formaction', 'background', 'ping', 'srcdoc', 'data', 'codebase', 'usemap'].map(
    name => [name, drop] as const,
  ),
]);

/** Returns true for the name of an attribute that `rewriteUrlAttribute` changes. */
export const isUrlAttribute = (name: string): boolean => URL_REWRITES.has(name);

/** Makes the URL in an attribute of a copied element absolute; removes the attribute if the URL is not safe. Ignores attributes that hold no URL. */
export function rewriteUrlAttribute(element: Element, name: string, base: string): void {
  const settle = URL_REWRITES.get(name);
  if (settle === undefined) return;
  const value = element.getAttribute(name) ?? '';
  const settled = settle(value.trim(), base);
  if (settled === null) element.removeAttribute(name);
  else if (settled !== value) element.setAttribute(name, settled);
}

interface SrcsetCandidate {
  readonly url: string;
  readonly descriptor: string;
  readonly size: number;
}

/**
 * Matches one candidate of a `srcset`: a URL with its width or density. It can match only at the start of a URL, so that a megabyte without a comma is scanned once,
 * in linear time.
 */
const SRCSET_CANDIDATE = /(?<![^\s,])([^\s,](?:\S*[^\s,])?)(?:\s+([\d.]+)([wx]))?\s*(?:,|$)/g;

/** Returns the candidates of a `srcset` with absolute, safe URLs. */
function parseSrcset(value: string, base: string): SrcsetCandidate[] {
  const found: SrcsetCandidate[] = [];
  for (const match of value.matchAll(SRCSET_CANDIDATE)) {
    const url = safeMediaUrl(match[1] ?? '', base);
    if (url === null) continue;
    const size = Number(match[2] ?? 1);
    found.push({ url, size, descriptor: match[3] === undefined ? '' : ` ${match[2]}${match[3]}` });
  }
  return found;
}

function safeSrcset(value: string, base: string): string | null {
  const candidates = parseSrcset(value, base);
  return candidates.length === 0
    ? null
    : candidates.map(({ url, descriptor }) => url + descriptor).join(', ');
}

/**
 * Sets `src` of a copied image to the URL of the image that the page will load, if `src` is missing or a placeholder.
 * If the image has an attribute from which a script would set `srcset` later (lazy loading), copies its value to `srcset`.
 * Removes the attributes from which it would do so: their URLs are relative.
 * @param shown the URL that the browser shows now (`currentSrc`); empty for none
 * @param width natural width of what it shows, in pixels
 */
export function resolveLazySource(image: Element, base: string, shown: string, width: number): void {
  const set = LAZY_SRCSET_ATTRIBUTES.map(name => image.getAttribute(name)).find(Boolean);
  if (set) image.setAttribute('srcset', set);
  const source = image.getAttribute('src') ?? '';
  const lazy = LAZY_SRC_ATTRIBUTES.map(name => image.getAttribute(name)).find(
    value => value !== null && LOOKS_LIKE_URL.test(value.trim()),
  );
  for (const name of [...LAZY_SRC_ATTRIBUTES, ...LAZY_SRCSET_ATTRIBUTES]) image.removeAttribute(name);
  const isPlaceholder = PLACEHOLDER_URL.test(source) || (lazy !== undefined && width <= MAX_PLACEHOLDER_PX);
  if (source !== '' && !isPlaceholder) return;
  const isShown = /^https?:/.test(shown) && !PLACEHOLDER_URL.test(shown);
  const found = lazy ?? (isShown ? shown : largestSource(image.getAttribute('srcset') ?? '', base));
  if (found) image.setAttribute('src', found);
}

const largestSource = (srcset: string, base: string): string | undefined =>
  srcset === '' ? undefined : parseSrcset(srcset, base).sort((a, b) => b.size - a.size)[0]?.url;

/** Returns true if the `src` of an image is missing or the URL of a placeholder. */
export function isPlaceholder(image: Element): boolean {
  const source = image.getAttribute('src') ?? '';
  return source === '' || PLACEHOLDER_URL.test(source);
}
