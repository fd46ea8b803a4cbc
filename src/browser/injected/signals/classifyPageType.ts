/** Judges the type of a live page: one judgement for `space.category` and for the main content. */

import {
  closest,
  elementsByTag,
  queryAllDocument,
  queryAllIn,
  queryDocument,
  textContent,
} from '../dom/domGetters.ts';
import { documentState } from '../dom/lifetimes.ts';
import type { PageSignals } from './pageSignals.ts';
import { PAGE_TYPE_MODEL } from './pageTypeModel.ts';
import {
  COUNTED,
  DECLARATIONS,
  declaredType,
  type LearntPageTypes,
  PAGE_EVIDENCE,
  PATHS,
  PHRASES,
  pageTypeShares,
} from './pageTypeShares.ts';
import { PAGE_TYPES, type PageType, type TypeShares } from './pageTypes.ts';

const LABELS = 'h1,h2,h3,h4,button,a,time,label,summary,th,dt';
const MAX_LABELS = 600;
const MAX_LABEL_CHARACTERS = 80;
/** Number of characters of a path that are read: a page can give itself an address of megabytes. */
const MAX_PATH_CHARACTERS = 1_000;

const log = (value: number): number => Math.log2(1 + value);

/** Returns the evidence of a live page, in the order of `PAGE_EVIDENCE`; reads nothing but its tree. */
export function pageEvidence(page: Document, signals: Pick<PageSignals, 'types' | 'path'>): number[] {
  const path = signals.path.slice(0, MAX_PATH_CHARACTERS);
  const counts = Object.entries(COUNTED).map(([name, selector]) => countOf(page, name, selector));
  const labels = labelsOf(page);
  return [
    ...Object.values(DECLARATIONS).map(pattern => (signals.types.some(type => pattern.test(type)) ? 1 : 0)),
    ...Object.values(PATHS).map(pattern => (pattern.test(path) ? 1 : 0)),
    path.split('/').filter(part => part !== '').length,
    ...counts.map(log),
    ...Object.values(PHRASES).map(pattern => log(labels.match(pattern)?.length ?? 0)),
    counts[0] === 1 ? 1 : 0,
  ];
}

/** Matches a list of tags without anything else. */
const TAGS_ONLY = /^[a-z\d,]+$/;

function countOf(page: Document, name: string, selector: string): number {
  if (name === 'linkedHeadings') return countLinkedHeadings(page);
  if (!TAGS_ONLY.test(selector)) return queryAllDocument(page, selector).length;
  return selector.split(',').reduce((sum, tag) => sum + elementsByTag(page, tag).length, 0);
}

function countLinkedHeadings(page: Document): number {
  const found = new Set<Element>();
  for (const tag of ['h2', 'h3', 'h4'])
    for (const heading of Array.from(elementsByTag(page, tag))) {
      if (closest(heading, 'a') !== null) found.add(heading);
      for (const link of queryAllIn(heading, 'a')) found.add(link);
    }
  return found.size;
}

/** Returns the beginnings of headings, links and labels, one in each line. */
function labelsOf(page: Document): string {
  let text = '';
  let left = MAX_LABELS;
  for (const element of queryAllDocument(page, LABELS)) {
    if (left-- <= 0) break;
    text += `${(textContent(element) ?? '').slice(0, MAX_LABEL_CHARACTERS)}\n`;
  }
  return text;
}

/** `item`: a page about one thing; `list`: a page that lists many. */
export type PageKind = 'item' | 'list';

export interface PageClassification {
  readonly type: PageType;
  /** The probability of each type, by the evidence. */
  readonly shares: TypeShares;
  /** The kind of the type; of a page with little evidence the kind that its elements tell. Null for a page of services, and if nothing tells it. */
  readonly kind: PageKind | null;
}

const KINDS: Readonly<Partial<Record<PageType, PageKind>>> = {
  article: 'item',
  documentation: 'item',
  product: 'item',
  collection: 'list',
  listing: 'list',
  forum: 'list',
};
/** The declared types that are surer than the model. An article is declared by pages of every type. */
const SURE_TYPES: ReadonlySet<PageType> = new Set<PageType>(['forum', 'product', 'collection']);
/** The model learnt from pages with more headings, paragraphs, items, links and images together than this. */
const MIN_ELEMENTS = 60;
const MODEL_ELEMENTS = ['headings', 'paragraphs', 'items', 'links', 'images'].map(name =>
  PAGE_EVIDENCE.indexOf(name),
);

const model = documentState.value(() => JSON.parse(PAGE_TYPE_MODEL) as LearntPageTypes);

export function classifyPageType(page: Document, signals: PageSignals): PageClassification {
  const evidence = pageEvidence(page, signals);
  const shares = pageTypeShares(model(), evidence);
  const declared = declaredType(signals);
  const type =
    declared !== null && SURE_TYPES.has(declared)
      ? declared
      : PAGE_TYPES.reduce((best, one) => (shares[one] > shares[best] ? one : best));
  const elements = MODEL_ELEMENTS.reduce((sum, at) => sum + 2 ** (evidence[at] ?? 0) - 1, 0);
  const kind = KINDS[type] ?? null;
  // The root of a site is no article, unless it says so or looks like nothing else.
  const isLearnt = elements >= MIN_ELEMENTS && !(signals.isHome && kind === 'item');
  return { type, shares, kind: isLearnt ? kind : kindOfElements(page, declared) };
}

const MIN_ENTRIES = 3;
const MIN_ROWS = 10;
const MARKED_ENTRY = '[itemtype$="/Product"], [itemtype$="/Article"], [itemtype$="/NewsArticle"]';
const MARKED_ITEM = `${MARKED_ENTRY}, [itemtype$="/Recipe"]`;

/** Returns the kind of a page that is too small for the model, or the root of a site: by its declaration and the elements that repeat. */
function kindOfElements(page: Document, declared: PageType | null): PageKind | null {
  const has = (selector: string): boolean => queryDocument(page, selector) !== null;
  const count = (selector: string): number => queryAllDocument(page, selector).length;
  const declaredKind = declared === null ? null : (KINDS[declared] ?? null);
  if ((declaredKind === 'item' || has(MARKED_ITEM)) && count(MARKED_ENTRY) <= 1) return 'item';
  const articles = count('article');
  if (articles === 1 && has('article h1, h1 + article, main h1')) return 'item';
  const isList =
    declaredKind === 'list' ||
    has('[role=feed]') ||
    articles >= MIN_ENTRIES ||
    count(COUNTED.entries ?? '') >= MIN_ENTRIES ||
    count('table tr') >= MIN_ROWS;
  return isList ? 'list' : null;
}
