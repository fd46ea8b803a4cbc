/** From the flat copy to the parts that are asked for. */
import type { ContentParts, ScrapedPart, ScrapeRequest } from '../../../domain/page.ts';
import type { PageContent } from '../answer.ts';
import { isVeryLarge, readArticle } from './article.ts';
import { articleMetadata, type ReadFacts } from './articleMetadata.ts';
import { settleCodeBlocks } from './codeBlocks.ts';
import { isCollection } from './collection.ts';
import { settleFormulas } from './formulas.ts';
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
  cut: boolean,
): PageContent {
  const body = copy === null ? null : cleanBody(page, copy, request);
  const { markdown, mainContent } = request;
  const reading = body !== null && (markdown || request.text) ? readingCopy(body.clean) : null;
  const html =
    body !== null && (mainContent || (markdown && reading === null)) ? body.clean.innerHTML.trim() : null;
  const readingHtml = markdown && reading !== null ? reading.innerHTML : null;
  const text = body !== null && request.text ? textOf(reading ?? body.clean) : null;
  const links = body !== null && request.links ? linksIn(body.clean) : null;
  const structured = request.structured ? structuredData(page) : null;
  const shown = images?.images ?? null;
  const cuts: Readonly<Record<keyof typeof PARTS, boolean>> = {
    mainContent: cut || isLong(html),
    markdown: cut || isLong(readingHtml ?? html),
    text: cut || isLong(text),
    links: cut || (links?.cut ?? false),
    images: cut || (images?.cut ?? false),
    structured: structured?.cut ?? false,
  };
  return {
    html: bounded(html),
    readingHtml: bounded(readingHtml),
    text: bounded(text),
    links: links?.links ?? null,
    images: shown,
    structured: structured?.items ?? null,
    metadata: request.metadata ? articleMetadata(page, body?.read ?? null) : null,
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
} as const satisfies Partial<Record<keyof ContentParts, ScrapedPart>>;
const PART_NAMES = Object.keys(PARTS) as (keyof typeof PARTS)[];

/** One text of an answer: markup has the text that a page may have (flatten.ts) and its attributes. Characters. */
const MOST_CHARACTERS = 12_000_000;
const isLong = (text: string | null): boolean => (text?.length ?? 0) > MOST_CHARACTERS;
const bounded = (text: string | null): string | null => text?.slice(0, MOST_CHARACTERS) ?? null;

interface CleanBody {
  readonly clean: HTMLElement;
  readonly read: ReadFacts | null;
}

function cleanBody(page: Document, copy: Document, request: ScrapeRequest): CleanBody {
  settleCodeBlocks(copy.body);
  settleFormulas(copy.body, !request.onlyMainContent);
  dropPermalinks(copy.body);
  if (!request.onlyMainContent) return { clean: sanitise(copy.body, true), read: null };
  copyHead(page, copy);
  const article = readArticle(copy);
  if (article !== null && !isCollection(page, copy, article.root)) {
    unshieldEmbeds(article.root);
    return { clean: cleanMain(article.root), read: article };
  }
  // In what is very large something is content; a second copy of it would cost the memory of a page.
  const shown = isVeryLarge(copy) ? null : (copy.body.cloneNode(true) as Element);
  const clean = cleanMain(landmarkContent(copy));
  // A page that shows something must not come out empty: where every block is called furniture, all of it is content.
  return { clean: clean.firstChild === null && shown !== null ? cleanMain(shown) : clean, read: null };
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
