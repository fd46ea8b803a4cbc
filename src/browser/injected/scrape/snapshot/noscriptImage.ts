/** Reads the source of a lazy image from the fallback in `noscript`, which is often the only place that contains it. */

import { firstChild, lastChild, nodeType, textContent } from '../../dom/domGetters.ts';
import { isPlaceholder, rewriteUrlAttribute } from './urlAttributes.ts';

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
  if (html.length > MAX_NOSCRIPT_CHARACTERS || !/<img\s/i.test(html)) return;
  const image = lastImage(into);
  if (image === null || !isPlaceholder(image)) return;
  const source = imageSource(html);
  if (source === null) return;
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

/** Returns the source of the first image in the HTML. Uses a pattern, because a page with Trusted Types forbids parsing. */
function imageSource(html: string): string | null {
  const begin = html.search(/<img\s/i);
  const tag = html.slice(begin, html.indexOf('>', begin) + 1);
  const found = /\s(?:data-src|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(tag);
  const value = found?.[1] ?? found?.[2] ?? found?.[3] ?? null;
  return value === null ? null : value.replaceAll('&amp;', '&');
}
