/** Scrapes a resource that is not HTML: JSON, text, an image, a PDF or a downloaded file. */

import {
  type ArticleMetadata,
  CONTENT_PARTS,
  incompleteNames,
  PAGE_PARTS,
} from '../../../domain/content/contentParts.ts';
import type { ContentSelection, PageValues, ScrapedData } from '../../../domain/content/scrape.ts';
import { Failure } from '../../../domain/failure/failures.ts';
import type { ImageSize } from '../../injected/scrape/pageScraper.ts';
import { runInWorker, WorkerFailed } from '../runInWorker.ts';
import { MAX_TEXT_BYTES, parseTextResource, type TextSource } from './parseTextResource.ts';
import { readPdf } from './readPdf.ts';
import { escapeHtml, mimeType, type ResourceContent, TEXT_RESOURCE_PARTS } from './resourceContent.ts';

/** Maximum size of text that is read on the main thread. Longer text is read in a worker: 10 million characters take tenths of a second. */
const MAX_BYTES_ON_MAIN_THREAD = 500_000;
const WORKER_MEMORY_MB = 1_024;

/**
 * Decodes JSON or other text and makes its content parts, in a worker if the text is long.
 * @throws Failure NAVIGATION_FAILED when the text cannot be read; the signal's reason
 */
async function readTextResource(
  { contentType, body }: TextSource,
  isJson: boolean,
  request: ContentSelection,
  signal: AbortSignal,
): Promise<ResourceContent> {
  if (body.length <= MAX_BYTES_ON_MAIN_THREAD)
    return parseTextResource({ contentType, body }, isJson, request);
  // Send one byte more than the limit: it shows the worker that the text is longer.
  const source: TextSource = { contentType, body: body.subarray(0, MAX_TEXT_BYTES + 1) };
  const module = new URL('./textResourceWorker.ts', import.meta.url);
  try {
    return await runInWorker(module, { source, isJson, request }, { memoryMb: WORKER_MEMORY_MB, signal });
  } catch (cause) {
    throw cause instanceof WorkerFailed
      ? new Failure('NAVIGATION_FAILED', 'The URL returned text that could not be read.', { cause })
      : cause;
  }
}

export interface Resource {
  readonly contentType: string;
  readonly body: Uint8Array;
  /** Absolute URL of the response or file. */
  readonly url: string;
  /** True if the file exceeds the size limit. `body` is then empty. */
  readonly isTruncated?: boolean;
  /** Natural size of an image; absent if unknown. */
  readonly size?: ImageSize;
}

export type ResourceKind = 'json' | 'text' | 'image' | 'pdf' | 'download';

/** Returns the kind of a resource with this Content-Type; null for HTML, XHTML and an empty type, which scrapePage.ts reads. */
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
 * Returns the requested content parts of a resource that is not HTML; the other parts are null. Reads PDFs and long texts
 * in workers, so that a hostile file does not delay other sessions.
 * @throws Failure NAVIGATION_FAILED when the resource cannot be read; the signal's reason
 */
export async function scrapeResource(
  resource: Resource,
  request: ContentSelection,
  signal: AbortSignal,
): Promise<ScrapedData> {
  const kind = resourceKind(resource.contentType) ?? 'text';
  const { values, truncated } = await READERS[kind](resource, signal, request);
  const all = { metadata: NO_METADATA, ...values };
  const data = PAGE_PARTS.map(part => {
    const empty = CONTENT_PARTS[part].kind === 'list' ? [] : null;
    return [part, request[part] ? (all[part] ?? empty) : null];
  });
  return {
    ...(Object.fromEntries(data) as PageValues),
    incomplete: incompleteNames(truncated.filter(part => request[part])),
  };
}

const NO_METADATA: ArticleMetadata = {
  byline: null,
  published: null,
  lang: null,
  siteName: null,
  canonical: null,
  excerpt: null,
};

type ResourceReader = (
  resource: Resource,
  signal: AbortSignal,
  request: ContentSelection,
) => Promise<ResourceContent>;

const READERS: Readonly<Record<ResourceKind, ResourceReader>> = {
  json: (resource, signal, request) => readTextResource(resource, true, request, signal),
  text: (resource, signal, request) => readTextResource(resource, false, request, signal),
  image: async ({ url, size }) => ({
    values: {
      mainContent: `<img src="${escapeHtml(url)}">`,
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
    },
    truncated: [],
  }),
  pdf: readPdfContent,
  download: async ({ url, isTruncated = false }) => ({
    values: {
      mainContent: `<a href="${escapeHtml(url)}">${escapeHtml(fileName(url))}</a>`,
      markdown: `[${fileName(url).replace(/[[\]\\]/g, '\\$&')}](${markdownUrl(url)})`,
      text: fileName(url),
      links: [{ url, text: fileName(url) }],
    },
    truncated: isTruncated ? TEXT_RESOURCE_PARTS : [],
  }),
};

async function readPdfContent(resource: Resource, signal: AbortSignal): Promise<ResourceContent> {
  const pdf = await readPdf(resource.body, signal);
  const title = pdf.title === null ? '' : `<h1>${escapeHtml(pdf.title)}</h1>`;
  const sections = pdf.pages.map(
    page => `<section>${page.map(block => `<p>${escapeHtml(block)}</p>`).join('')}</section>`,
  );
  const heading = pdf.title === null ? [] : [`# ${escapeMarkdown(pdf.title)}`];
  return {
    values: {
      mainContent: title + sections.join(''),
      markdown: [...heading, ...pdf.pages.flat().map(escapeMarkdown)].join('\n\n'),
      text: pdf.pages.map(page => page.join('\n\n')).join('\n\n'),
      links: pdf.links.map(url => ({ url, text: url })),
      metadata: { ...NO_METADATA, byline: pdf.author, published: pdf.created, lang: pdf.language },
    },
    truncated: pdf.isTruncated ? TEXT_RESOURCE_PARTS : [],
  };
}

const escapeMarkdown = (text: string): string =>
  text.replace(/[\\`*_[\]<]/g, '\\$&').replace(/^(\s*)([#>+-]|\d+\.)(?=\s)/gm, '$1\\$2');

/** Returns the URL in angle brackets, the Markdown form that accepts every URL. */
const markdownUrl = (url: string): string => `<${url.replace(/[<>\s]/g, encodeURIComponent)}>`;

function fileName(url: string): string {
  const name = URL.canParse(url) ? new URL(url).pathname.split('/').at(-1) : '';
  return name ? decodeUriSafely(name) : url;
}

function decodeUriSafely(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    // A percent sign that is not followed by two hex digits: keep the text as it is.
    return text;
  }
}
