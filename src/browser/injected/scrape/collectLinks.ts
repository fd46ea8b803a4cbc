/** Collects the links of sanitized HTML. */
import type { ScrapedLink } from '../../../domain/content/contentParts.ts';
import { readableText } from './clean/readableText.ts';

/** Maximum length of the URLs and texts of all links together; further links are left out. */
const MAX_TOTAL_CHARACTERS = 5_000_000;

/**
 * Returns the links in sanitized HTML, each URL once, in document order. The text is the first that is not empty among
 * the links with this URL. `isTruncated` is true if a limit cut the list.
 */
export function collectLinks(root: Element): {
  readonly links: ScrapedLink[];
  readonly isTruncated: boolean;
} {
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
  return { links: Array.from(found, ([url, text]) => ({ url, text })), isTruncated: left < 0 };
}

function linkText(link: Element): string {
  const text = readableText(link);
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
