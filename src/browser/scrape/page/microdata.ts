/** Microdata (WHATWG HTML, section 5) as JSON-LD-like objects: `@type`, `@id` and the item's properties. */
import type { Json } from '../../../domain/page.ts';
import { absolute } from './addresses.ts';
import type { Found } from './jsonLd.ts';
import {
  attribute,
  baseAddress,
  firstChild,
  localName,
  nextSibling,
  nodeType,
  ownText,
  select,
} from './live.ts';

/** Items and properties read at most. */
const MOST_ITEMS = 500;
const MOST_STEPS = 100_000;
/** Items in items, this deep. */
const MOST_DEPTH = 16;
/** A property's text is cut after this many characters. */
const LONGEST_VALUE = 10_000;
/** Of all properties together. Characters. */
const MOST_TEXT = 1_000_000;

type Item = Record<string, Json>;

interface Budget {
  items: number;
  steps: number;
  characters: number;
}

/** The top-level items of the page. */
export function microdata(page: Document): Found {
  const budget = { items: MOST_ITEMS, steps: MOST_STEPS, characters: MOST_TEXT };
  const found: Json[] = [];
  for (const element of select(page, '[itemscope]:not([itemprop])')) {
    if (isSpent(budget)) return { items: found, cut: true };
    const item = readItem(element, MOST_DEPTH, budget);
    if (Object.keys(item).length > 1) found.push(item);
  }
  return { items: found, cut: isSpent(budget) };
}

const isSpent = ({ items, steps, characters }: Budget): boolean =>
  items <= 0 || steps <= 0 || characters <= 0;

function readItem(element: Element, depth: number, budget: Budget): Item {
  budget.items--;
  const item: Item = Object.create(null);
  const types = (attribute(element, 'itemtype') ?? '').split(/\s+/).filter(Boolean).map(shortType);
  item['@type'] = types.length > 1 ? types : (types[0] ?? null);
  const id = attribute(element, 'itemid');
  if (id !== null) item['@id'] = absolute(id, baseAddress(element));
  const stack: Node[] = [];
  pushChildren(element, stack);
  for (
    let node = stack.pop();
    node !== undefined && budget.characters > 0 && budget.steps-- > 0;
    node = stack.pop()
  ) {
    if (nodeType(node) !== 1) continue;
    const at = node as Element;
    const names = (attribute(at, 'itemprop') ?? '').split(/\s+/).filter(Boolean);
    const isItem = attribute(at, 'itemscope') !== null;
    if (names.length > 0 && budget.items > 0 && depth > 0) {
      const value = isItem ? readItem(at, depth - 1, budget) : propertyOf(at);
      for (const name of names) {
        add(item, name, value);
        budget.characters -= name.length + (typeof value === 'string' ? value.length : 0);
      }
    }
    if (!isItem) pushChildren(at, stack);
  }
  return item;
}

/** `https://schema.org/Product` is `Product`; other vocabularies stay whole. */
const shortType = (type: string): string => type.replace(/^https?:\/\/(www\.)?schema\.org\//, '');

function pushChildren(element: Element, stack: Node[]): void {
  const children: Node[] = [];
  for (let child = firstChild(element); child !== null; child = nextSibling(child)) children.push(child);
  for (let at = children.length - 1; at >= 0; at--) stack.push(children[at] as Node);
}

function add(item: Item, name: string, value: Json): void {
  const known = item[name];
  if (known === undefined) item[name] = value;
  else item[name] = Array.isArray(known) ? [...known, value] : [known as Json, value];
}

const ADDRESSED: Readonly<Record<string, string>> = {
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

function propertyOf(element: Element): Json {
  const name = localName(element);
  const content = attribute(element, 'content');
  if (content !== null) return content.slice(0, LONGEST_VALUE);
  const addressed = ADDRESSED[name];
  if (addressed !== undefined) {
    const address = attribute(element, addressed);
    return address === null ? '' : (absolute(address, baseAddress(element)) ?? address);
  }
  if (name === 'data' || name === 'meter') return attribute(element, 'value') ?? '';
  const time = name === 'time' ? attribute(element, 'datetime') : null;
  return time ?? (ownText(element) ?? '').replace(/\s+/g, ' ').trim().slice(0, LONGEST_VALUE);
}
