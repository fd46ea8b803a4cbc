/** Declarations of a page about its own type: types of structured data, and the path of its canonical URL. */
import type { Json } from '../../../domain/json.ts';
import { documentURL, getAttribute, queryDocument } from '../dom/domGetters.ts';
import { jsonLdItems } from './jsonLd.ts';

export interface PageSignals {
  /** Types by OpenGraph (`og:article`), JSON-LD and microdata of the whole page (`Product`). */
  readonly types: readonly string[];
  /** Path and query of the canonical URL, else of the page's own; empty if neither is a web address. */
  readonly path: string;
  /** True if the page's own URL is the root of a site (or its `index` or `home`), without a query. */
  readonly isHome: boolean;
  /** The objects of the page's JSON-LD. */
  readonly items: readonly Json[];
}

/** Reads what the live page declares about its type. */
export function pageSignals(page: Document): PageSignals {
  const items = jsonLdItems(page);
  return { types: declaredTypes(page, items), path: canonicalPath(page), isHome: isHomePage(page), items };
}

/** Returns the types by OpenGraph (`og:article`), JSON-LD (also in a `@graph`) and microdata of the whole page. */
function declaredTypes(page: Document, items: readonly Json[]): string[] {
  const type = queryDocument(page, 'meta[property="og:type" i]');
  const found = type === null ? [] : [`og:${getAttribute(type, 'content') ?? ''}`];
  const whole = queryDocument(page, 'html[itemtype],body[itemtype]');
  if (whole !== null) found.push((getAttribute(whole, 'itemtype') ?? '').replace(/^.*\//, ''));
  const add = (item: Json): void => {
    if (item === null || typeof item !== 'object' || !('@type' in item)) return;
    const types = item['@type'] as Json;
    for (const one of Array.isArray(types) ? (types as readonly Json[]) : [types]) found.push(String(one));
  };
  for (const item of items) {
    add(item);
    const graph = item !== null && typeof item === 'object' && '@graph' in item ? item['@graph'] : null;
    if (Array.isArray(graph)) for (const node of graph as readonly Json[]) add(node);
  }
  return found;
}

/** Returns path and query of the canonical URL, else of `og:url`, else of the page's own URL. */
function canonicalPath(page: Document): string {
  const canonical = queryDocument(page, 'link[rel="canonical" i]');
  const own = queryDocument(page, 'meta[property="og:url" i]');
  const candidates = [
    canonical === null ? null : getAttribute(canonical, 'href'),
    own === null ? null : getAttribute(own, 'content'),
    documentURL(page),
  ];
  for (const url of candidates) {
    if (url === null || !URL.canParse(url)) continue;
    const { protocol, pathname, search } = new URL(url);
    if (/^https?:$/.test(protocol)) return pathname + search;
  }
  return '';
}

const HOME_PATH = /^\/?(index\.[a-z]+|home\/?)?$/i;

/** Returns true if the page's own URL is the root of a site, its `index` or its `home`, without a query. */
export function isHomePage(page: Document): boolean {
  const url = documentURL(page);
  if (!URL.canParse(url)) return false;
  const { protocol, pathname, search } = new URL(url);
  return /^https?:$/.test(protocol) && HOME_PATH.test(pathname) && search === '';
}
