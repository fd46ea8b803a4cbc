/** Converts HTML to Markdown with mdream, which also makes the Markdown tables. */
import { htmlToMarkdown } from './mdream.ts';

/**
 * Converts HTML to Markdown on the calling thread.
 * @param html sanitized, with absolute URLs, prepared by injected/scrape/prepareForMarkdown.ts
 */
export function htmlToMarkdownSync(html: string): string {
  return htmlToMarkdown(html, {
    clean: { emptyLinks: true, emptyLinkText: true, blankLines: true, selfLinkHeadings: true },
  }).trim();
}
