/** Reads byline, date, language and similar metadata that the page declares. Prefers the most reliable source. */
import type { ArticleMetadata } from '../../../../domain/content/contentParts.ts';
import type { Json } from '../../../../domain/json.ts';
import { cutText } from '../../../../domain/space/pageText.ts';
import * as dom from '../../dom/domGetters.ts';
import { jsonLdItems } from '../../signals/jsonLd.ts';
import { absoluteUrl } from '../snapshot/urlAttributes.ts';

/** Copies the title and the OpenGraph and Twitter `meta` elements: from them Readability reads the title, to remove the heading that repeats it. */
export function copyMetaTags(page: Document, copy: Document): void {
  copy.title = dom.titleOf(page);
  for (const meta of dom.queryAllDocument(page, 'meta[property^="og:" i],meta[name^="twitter:" i]')) {
    const own = copy.createElement('meta');
    for (const name of ['property', 'name', 'content']) {
      const value = dom.getAttribute(meta, name);
      if (value !== null) own.setAttribute(name, value);
    }
    copy.head.append(own);
  }
}

/** Metadata that Readability found in the text; used if the page declares none. */
export interface ReadabilityMetadata {
  readonly byline: string | null;
  readonly excerpt: string | null;
}

/** Maximum length of a metadata value other than the excerpt; longer values are cut. */
const MAX_LINE_CHARACTERS = 300;
/** Maximum length of the excerpt; a longer one is cut. */
const MAX_EXCERPT_CHARACTERS = 1_000;

/**
 * Returns the metadata that the live page declares in JSON-LD, `meta` elements, microdata and links.
 * @param readability its byline and excerpt are used if the page declares none; null if the page is not an article
 */
export function articleMetadata(page: Document, readability: ReadabilityMetadata | null): ArticleMetadata {
  const meta = readMetaTags(page);
  const article = findArticleObject(jsonLdItems(page));
  const first = (...names: string[]) => names.map(name => meta.get(name)).find(Boolean) ?? null;
  return {
    byline: line(
      personNames(article?.author) ??
        first('author', 'article:author_name', 'parsely-author', 'dc.creator', 'byl') ??
        findByline(page) ??
        readability?.byline,
    ),
    published: line(
      plainString(article?.datePublished) ??
        first(
          'article:published_time',
          'datepublished',
          'parsely-pub-date',
          'dc.date',
          'date',
          'pubdate',
          'sailthru.date',
        ) ??
        findPublished(page),
    ),
    lang: line(findLanguage(page) ?? first('og:locale', 'content-language', 'language')),
    siteName: line(first('og:site_name', 'application-name') ?? personNames(article?.publisher)),
    canonical:
      findCanonical(page) ??
      (first('og:url') === null ? null : absoluteUrl(first('og:url') ?? '', dom.baseURI(page))),
    excerpt: line(
      first('og:description', 'description', 'twitter:description', 'dc.description') ??
        plainString(article?.description) ??
        readability?.excerpt,
      MAX_EXCERPT_CHARACTERS,
    ),
  };
}

function readMetaTags(page: Document): Map<string, string> {
  const found = new Map<string, string>();
  for (const meta of dom.queryAllDocument(page, 'meta[content]')) {
    const names = [
      dom.getAttribute(meta, 'property'),
      dom.getAttribute(meta, 'name'),
      dom.getAttribute(meta, 'itemprop'),
      dom.getAttribute(meta, 'http-equiv'),
    ];
    const content = (dom.getAttribute(meta, 'content') ?? '').trim();
    if (content === '') continue;
    for (const name of names)
      if (name !== null && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), content);
  }
  return found;
}

type JsonObject = { readonly [key: string]: Json };
const isObject = (value: Json | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Returns the first JSON-LD object that is an article, at the top level or in a `@graph`. */
function findArticleObject(items: readonly Json[]): JsonObject | null {
  for (const item of items) {
    if (!isObject(item)) continue;
    const graph = item['@graph'];
    for (const node of [item, ...(Array.isArray(graph) ? (graph as readonly Json[]) : [])])
      if (isObject(node) && /Article|BlogPosting|Report|WebPage\b/.test(String(node['@type']))) return node;
  }
  return null;
}

function personNames(value: Json | undefined): string | null {
  if (Array.isArray(value)) {
    const names = (value as readonly Json[]).map(personNames).filter(name => name !== null);
    return names.length === 0 ? null : names.join(', ');
  }
  return isObject(value) ? plainString(value.name) : plainString(value);
}

const plainString = (value: Json | undefined): string | null =>
  typeof value === 'string' && value.trim() !== '' && !/^https?:/.test(value) ? value : null;

function findByline(page: Document): string | null {
  const element = dom.queryDocument(
    page,
    '[rel~=author],[itemprop=author] [itemprop=name],[itemprop=author],.byline-name,.author-name',
  );
  return element === null ? null : plainString(dom.textContent(element) ?? '');
}

function findPublished(page: Document): string | null {
  const element = dom.queryDocument(
    page,
    '[itemprop=datePublished],article time[datetime],time[pubdate],main time[datetime]',
  );
  if (element === null) return null;
  return dom.getAttribute(element, 'datetime') ?? dom.getAttribute(element, 'content');
}

function findLanguage(page: Document): string | null {
  const root = dom.documentElement(page);
  return root === null ? null : (dom.getAttribute(root, 'lang') ?? dom.getAttribute(root, 'xml:lang'));
}

function findCanonical(page: Document): string | null {
  const link = dom.queryDocument(page, 'link[rel~=canonical i][href]');
  const href = link === null ? null : dom.getAttribute(link, 'href');
  return href === null ? null : absoluteUrl(href, dom.baseURI(page));
}

function line(value: string | null | undefined, maxCharacters = MAX_LINE_CHARACTERS): string | null {
  const found = (value ?? '').replace(/\s+/g, ' ').trim();
  return found === '' ? null : cutText(found, maxCharacters);
}
