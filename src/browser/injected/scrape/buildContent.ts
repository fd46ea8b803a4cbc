/** From the flat copy to the parts that are asked for. */
import type { IncompletePart } from '../../../domain/contentParts.ts';
import type { ContentSelection, ScrapeRequest } from '../../../domain/scrapeRequest.ts';
import { articleMetadata, type ReadabilityMetadata } from './articleMetadata.ts';
import { cleanUp } from './cleanUp.ts';
import { collectLinks } from './collectLinks.ts';
import { removeHeadingPermalinks } from './headings.ts';
import type { ImageCollector } from './imageCollector.ts';
import { isCollectionPage } from './isCollectionPage.ts';
import { landmarkContent } from './landmarkContent.ts';
import { attribute, select, titleOf } from './liveDom.ts';
import { normalizeCodeBlocks } from './normalizeCodeBlocks.ts';
import { normalizeFormulas } from './normalizeFormulas.ts';
import { prepareForMarkdown } from './prepareForMarkdown.ts';
import { restoreEmbeds } from './protectEmbeds.ts';
import { isTooLargeForReadability, readArticle } from './readArticle.ts';
import { sanitizeHtml } from './sanitizeHtml.ts';
import type { PageContent } from './scraperProtocol.ts';
import { structuredData } from './structuredData.ts';
import { toPlainText } from './toPlainText.ts';

/** Whether the page's body must be read for this request. */
export const needsBody = (request: ScrapeRequest): boolean =>
  request.mainContent || request.markdown || request.text || request.links;

/** @param copy the flat copy with all frames in place; used up */
export function buildContent(
  page: Document,
  copy: Document | null,
  images: ImageCollector | null,
  request: ScrapeRequest,
  cut: boolean,
): PageContent {
  const body = copy === null ? null : cleanBody(page, copy, request);
  const { markdown, mainContent } = request;
  const reading = body !== null && (markdown || request.text) ? prepareForMarkdown(body.clean) : null;
  const html =
    body !== null && (mainContent || (markdown && reading === null)) ? body.clean.innerHTML.trim() : null;
  const readingHtml = markdown && reading !== null ? reading.innerHTML : null;
  const text = body !== null && request.text ? toPlainText(reading ?? body.clean) : null;
  const links = body !== null && request.links ? collectLinks(body.clean) : null;
  const structured = request.structured ? structuredData(page) : null;
  const shown = images?.images ?? null;
  const cuts: Readonly<Record<keyof typeof PARTS, boolean>> = {
    mainContent: cut || isTooLong(html),
    markdown: cut || isTooLong(readingHtml ?? html),
    text: cut || isTooLong(text),
    links: cut || (links?.cut ?? false),
    images: cut || (images?.truncated ?? false),
    structured: structured?.truncated ?? false,
  };
  return {
    html: truncate(html),
    markdownHtml: truncate(readingHtml),
    text: truncate(text),
    links: links?.links ?? null,
    images: shown,
    structured: structured?.items ?? null,
    metadata: request.metadata ? articleMetadata(page, body?.readability ?? null) : null,
    incomplete: PART_NAMES.filter(part => request[part] && cuts[part]).map(part => PARTS[part]),
  };
}

/** How the parts are called in answers. */
const PARTS = {
  mainContent: 'main_content',
  markdown: 'markdown',
  text: 'text',
  links: 'links',
  images: 'images',
  structured: 'structured',
} as const satisfies Partial<Record<keyof ContentSelection, IncompletePart>>;
const PART_NAMES = Object.keys(PARTS) as (keyof typeof PARTS)[];

/** One text of an answer: markup has the text that a page may have (flatten.ts) and its attributes. Characters. */
const MAX_CHARACTERS = 12_000_000;
const isTooLong = (text: string | null): boolean => (text?.length ?? 0) > MAX_CHARACTERS;
const truncate = (text: string | null): string | null => text?.slice(0, MAX_CHARACTERS) ?? null;

interface CleanBody {
  readonly clean: HTMLElement;
  readonly readability: ReadabilityMetadata | null;
}

function cleanBody(page: Document, copy: Document, request: ScrapeRequest): CleanBody {
  normalizeCodeBlocks(copy.body);
  normalizeFormulas(copy.body, !request.onlyMainContent);
  removeHeadingPermalinks(copy.body);
  if (!request.onlyMainContent) return { clean: sanitizeHtml(copy.body, true), readability: null };
  copyMetaTags(page, copy);
  const article = readArticle(copy);
  if (article !== null && !isCollectionPage(page, copy, article.root)) {
    restoreEmbeds(article.root);
    return { clean: cleanMain(article.root), readability: article };
  }
  // In what is very large something is content; a second copy of it would cost the memory of a page.
  const shown = isTooLargeForReadability(copy) ? null : (copy.body.cloneNode(true) as Element);
  const clean = cleanMain(landmarkContent(copy));
  // A page that shows something must not come out empty: where every block is called furniture, all of it is content.
  return { clean: clean.firstChild === null && shown !== null ? cleanMain(shown) : clean, readability: null };
}

function cleanMain(root: Element): HTMLElement {
  const clean = sanitizeHtml(root, false);
  cleanUp(clean);
  return clean;
}

/** Readability takes the title from here, to drop the heading that repeats it. */
function copyMetaTags(page: Document, copy: Document): void {
  copy.title = titleOf(page);
  for (const meta of select(page, 'meta[property^="og:" i],meta[name^="twitter:" i]')) {
    const own = copy.createElement('meta');
    for (const name of ['property', 'name', 'content']) {
      const value = attribute(meta, name);
      if (value !== null) own.setAttribute(name, value);
    }
    copy.head.append(own);
  }
}
