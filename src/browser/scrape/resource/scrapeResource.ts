/** An answer that is not HTML, scraped as what it is: JSON, text, an image, a PDF. */
import type { IncompletePart } from '../../../domain/contentParts.ts';
import type { ScrapedData } from '../../../domain/scrapedData.ts';
import type { ScrapeRequest } from '../../../domain/scrapeRequest.ts';
import { escapeHtml } from './escapeHtml.ts';
import { mimeType } from './mimeType.ts';
import { readPdf } from './readPdf.ts';
import { readTextResource } from './readTextResource.ts';
import type { ResourceContent } from './resourceContent.ts';

export interface Resource {
  /** The answer's Content-Type, with its parameters. */
  readonly contentType: string;
  readonly body: Uint8Array;
  /** Where it came from, absolute. */
  readonly url: string;
  /** Whether the file is larger than is read: `body` has nothing of it. */
  readonly truncated?: boolean;
  /** Natural size of an image in pixels; absent where not known. */
  readonly size?: ImageSize;
}

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

export type ResourceKind = 'json' | 'text' | 'image' | 'pdf' | 'download';

/** What a content type is to a reader; null for HTML and XHTML, which the page's own reader takes. */
export function resourceKind(contentType: string): ResourceKind | null {
  const type = mimeType(contentType);
  if (type === '' || type === 'text/html' || type === 'application/xhtml+xml') return null;
  if (type === 'application/json' || type.endsWith('+json') || type === 'text/json') return 'json';
  if (type === 'application/pdf') return 'pdf';
  if (type.startsWith('image/')) return 'image';
  const isText = /^text\/|[/+](xml|yaml|x-yaml|javascript|x-ndjson|toml|csv|sql)$/.test(type);
  return isText ? 'text' : 'download';
}

/**
 * PDFs and long texts are read in threads of their own, so that a hostile file holds up nobody else.
 * @param signal ends the reading early
 * @throws Failure NAVIGATION_FAILED when a file cannot be read; the signal's reason
 */
export async function scrapeResource(
  resource: Resource,
  request: ScrapeRequest,
  signal: AbortSignal,
): Promise<ScrapedData> {
  const kind = resourceKind(resource.contentType) ?? 'text';
  const parts = await READERS[kind](resource, signal, request);
  return {
    mainContent: request.mainContent ? parts.html : null,
    markdown: request.markdown ? parts.markdown : null,
    text: request.text ? parts.text : null,
    images: request.images ? (parts.images ?? []) : null,
    links: request.links ? (parts.links ?? []) : null,
    structured: request.structured ? (parts.structured ?? []) : null,
    incomplete: truncatedParts(request, parts),
    metadata: request.metadata
      ? {
          byline: parts.byline ?? null,
          published: parts.published ?? null,
          lang: parts.lang ?? null,
          siteName: null,
          canonical: null,
          excerpt: null,
        }
      : null,
  };
}

/** What is cut when a resource is; values only where it is one. */
const truncatedParts = (
  request: ScrapeRequest,
  { truncated = false, structured }: ResourceContent,
): IncompletePart[] =>
  PARTS.filter(
    ([part]) =>
      request[part] &&
      (part === 'structured' ? truncated !== false && structured !== undefined : truncated === 'everything'),
  ).map(([, name]) => name);

const PARTS = [
  ['mainContent', 'main_content'],
  ['markdown', 'markdown'],
  ['text', 'text'],
  ['links', 'links'],
  ['structured', 'structured'],
] as const;

type ResourceReader = (
  resource: Resource,
  signal: AbortSignal,
  request: ScrapeRequest,
) => Promise<ResourceContent>;

const READERS: Readonly<Record<ResourceKind, ResourceReader>> = {
  json: (resource, signal, request) => readTextResource(resource, true, request, signal),
  text: (resource, signal, request) => readTextResource(resource, false, request, signal),
  image: async ({ url, size }) => ({
    html: `<img src="${escapeHtml(url)}">`,
    markdown: `![](${markdownUrl(url)})`,
    text: '',
    images: [
      {
        id: 'IMG1',
        url,
        alt: null,
        category: 'content_image',
        width: size?.width ?? null,
        height: size?.height ?? null,
      },
    ],
  }),
  pdf: readPdfContent,
  download: async ({ url, truncated = false }) => ({
    truncated: truncated && 'everything',
    html: `<a href="${escapeHtml(url)}">${escapeHtml(fileName(url))}</a>`,
    markdown: `[${fileName(url).replace(/[[\]\\]/g, '\\$&')}](${markdownUrl(url)})`,
    text: fileName(url),
    links: [{ url, text: fileName(url) }],
  }),
};

async function readPdfContent(resource: Resource, signal: AbortSignal): Promise<ResourceContent> {
  const { pages, links, title, author, created, language, truncated } = await readPdf(resource.body, signal);
  const heading = title === null ? '' : `<h1>${escapeHtml(title)}</h1>`;
  const markup = pages.map(
    page => `<section>${page.map(block => `<p>${escapeHtml(block)}</p>`).join('')}</section>`,
  );
  const text = pages.map(page => page.join('\n\n')).join('\n\n');
  return {
    html: heading + markup.join(''),
    markdown: [
      ...(title === null ? [] : [`# ${escapeMarkdown(title)}`]),
      ...pages.flat().map(escapeMarkdown),
    ].join('\n\n'),
    text,
    links: links.map(url => ({ url, text: url })),
    byline: author,
    published: created,
    lang: language,
    truncated: truncated && 'everything',
  };
}

/** Text that Markdown would take for marks, as text. */
const escapeMarkdown = (text: string): string =>
  text.replace(/[\\`*_[\]<]/g, '\\$&').replace(/^(\s*)([#>+-]|\d+\.)(?=\s)/gm, '$1\\$2');

/** An address as Markdown takes it whatever is in it. */
const markdownUrl = (url: string): string => `<${url.replace(/[<>\s]/g, encodeURIComponent)}>`;

function fileName(url: string): string {
  const name = URL.canParse(url) ? new URL(url).pathname.split('/').at(-1) : '';
  return name ? decodeURISafely(name) : url;
}

function decodeURISafely(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    // A stray percent sign: it stands for itself.
    return text;
  }
}
