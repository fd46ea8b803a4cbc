/** Collects the page's structured data: JSON-LD, microdata and OpenGraph, as JSON objects. */
import type { Json } from '../../../../domain/json.ts';
import { cutText } from '../../../../domain/space/pageText.ts';
import * as dom from '../../dom/domGetters.ts';
import { readJsonLd, type StructuredItems } from '../../signals/jsonLd.ts';
import { absoluteUrl } from '../snapshot/urlAttributes.ts';

const PROPERTY_PREFIX = /^(og|article|book|profile|video|music|product|twitter|fb):/i;
const MAX_PROPERTIES = 300;
/** Maximum length of the value of a property; a longer one is cut. */
const MAX_PROPERTY_CHARACTERS = 10_000;

/** Returns one object with the `og:…`, `article:…`, `product:…` and `twitter:…` properties; a repeated property is a list. `item` is null if there are none. */
function openGraph(page: Document): { readonly item: Json; readonly isTruncated: boolean } {
  const found: Record<string, Json> = Object.create(null);
  let count = 0;
  for (const meta of dom.queryAllDocument(page, 'meta[property],meta[name]')) {
    const name = (dom.getAttribute(meta, 'property') ?? dom.getAttribute(meta, 'name') ?? '')
      .trim()
      .toLowerCase();
    const content = dom.getAttribute(meta, 'content');
    if (content === null || !PROPERTY_PREFIX.test(name)) continue;
    const value = cutText(content, MAX_PROPERTY_CHARACTERS);
    if (++count > MAX_PROPERTIES) break;
    const known = found[name];
    if (known === undefined) found[name] = value;
    else if (Array.isArray(known)) known.push(value);
    else if (known !== value) found[name] = [known, value];
  }
  return { item: count === 0 ? null : found, isTruncated: count > MAX_PROPERTIES };
}

/** Maximum number of items read from a page; further items are left out. */
const MAX_ITEMS = 500;
/** Maximum number of nodes visited in all items together; the rest is left out. */
const MAX_NODES = 100_000;
/** Maximum nesting of items; an item at this depth is returned without its properties. */
const MAX_DEPTH = 16;
/** Maximum length of the text of a property; a longer one is cut. */
const MAX_VALUE_CHARACTERS = 10_000;
/** Maximum length of the names and values of all properties together; further properties are left out. */
const MAX_TOTAL_CHARACTERS = 1_000_000;

type Item = Record<string, Json>;

/** The numbers of items, nodes and characters that may still be read from the page. */
interface Budget {
  items: number;
  nodes: number;
  characters: number;
}

/** Returns the page's top-level microdata items that have properties, as objects like those of JSON-LD. */
function microdata(page: Document): StructuredItems {
  const budget = { items: MAX_ITEMS, nodes: MAX_NODES, characters: MAX_TOTAL_CHARACTERS };
  const found: Json[] = [];
  for (const element of dom.queryAllDocument(page, '[itemscope]:not([itemprop])')) {
    if (isExhausted(budget)) return { items: found, isTruncated: true };
    const item = readItem(element, MAX_DEPTH, budget);
    if (Object.keys(item).length > 1) found.push(item);
  }
  return { items: found, isTruncated: isExhausted(budget) };
}

const isExhausted = ({ items, nodes, characters }: Budget): boolean =>
  items <= 0 || nodes <= 0 || characters <= 0;

function readItem(element: Element, depth: number, budget: Budget): Item {
  budget.items--;
  const item: Item = Object.create(null);
  const types = (dom.getAttribute(element, 'itemtype') ?? '').split(/\s+/).filter(Boolean).map(shortType);
  item['@type'] = types.length > 1 ? types : (types[0] ?? null);
  const id = dom.getAttribute(element, 'itemid');
  if (id !== null) item['@id'] = absoluteUrl(id, dom.baseURI(element));
  const stack: Node[] = [];
  pushChildren(element, stack);
  for (
    let node = stack.pop();
    node !== undefined && budget.characters > 0 && budget.nodes-- > 0;
    node = stack.pop()
  ) {
    if (dom.nodeType(node) !== 1) continue;
    const at = node as Element;
    const names = (dom.getAttribute(at, 'itemprop') ?? '').split(/\s+/).filter(Boolean);
    const isItem = dom.getAttribute(at, 'itemscope') !== null;
    if (names.length > 0 && budget.items > 0 && depth > 0) {
      const value = isItem ? readItem(at, depth - 1, budget) : propertyValue(at);
      for (const name of names) {
        addProperty(item, name, value);
        budget.characters -= name.length + (typeof value === 'string' ? value.length : 0);
      }
    }
    if (!isItem) pushChildren(at, stack);
  }
  return item;
}

/** Shortens `https://schema.org/Product` to `Product`; does not change types of other vocabularies. */
const shortType = (type: string): string => type.replace(/^https?:\/\/(www\.)?schema\.org\//, '');

function pushChildren(element: Element, stack: Node[]): void {
  const children: Node[] = [];
  for (let child = dom.firstChild(element); child !== null; child = dom.nextSibling(child))
    children.push(child);
  for (let at = children.length - 1; at >= 0; at--) stack.push(children[at] as Node);
}

function addProperty(item: Item, name: string, value: Json): void {
  const known = item[name];
  if (known === undefined) item[name] = value;
  else item[name] = Array.isArray(known) ? [...known, value] : [known as Json, value];
}

const URL_ATTRIBUTES: Readonly<Record<string, string>> = {
  a: 'href',
  area: 'href',
  link: 'href',
  audio: 'src',
  embed: 'src',
  iframe: 'src',
  img: 'src',
  source: 'src',
  track: 'src',
  video: 'src',
  object: 'data',
};

function propertyValue(element: Element): Json {
  const name = dom.localName(element);
  const content = dom.getAttribute(element, 'content');
  if (content !== null) return cutText(content, MAX_VALUE_CHARACTERS);
  const urlAttribute = URL_ATTRIBUTES[name];
  if (urlAttribute !== undefined) {
    const url = dom.getAttribute(element, urlAttribute);
    return url === null ? '' : (absoluteUrl(url, dom.baseURI(element)) ?? url);
  }
  if (name === 'data' || name === 'meter') return dom.getAttribute(element, 'value') ?? '';
  const time = name === 'time' ? dom.getAttribute(element, 'datetime') : null;
  return time ?? cutText((dom.textContent(element) ?? '').replace(/\s+/g, ' ').trim(), MAX_VALUE_CHARACTERS);
}

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
