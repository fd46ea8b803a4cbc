/** The links of clean markup. */
import type { ScrapedLink } from '../../../domain/page.ts';
import { lineOf } from './weights.ts';

/** Each address once, in document order, with the first text that it has anywhere. */
export function linksIn(root: Element): ScrapedLink[] {
  const found = new Map<string, string>();
  for (const link of root.querySelectorAll('a[href],area[href]')) {
    const url = link.getAttribute('href') ?? '';
    if (url === '' || found.get(url)) continue;
    found.set(url, labelOf(link));
  }
  return Array.from(found, ([url, text]) => ({ url, text }));
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
