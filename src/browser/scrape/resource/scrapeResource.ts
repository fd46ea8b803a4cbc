/** An answer that is not HTML, scraped as what it is: JSON, text, an image, a PDF. */
import type {
  Json,
  ScrapedData,
  ScrapedImage,
  ScrapedLink,
  ScrapedPart,
  ScrapeRequest,
} from '../../../domain/page.ts';
import { isShallow } from '../shallow.ts';
import { readPdf } from './readPdf.ts';

export interface Resource {
  /** The answer's Content-Type, with its parameters. */
  readonly contentType: string;
  readonly body: Uint8Array;
  /** Where it came from, absolute. */
  readonly url: string;
  /** Whether the file is larger than is read: `body` has nothing of it. */
  readonly cut?: boolean;
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
  const type = essence(contentType);
  if (type === '' || type === 'text/html' || type === 'application/xhtml+xml') return null;
  if (type === 'application/json' || type.endsWith('+json') || type === 'text/json') return 'json';
  if (type === 'application/pdf') return 'pdf';
  if (type.startsWith('image/')) return 'image';
  const isText = /^text\/|[/+](xml|yaml|x-yaml|javascript|x-ndjson|toml|csv|sql)$/.test(type);
  return isText ? 'text' : 'download';
}

/** What one kind of resource gives; the request then picks. */
interface Parts {
  readonly markup: string;
  readonly markdown: string;
  readonly text: string;
  readonly images?: readonly ScrapedImage[];
  readonly links?: readonly ScrapedLink[];
  readonly structured?: readonly Json[];
  readonly byline?: string | null;
  readonly published?: string | null;
  readonly lang?: string | null;
  /** Whether there was more than is read. */
  readonly cut?: boolean;
}

/**
 * Text of a PDF is read in a thread of its own, so that a hostile file holds up nobody else.
 * @param signal ends the reading early
 * @throws Failure NAVIGATION_FAILED when a PDF cannot be read; the signal's reason
 */
export async function scrapeResource(
  resource: Resource,
  request: ScrapeRequest,
  signal: AbortSignal,
): Promise<ScrapedData> {
  const kind = resourceKind(resource.contentType) ?? 'text';
  const parts = await READERS[kind](resource, signal);
  return {
    mainContent: request.mainContent ? parts.markup : null,
    markdown: request.markdown ? parts.markdown : null,
    text: request.text ? parts.text : null,
    images: request.images ? (parts.images ?? []) : null,
    links: request.links ? (parts.links ?? []) : null,
    structured: request.structured ? (parts.structured ?? []) : null,
    incomplete: parts.cut === true ? cutParts(request, parts) : [],
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
const cutParts = (request: ScrapeRequest, parts: Parts): ScrapedPart[] =>
  PARTS.filter(([part]) => request[part] && (part !== 'structured' || parts.structured !== undefined)).map(
    ([, name]) => name,
  );

const PARTS = [
  ['mainContent', 'main_content'],
  ['markdown', 'markdown'],
  ['text', 'text'],
  ['links', 'links'],
  ['structured', 'structured'],
] as const;

const READERS: Readonly<Record<ResourceKind, (resource: Resource, signal: AbortSignal) => Promise<Parts>>> = {
  json: async resource => readJson(resource),
  text: async resource => readText(resource),
  image: async ({ url, size }) => ({
    markup: `<img src="${escapeHtml(url)}">`,
    markdown: `![](${bracketed(url)})`,
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
  pdf: readPdfParts,
  download: async ({ url, cut = false }) => ({
    cut,
    markup: `<a href="${escapeHtml(url)}">${escapeHtml(fileName(url))}</a>`,
    markdown: `[${fileName(url).replace(/[[\]\\]/g, '\\$&')}](${bracketed(url)})`,
    text: fileName(url),
    links: [{ url, text: fileName(url) }],
  }),
};

/** Characters of a text; more is cut. What is made of a text is made in one go, and all sessions wait for it. */
const MOST_TEXT = 10_000_000;
/** UTF-8 takes no more for a character of a string. */
const MOST_TEXT_BYTES = 3 * MOST_TEXT;

function readJson(resource: Resource): Parts {
  const { text, cut } = decode(resource);
  const value = cut ? undefined : parse(text);
  return {
    cut,
    markup: `<pre><code class="language-json">${escapeHtml(text)}</code></pre>`,
    markdown: fenced(text, 'json'),
    text,
    structured: value === undefined || !isShallow(value) ? [] : [value],
  };
}

function readText(resource: Resource): Parts {
  const { text, cut } = decode(resource);
  const type = essence(resource.contentType);
  const isMarkdown = type === 'text/markdown' || type === 'text/x-markdown';
  const language = /[/+](?:x-)?(xml|yaml|javascript|toml|csv|sql|css)$/.exec(type)?.[1] ?? '';
  return {
    cut,
    markup: `<pre>${escapeHtml(text)}</pre>`,
    markdown: isMarkdown ? text : fenced(text, language),
    text,
  };
}

async function readPdfParts(resource: Resource, signal: AbortSignal): Promise<Parts> {
  const { pages, links, title, author, created, language, cut } = await readPdf(resource.body, signal);
  const heading = title === null ? '' : `<h1>${escapeHtml(title)}</h1>`;
  const markup = pages.map(
    page => `<section>${page.map(block => `<p>${escapeHtml(block)}</p>`).join('')}</section>`,
  );
  const text = pages.map(page => page.join('\n\n')).join('\n\n');
  return {
    markup: heading + markup.join(''),
    markdown: [...(title === null ? [] : [`# ${plain(title)}`]), ...pages.flat().map(plain)].join('\n\n'),
    text,
    links: links.map(url => ({ url, text: url })),
    byline: author,
    published: created,
    lang: language,
    cut,
  };
}

const essence = (contentType: string): string => (contentType.split(';')[0] ?? '').trim().toLowerCase();

function decode({ contentType, body }: Resource): { text: string; cut: boolean } {
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  const text = decoderFor(charset).decode(body.subarray(0, MOST_TEXT_BYTES));
  const cut = body.length > MOST_TEXT_BYTES || text.length > MOST_TEXT;
  return { text: text.slice(0, MOST_TEXT), cut };
}

function decoderFor(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    // A charset that nobody knows; the web's own default.
    return new TextDecoder();
  }
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Called JSON but is not: its text is all there is.
    return undefined;
  }
}

/** A fence longer than any in the text. */
function fenced(text: string, language: string): string {
  if (text === '') return '';
  let longest = 2;
  for (const [marks] of text.matchAll(/`+/g)) longest = Math.max(longest, marks.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Text that Markdown would take for marks, as text. */
const plain = (text: string): string =>
  text.replace(/[\\`*_[\]<]/g, '\\$&').replace(/^(\s*)([#>+-]|\d+\.)(?=\s)/gm, '$1\\$2');

/** An address as Markdown takes it whatever is in it. */
const bracketed = (url: string): string => `<${url.replace(/[<>\s]/g, encodeURIComponent)}>`;

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
