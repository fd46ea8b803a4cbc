/** Reads OpenGraph (ogp.me) and similar properties from `meta` elements. */

import type { Json } from '../../../../domain/json.ts';
import { cutText } from '../../../../domain/space/pageText.ts';
import { getAttribute, queryAllDocument } from '../../dom/domGetters.ts';

const PROPERTY_PREFIX = /^(og|article|book|profile|video|music|product|twitter|fb):/i;
const MAX_PROPERTIES = 300;
/** Maximum length of the value of a property; a longer one is cut. */
const MAX_VALUE_CHARACTERS = 10_000;

/** Returns one object with the `og:…`, `article:…`, `product:…` and `twitter:…` properties; a repeated property is a list. `item` is null if there are none. */
export function openGraph(page: Document): { readonly item: Json; readonly isTruncated: boolean } {
  const found: Record<string, Json> = Object.create(null);
  let count = 0;
  for (const meta of queryAllDocument(page, 'meta[property],meta[name]')) {
    const name = (getAttribute(meta, 'property') ?? getAttribute(meta, 'name') ?? '').trim().toLowerCase();
    const content = getAttribute(meta, 'content');
    if (content === null || !PROPERTY_PREFIX.test(name)) continue;
    const value = cutText(content, MAX_VALUE_CHARACTERS);
    if (++count > MAX_PROPERTIES) break;
    const known = found[name];
    if (known === undefined) found[name] = value;
    else if (Array.isArray(known)) known.push(value);
    else if (known !== value) found[name] = [known, value];
  }
  return { item: count === 0 ? null : found, isTruncated: count > MAX_PROPERTIES };
}
