/** What the page says of itself for machines: JSON-LD, microdata and OpenGraph, each as plain objects. */
import type { Json } from '../../../domain/page.ts';
import { jsonLd } from './jsonLd.ts';
import { microdata } from './microdata.ts';
import { openGraph } from './openGraph.ts';

/** JSON-LD objects first, then microdata, then one OpenGraph object; each in document order. */
export function structuredData(page: Document): Json[] {
  const graph = openGraph(page);
  return [...jsonLd(page), ...microdata(page), ...(graph === null ? [] : [graph])];
}
