/** Clean markup to Markdown. */
import { htmlToMarkdown } from 'mdream';

/** @param html sanitised, with absolute addresses */
export function htmlToMarkdownSync(html: string): string {
  return htmlToMarkdown(html, {
    clean: { emptyLinks: true, emptyLinkText: true, blankLines: true, selfLinkHeadings: true },
  }).trim();
}
