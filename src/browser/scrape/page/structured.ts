/** What the page says of itself for machines: JSON-LD, microdata and OpenGraph, each as plain objects. */
import { type Found, readJsonLd } from './jsonLd.ts';
import { microdata } from './microdata.ts';
import { openGraph } from './openGraph.ts';

/** JSON-LD objects first, then microdata, then one OpenGraph object; each in document order. */
export function structuredData(page: Document): Found {
  const declared = readJsonLd(page);
  const marked = microdata(page);
  const { item, cut } = openGraph(page);
  return {
    items: [...declared.items, ...marked.items, ...(item === null ? [] : [item])],
    cut: declared.cut || marked.cut || cut,
  };
}
