/** What the page says of itself for machines: JSON-LD, microdata and OpenGraph, each as plain objects. */
import { readJsonLd, type StructuredItems } from './jsonLd.ts';
import { microdata } from './microdata.ts';
import { openGraph } from './openGraph.ts';

/** JSON-LD objects first, then microdata, then one OpenGraph object; each in document order. */
export function structuredData(page: Document): StructuredItems {
  const declared = readJsonLd(page);
  const marked = microdata(page);
  const { item, cut } = openGraph(page);
  return {
    items: [...declared.items, ...marked.items, ...(item === null ? [] : [item])],
    truncated: declared.truncated || marked.truncated || cut,
  };
}
