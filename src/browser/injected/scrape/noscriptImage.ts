/** The `<noscript>` twin of a lazy image: the one place where the page names the real source. */

import { firstChild, nodeType, textContent } from '../dom/domGetters.ts';
import { isPlaceholder, rewriteUrlAttribute } from './urlAttributes.ts';

/** Longer noscript texts are not an image's twin. Characters. */
const MAX_NOSCRIPT_CHARACTERS = 4_000;

/** Gives the image copied just before a noscript its twin's source, if it shows only a placeholder. */
export function applyNoscriptImage(noscript: Element, into: Node, base: string): void {
  const first = firstChild(noscript);
  if (first === null || nodeType(first) !== 3) return;
  const markup = textContent(noscript) ?? '';
  if (markup.length > MAX_NOSCRIPT_CHARACTERS || !/<img\s/i.test(markup)) return;
  const image = lastImage(into);
  if (image === null || !isPlaceholder(image)) return;
  const twin = imageSource(markup);
  if (twin === null) return;
  image.setAttribute('src', twin);
  rewriteUrlAttribute(image, 'src', base);
}

function lastImage(into: Node): Element | null {
  for (let node = into.lastChild; node !== null; node = node.previousSibling) {
    if (node.nodeType === 1) {
      const element = node as Element;
      return element.localName === 'img' ? element : element.querySelector('img');
    }
    if (/\S/.test(node.textContent ?? '')) return null;
  }
  return null;
}

/** Read by pattern, not parsed: a page under Trusted Types refuses parsing to everyone. */
function imageSource(markup: string): string | null {
  const begin = markup.search(/<img\s/i);
  const tag = markup.slice(begin, markup.indexOf('>', begin) + 1);
  const found = /\s(?:data-src|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(tag);
  const value = found?.[1] ?? found?.[2] ?? found?.[3] ?? null;
  return value === null ? null : value.replaceAll('&amp;', '&');
}
