/** The links of clean markup. */
import type { ScrapedLink } from '../../../domain/contentParts.ts';
import { singleLineText } from './textStats.ts';

/** Of all links together; more is no list to read. Characters. */
const MAX_TOTAL_CHARACTERS = 5_000_000;

/** Each address once, in document order, with the first text that it has anywhere. */
export function collectLinks(root: Element): { readonly links: ScrapedLink[]; readonly cut: boolean } {
  const found = new Map<string, string>();
  let left = MAX_TOTAL_CHARACTERS;
  for (const link of root.querySelectorAll('a[href],area[href]')) {
    const url = link.getAttribute('href') ?? '';
    if (url === '' || found.get(url)) continue;
    const text = linkText(link);
    left -= url.length + text.length;
    if (left < 0) break;
    found.set(url, text);
  }
  return { links: Array.from(found, ([url, text]) => ({ url, text })), cut: left < 0 };
}

function linkText(link: Element): string {
  const text = singleLineText(link);
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
