/** Builds the requested content parts from the flat copy of the page. */
import type { PagePart, ScrapedLink } from '../../../domain/content/contentParts.ts';
import type { ContentSelection, PageValues } from '../../../domain/content/scrape.ts';
import { cutText } from '../../../domain/space/pageText.ts';
import { documentElement, documentType, outerHTML } from '../dom/domGetters.ts';
import { articleMetadata } from './article/articleMetadata.ts';
import { prepareForMarkdown } from './clean/prepareForMarkdown.ts';
import { readableText } from './clean/readableText.ts';
import { toMarkdown } from './clean/toMarkdown.ts';
import { toPlainText } from './clean/toPlainText.ts';
import { type CleanBody, cleanBody } from './cleanBody.ts';
import type { ImageCollector } from './imageCollector.ts';
import type { PageContent } from './pageScraper.ts';
import { structuredData } from './structured/structuredData.ts';

/** Maximum length of the URLs and texts of all links together; further links are left out. */
const MAX_TOTAL_CHARACTERS = 5_000_000;

/**
 * Returns the links in sanitized HTML, each URL once, in document order. The text is the first that is not empty among
 * the links with this URL. `isTruncated` is true if a limit cut the list.
 */
function collectLinks(root: Element): {
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

/** The live page and the cleaned copies of its body, from which a builder makes one content part. */
interface ContentSource {
  readonly page: Document;
  readonly request: ContentSelection;
  /** The sanitized body; null if no part needs it. */
  readonly body: CleanBody | null;
  /** The body as HTML, before it is rewritten for Markdown and text; null if no part needs it. */
  readonly html: string | null;
  /** The links in the body; null if they are not requested. */
  readonly links: ReturnType<typeof collectLinks> | null;
  /** The images of the page; null if they are not requested. */
  readonly images: ImageCollector | null;
  /** True if a limit cut the copy of the page: every part made from it is then incomplete. */
  readonly isTruncated: boolean;
}

interface PartResult<Value> {
  readonly value: Value | null;
  readonly isTruncated: boolean;
}

type PartBuilders<Part extends PagePart> = {
  readonly [P in Part]: (source: ContentSource) => PartResult<PageValues[P]>;
};

/** Maximum length of one text part; the rest is cut. The HTML part needs the most: the text of the page (limited in flatten.ts) and its attributes. */
const MAX_TEXT_CHARACTERS = 12_000_000;

/** Builders of the parts made from the page's body. To add a part, write its builder and its row in src/domain/content/contentParts.ts. */
const BODY_PARTS = {
  mainContent: source => textPart(source, source.html),
  markdown: ({ body, isTruncated }) => {
    if (body === null) return { value: null, isTruncated };
    const markdown = toMarkdown(body.clean, MAX_TEXT_CHARACTERS);
    return { value: markdown.value, isTruncated: isTruncated || markdown.isTruncated };
  },
  text: source => textPart(source, source.body === null ? null : toPlainText(source.body.clean)),
  links: ({ links, isTruncated }) => ({
    value: links?.links ?? null,
    isTruncated: isTruncated || (links?.isTruncated ?? false),
  }),
} as const satisfies Partial<PartBuilders<PagePart>>;

/** Builders of the parts made from the live page, not from the copy of its body. */
const LIVE_PARTS = {
  images: ({ images, isTruncated }) => {
    // Read the list first: that sets `isTruncated`.
    const value = images?.images ?? null;
    return { value, isTruncated: isTruncated || (images?.isTruncated ?? false) };
  },
  rawHtml: ({ page }) => {
    const root = documentElement(page);
    const doctype = documentType(page);
    const html = `${doctype === null ? '' : `<!DOCTYPE ${doctype}>\n`}${root === null ? '' : outerHTML(root)}`;
    return { value: cutText(html, MAX_TEXT_CHARACTERS), isTruncated: html.length > MAX_TEXT_CHARACTERS };
  },
  structured: ({ page }) => {
    const { items, isTruncated } = structuredData(page);
    return { value: items, isTruncated };
  },
  metadata: ({ page, body }) => ({
    value: articleMetadata(page, body?.readability ?? null),
    isTruncated: false,
  }),
} as const satisfies PartBuilders<Exclude<PagePart, keyof typeof BODY_PARTS>>;

const PART_BUILDERS: PartBuilders<PagePart> = { ...BODY_PARTS, ...LIVE_PARTS };

/** Returns true if a requested part needs the page's body. */
export const needsBody = (request: ContentSelection): boolean =>
  Object.keys(BODY_PARTS).some(part => request[part as keyof typeof BODY_PARTS]);

/**
 * Returns the parts to read in the page's child frames: the HTML of all that they show, and their images if requested.
 * The main content is found later, in the page with the frames' HTML inserted.
 */
export function frameRequest(request: ContentSelection): ContentSelection {
  const nothing = Object.fromEntries(Object.keys(PART_BUILDERS).map(part => [part, false]));
  return {
    ...(nothing as Record<PagePart, boolean>),
    onlyMainContent: false,
    ...((request.exclude ?? []).length > 0 && { exclude: request.exclude ?? [] }),
    mainContent: needsBody(request),
    images: request.images,
  };
}

/**
 * Builds the requested content parts of a page.
 * @param page the live document
 * @param copy the copy of the visible page made by `flatten`, with the content of all frames; null if no part needs it.
 * Do not use it afterwards, because the builders change it
 * @param images null if images are not requested
 * @param isTruncated true if a limit cut the copy
 */
export function buildContent(
  page: Document,
  copy: Document | null,
  images: ImageCollector | null,
  request: ContentSelection,
  isTruncated: boolean,
): Pick<PageContent, 'values' | 'truncated'> {
  const body = copy === null ? null : cleanBody(page, copy, request);
  // Before the body is rewritten, so that no copy of it is needed.
  const html = body !== null && request.mainContent ? body.clean.innerHTML.trim() : null;
  const links = body !== null && request.links ? collectLinks(body.clean) : null;
  if (body !== null && (request.markdown || request.text)) prepareForMarkdown(body.clean);
  const source: ContentSource = { page, request, body, html, links, images, isTruncated };
  const results = (Object.keys(PART_BUILDERS) as PagePart[])
    .filter(part => request[part])
    .map(part => ({ part, ...PART_BUILDERS[part](source) }));
  return {
    values: Object.fromEntries(results.map(({ part, value }) => [part, value])),
    truncated: results.filter(result => result.isTruncated).map(({ part }) => part),
  };
}

const textPart = ({ isTruncated }: ContentSource, text: string | null): PartResult<string> => ({
  value: text === null ? null : cutText(text, MAX_TEXT_CHARACTERS),
  isTruncated: isTruncated || (text?.length ?? 0) > MAX_TEXT_CHARACTERS,
});
