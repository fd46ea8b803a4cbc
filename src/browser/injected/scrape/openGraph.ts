/** OpenGraph and its sisters in `meta` elements (ogp.me). */
import type { Json } from '../../../domain/json.ts';
import { attribute, select } from './liveDom.ts';

const PROPERTY_PREFIX = /^(og|article|book|profile|video|music|product|twitter|fb):/i;
/** Properties read at most. */
const MAX_PROPERTIES = 300;
/** A value is cut after this many characters. */
const MAX_VALUE_CHARACTERS = 10_000;

/** One object of the `og:…`, `article:…`, `product:…` and `twitter:…` properties; repeated ones are lists. Null when there are none. */
export function openGraph(page: Document): { readonly item: Json; readonly cut: boolean } {
  const found: Record<string, Json> = Object.create(null);
  let count = 0;
  for (const meta of select(page, 'meta[property],meta[name]')) {
    const name = (attribute(meta, 'property') ?? attribute(meta, 'name') ?? '').trim().toLowerCase();
    const content = attribute(meta, 'content')?.slice(0, MAX_VALUE_CHARACTERS) ?? null;
    if (content === null || !PROPERTY_PREFIX.test(name)) continue;
    if (++count > MAX_PROPERTIES) break;
    const known = found[name];
    if (known === undefined) found[name] = content;
    else if (Array.isArray(known)) known.push(content);
    else if (known !== content) found[name] = [known, content];
  }
  return { item: count === 0 ? null : found, cut: count > MAX_PROPERTIES };
}
