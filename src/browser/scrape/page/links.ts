/** The links of clean markup. */
import type { ScrapedLink } from '../../../domain/page.ts';
import { lineOf } from './weights.ts';

/** Of all links together; more is no list to read. Characters. */
const MOST_TEXT = 5_000_000;

/** Each address once, in document order, with the first text that it has anywhere. */
export function linksIn(root: Element): { readonly links: ScrapedLink[]; readonly cut: boolean } {
  const found = new Map<string, string>();
  let left = MOST_TEXT;
  for (const link of root.querySelectorAll('a[href],area[href]')) {
    const url = link.getAttribute('href') ?? '';
    if (url === '' || found.get(url)) continue;
    const text = labelOf(link);
    left -= url.length + text.length;
    if (left < 0) break;
    found.set(url, text);
  }
  return { links: Array.from(found, ([url, text]) => ({ url, text })), cut: left < 0 };
}

function labelOf(link: Element): string {
  const text = lineOf(link);
  if (text !== '') return text;
  const image = link.querySelector('img[alt]');
  return (
    link.getAttribute('aria-label') ??
    link.getAttribute('title') ??
    image?.getAttribute('alt') ??
    link.getAttribute('alt') ??
    ''
  ).trim();
}
