/** From the flat copy to the parts that are asked for. */
import type { ScrapeRequest } from '../../../domain/page.ts';
import type { PageContent } from '../answer.ts';
import { readArticle } from './article.ts';
import { articleMetadata, type ReadFacts } from './articleMetadata.ts';
import { settleCodeBlocks } from './codeBlocks.ts';
import { isCollection } from './collection.ts';
import { dropPermalinks } from './headings.ts';
import type { ImageCollector } from './images.ts';
import { landmarkContent } from './landmark.ts';
import { linksIn } from './links.ts';
import { attribute, select, titleOf } from './live.ts';
import { readingCopy } from './readingCopy.ts';
import { sanitise } from './sanitise.ts';
import { unshieldEmbeds } from './shieldEmbeds.ts';
import { structuredData } from './structured.ts';
import { textOf } from './text.ts';
import { tidy } from './tidy.ts';

/** Whether the page's body must be read for this request. */
export const needsBody = (request: ScrapeRequest): boolean =>
  request.mainContent || request.markdown || request.text || request.links;

/** @param copy the flat copy with all frames in place; used up */
export function contentOf(
  page: Document,
  copy: Document | null,
  images: ImageCollector | null,
  request: ScrapeRequest,
): PageContent {
  const body = copy === null ? null : cleanBody(page, copy, request);
  const { markdown, mainContent } = request;
  const reading = body !== null && (markdown || request.text) ? readingCopy(body.clean) : null;
  return {
    html:
      body !== null && (mainContent || (markdown && reading === null)) ? body.clean.innerHTML.trim() : null,
    readingHtml: markdown && reading !== null ? reading.innerHTML : null,
    text: body !== null && request.text ? textOf(reading ?? body.clean) : null,
    links: body !== null && request.links ? linksIn(body.clean) : null,
    images: images?.images ?? null,
    structured: request.structured ? structuredData(page) : null,
    metadata: request.metadata ? articleMetadata(page, body?.read ?? null) : null,
  };
}

interface CleanBody {
  readonly clean: HTMLElement;
  readonly read: ReadFacts | null;
}

function cleanBody(page: Document, copy: Document, request: ScrapeRequest): CleanBody {
  settleCodeBlocks(copy.body);
  dropPermalinks(copy.body);
  if (!request.onlyMainContent) return { clean: sanitise(copy.body, true), read: null };
  copyHead(page, copy);
  const article = readArticle(copy);
  if (article !== null && !isCollection(page, copy, article.root)) {
    unshieldEmbeds(article.root);
    return { clean: cleanMain(article.root), read: article };
  }
  const shown = copy.body.cloneNode(true) as Element;
  const clean = cleanMain(landmarkContent(copy));
  // A page that shows something must not come out empty: where every block is called furniture, all of it is content.
  return { clean: clean.firstChild === null ? cleanMain(shown) : clean, read: null };
}

function cleanMain(root: Element): HTMLElement {
  const clean = sanitise(root, false);
  tidy(clean);
  return clean;
}

/** Readability takes the title from here, to drop the heading that repeats it. */
function copyHead(page: Document, copy: Document): void {
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
