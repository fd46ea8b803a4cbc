/** Makes the body of the flat copy: reduced to the requested content, and sanitized. */

import { getAttribute, queryAllDocument, titleOf } from '../dom/domGetters.ts';
import type { ReadabilityMetadata } from './articleMetadata.ts';
import { cleanUp } from './cleanUp.ts';
import { removeHeadingPermalinks } from './headings.ts';
import { isCollectionPage } from './isCollectionPage.ts';
import { landmarkContent } from './landmarkContent.ts';
import { normalizeCodeBlocks } from './normalizeCodeBlocks.ts';
import { normalizeFormulas } from './normalizeFormulas.ts';
import { restoreEmbeds } from './protectEmbeds.ts';
import { isTooLargeForReadability, readArticle } from './readArticle.ts';
import { sanitizeHtml } from './sanitizeHtml.ts';

/** The page's body after sanitizing, reduced to the main content if only that is requested. */
export interface CleanBody {
  /** An element of an inert document; its children are the content. */
  readonly clean: HTMLElement;
  /** Metadata that Readability found; null if the page is not an article. */
  readonly readability: ReadabilityMetadata | null;
}

/**
 * Sanitizes the body of a page's copy, and reduces it to the main content if `onlyMainContent`: the article, or without
 * one the page without its boilerplate.
 * @param page the live document
 * @param copy the copy made by `flatten`; do not use it afterwards
 */
export function cleanBody(page: Document, copy: Document, onlyMainContent: boolean): CleanBody {
  normalizeCodeBlocks(copy.body);
  normalizeFormulas(copy.body, !onlyMainContent);
  removeHeadingPermalinks(copy.body);
  if (!onlyMainContent) return { clean: sanitizeHtml(copy.body, true), readability: null };
  copyMetaTags(page, copy);
  const article = readArticle(copy);
  if (article !== null && !isCollectionPage(page, copy, article.root)) {
    restoreEmbeds(article.root);
    return { clean: cleanMain(article.root), readability: article };
  }
  // A very large page always keeps some content, and a second copy of it would use too much memory.
  const backup = isTooLargeForReadability(copy) ? null : (copy.body.cloneNode(true) as Element);
  const clean = cleanMain(landmarkContent(copy));
  // Never return nothing for a page that shows something: if every block has a boilerplate name, keep them all.
  return {
    clean: clean.firstChild === null && backup !== null ? cleanMain(backup) : clean,
    readability: null,
  };
}

function cleanMain(root: Element): HTMLElement {
  const clean = sanitizeHtml(root, false);
  cleanUp(clean);
  return clean;
}

/** Copies the title and the OpenGraph and Twitter `meta` elements: from them Readability reads the title, to remove the heading that repeats it. */
function copyMetaTags(page: Document, copy: Document): void {
  copy.title = titleOf(page);
  for (const meta of queryAllDocument(page, 'meta[property^="og:" i],meta[name^="twitter:" i]')) {
    const own = copy.createElement('meta');
    for (const name of ['property', 'name', 'content']) {
      const value = getAttribute(meta, name);
      if (value !== null) own.setAttribute(name, value);
    }
    copy.head.append(own);
  }
}
