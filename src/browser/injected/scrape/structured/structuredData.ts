/** Collects the page's structured data: JSON-LD, microdata and OpenGraph, as JSON objects. */
import { readJsonLd, type StructuredItems } from '../../signals/jsonLd.ts';
import { microdata } from './microdata.ts';
import { openGraph } from './openGraph.ts';

/** Returns the page's structured data as JSON objects: JSON-LD objects first, then microdata, then one OpenGraph object; each in document order. */
export function structuredData(page: Document): StructuredItems {
  const declared = readJsonLd(page);
  const marked = microdata(page);
  const social = openGraph(page);
  return {
    items: [...declared.items, ...marked.items, ...(social.item === null ? [] : [social.item])],
    isTruncated: declared.isTruncated || marked.isTruncated || social.isTruncated,
  };
}
