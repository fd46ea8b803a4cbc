/** Judges the type of a live page: one judgement for `space.category` and for the main content. */

import {
  closest,
  elementsByTag,
  localName,
  queryAllDocument,
  queryAllIn,
  queryDocument,
  textContent,
} from '../dom/domGetters.ts';
import type { PageSignals } from './pageSignals.ts';
import { PAGE_TYPE_MODEL } from './pageTypeModel.ts';
import { PAGE_TYPES, type PageType, type TypeShares } from './pageTypes.ts';

/** Matches the declared types that say the same of a page. */
export const DECLARATIONS = {
  article: /^(og:article|.*(Article|BlogPosting))$/i,
  techArticle: /^(TechArticle|APIReference|SoftwareSourceCode|HowTo)$/,
  product: /^(og:(og:)?product(\..*)?|Product|ProductGroup|IndividualProduct)$/,
  list: /^(CollectionPage|ItemList|SearchResultsPage|OfferCatalog|og:product\.group)$/,
  thread: /^(QAPage|DiscussionForumPosting|Question)$/,
  service: /^(Service|LocalBusiness|ProfessionalService|FAQPage|.*Business|AboutPage|ContactPage)$/,
  website: /^og:website$/i,
} as const satisfies Readonly<Record<string, RegExp>>;

/** The type of page that each declaration tells, the surest first. The others (a service, a website) are declared by pages of every type. */
const TYPES = [
  ['thread', 'forum'],
  ['list', 'collection'],
  ['product', 'product'],
  ['techArticle', 'documentation'],
  ['article', 'article'],
] as const satisfies readonly (readonly [keyof typeof DECLARATIONS, PageType])[];

/** Returns the type of page that a page declares; null if it declares none. */
export function declaredType({ types }: PageSignals): PageType | null {
  const found = TYPES.find(([declaration]) => types.some(type => DECLARATIONS[declaration].test(type)));
  return found === undefined ? null : found[1];
}

/** Words of the path, each a feature. */
export const PATHS: Readonly<Record<string, RegExp>> = {
  root: /^\/(\w\w([-_]\w\w)?\/)?(index\.\w+)?$/i,
  product: /\/(products?|p|item|itm|dp|pd|sku|shop\/[^/]+\/[^/]+)\/[^/]+/i,
  list: /\/(collections?|categor(y|ies)|product-category|c|cat|browse|department|l|b|shop|store|s|list|directory|tags?|topics?)(\/|$)/i,
  thread: /(thread|topic|\/t\/|forum|viewtopic|questions?\/|discussion|comments|board|community|post)/i,
  docs: /(\/docs?\/|documentation|\/guides?\/|reference|\/api\/|manual|tutorial|\/learn\/|\/wiki\/|\.html$)/i,
  blog: /(\/blogs?\/|\/news\/|\/articles?\/|\/stor(y|ies)\/|\/(19|20)\d\d\/|[a-z]+-[a-z]+-[a-z]+-[a-z]+)/i,
  service: /(services?|solutions?|about|pricing|industries|expertise|consult|agency|software|platform)/i,
  query: /\?/,
};

/** Elements that are counted. */
export const COUNTED: Readonly<Record<string, string>> = {
  articles: 'article',
  rows: 'tr',
  paragraphs: 'p',
  items: 'li',
  links: 'a[href]',
  images: 'img',
  headings: 'h1,h2,h3,h4',
  linkedHeadings: 'h2 a,h3 a,h4 a,a h2,a h3,a h4',
  code: 'pre,code',
  buttons: 'button',
  inputs: 'input,select,textarea',
  times: 'time',
  quotes: 'blockquote',
  details: 'details,[aria-expanded]',
  entries: '[itemtype$="/Product"],.product-card,.product-item',
  marked: '[itemprop]',
};

/** Phrases whose lines are counted among the labels of a page. */
export const PHRASES: Readonly<Record<string, RegExp>> = {
  prices: /[$€£¥₹]\s?\d/g,
  dates: /\b(19|20)\d\d\b|\d{1,2}:\d\d|\bago\b/g,
  buys: /\b(add to (cart|bag|basket)|buy now|quantity|in stock|checkout)\b/gi,
  replies: /\b(reply|replies|quote|joined|posts|upvote|asked|answered)\b/gi,
  views: /\b(read more|learn more|get started|contact us|request|demo|pricing|quote)\b/gi,
  filters: /\b(filter|sort by|results|per page|view all|load more|show more|page \d)\b/gi,
};
/** The names of the numbers that `pageEvidence` returns. */
export const PAGE_EVIDENCE: readonly string[] = [
  ...Object.keys(DECLARATIONS).map(name => `declares-${name}`),
  ...Object.keys(PATHS).map(name => `path-${name}`),
  'pathDepth',
  ...Object.keys(COUNTED),
  ...Object.keys(PHRASES),
  'oneArticle',
];

const LABELS = new Set('h1 h2 h3 h4 button a time label summary th dt'.split(' '));
/** Number of labels that are read, and of characters of each. */
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

/** Counts the headings in links and the links in headings. A search for links in headings would climb from each link. */
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
  const all = elementsByTag(page, '*');
  let text = '';
  for (let at = 0, left = MAX_LABELS; left > 0; at++) {
    const element = all[at];
    if (element === undefined) break;
    if (!LABELS.has(localName(element))) continue;
    text += `${(textContent(element) ?? '').slice(0, MAX_LABEL_CHARACTERS)}\n`;
    left--;
  }
  return text;
}

/** A model as `npm run train:content` writes it. */
export interface LearntPageTypes {
  /** The mean and the standard deviation of each number of the evidence. */
  readonly means: readonly number[];
  readonly deviations: readonly number[];
  /** For each type of `PAGE_TYPES` the weight of each number, then the bias. */
  readonly weights: readonly (readonly number[])[];
}

/** A number of the evidence is cut at this many standard deviations from its mean. */
const MAX_DEVIATIONS = 3;

/** Returns the evidence as the model reads it: numbers around 0, and a 1 for the bias. */
export const standardEvidence = (
  { means, deviations }: Pick<LearntPageTypes, 'means' | 'deviations'>,
  evidence: readonly number[],
): number[] => [
  ...evidence.map((value, at) => {
    const deviation = (value - (means[at] ?? 0)) / (deviations[at] ?? 1);
    return Math.max(-MAX_DEVIATIONS, Math.min(MAX_DEVIATIONS, deviation));
  }),
  1,
];

/** Returns how likely each type is, in the order of `PAGE_TYPES`. */
export function sharesOf(weights: LearntPageTypes['weights'], standard: readonly number[]): number[] {
  const scores = weights.map(own => own.reduce((sum, weight, at) => sum + weight * (standard[at] ?? 0), 0));
  const largest = Math.max(...scores);
  const odds = scores.map(score => Math.exp(score - largest));
  const total = odds.reduce((sum, one) => sum + one, 0);
  return odds.map(one => one / total);
}

/** Returns how likely each type is for a page with this evidence. */
export function pageTypeShares(model: LearntPageTypes, evidence: readonly number[]): TypeShares {
  const shares = sharesOf(model.weights, standardEvidence(model, evidence));
  const entries = PAGE_TYPES.map((type, at): [PageType, number] => [type, shares[at] ?? 0]);
  return Object.fromEntries(entries) as unknown as TypeShares;
}

/** `item`: a page about one thing; `list`: a page that lists many. */
export type PageKind = 'item' | 'list';

/** The judgement of a page. */
export interface PageClassification {
  readonly type: PageType;
  /** The probability of each type, by the evidence. */
  readonly shares: TypeShares;
  /** The kind of the type; of a page with little evidence the kind that its elements tell. Null for a page of services, and if nothing tells it. */
  readonly kind: PageKind | null;
}

/** A page of services is of neither kind. */
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

let model: LearntPageTypes | null = null;

/** Returns the type of a live page, from its tree. */
export function classifyPageType(page: Document, signals: PageSignals): PageClassification {
  model ??= JSON.parse(PAGE_TYPE_MODEL) as LearntPageTypes;
  const evidence = pageEvidence(page, signals);
  const shares = pageTypeShares(model, evidence);
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

/** Minimum number of entries of a list, and of rows of a table that is one. */
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
