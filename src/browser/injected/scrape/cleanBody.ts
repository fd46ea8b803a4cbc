/** Makes the body of the flat copy: reduced to the requested content, and sanitized. */

import { pageSignals } from '../signals/pageSignals.ts';
import type { ReadabilityMetadata } from './article/articleMetadata.ts';
import { copyMetaTags } from './article/copyMetaTags.ts';
import { removeHeadingPermalinks } from './article/headings.ts';
import { isTooLargeForReadability } from './article/readArticle.ts';
import { cleanUp } from './clean/cleanUp.ts';
import { normalizeCodeBlocks } from './clean/normalizeCodeBlocks.ts';
import { normalizeFormulas } from './clean/normalizeFormulas.ts';
import { sanitizeHtml } from './clean/sanitizeHtml.ts';
import { landmarkContent } from './landmarkContent.ts';
import { mainContent } from './mainContent.ts';

/** The page's body after sanitizing, reduced to the main content if only that is requested. */
export interface CleanBody {
  /** An element of an inert document; its children are the content. */
  readonly clean: HTMLElement;
  /** Metadata that Readability found; null if the page is not an article. */
  readonly readability: ReadabilityMetadata | null;
}

/**
 * Sanitizes the body of a page's copy, and reduces it to the main content if `onlyMainContent` (`mainContent`).
 * @param page the live document
 * @param copy the copy made by `flatten`; do not use it afterwards
 */
export function cleanBody(page: Document, copy: Document, onlyMainContent: boolean): CleanBody {
  normalizeCodeBlocks(copy.body);
  normalizeFormulas(copy.body, !onlyMainContent);
  removeHeadingPermalinks(copy.body);
  if (!onlyMainContent) return { clean: sanitizeHtml(copy.body, true), readability: null };
  copyMetaTags(page, copy);
  if (isTooLargeForReadability(copy)) return { clean: cleanMain(landmarkContent(copy)), readability: null };
  const { root, backup, readability } = mainContent(copy, page, pageSignals(page));
  const clean = cleanMain(root);
  return { clean: backup !== null && !showsText(clean) ? cleanMain(backup) : clean, readability };
}

/** Elements whose text is not in `textContent`. */
const TEXT_BY_ATTRIBUTES = 'input,textarea,select,canvas,svg,math[alttext]';

const showsText = (content: Element): boolean =>
  /\S/.test(content.textContent ?? '') || content.querySelector(TEXT_BY_ATTRIBUTES) !== null;

function cleanMain(root: Element): HTMLElement {
  const clean = sanitizeHtml(root, false);
  cleanUp(clean);
  return clean;
}
