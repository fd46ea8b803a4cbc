/** The evidence for the type of a page, and how likely it makes each type. Reads no page: the training uses it too. */
import type { PageSignals } from './pageSignals.ts';
import { PAGE_TYPES, type PageType, type TypeShares } from './pageTypes.ts';

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

export function declaredType({ types }: PageSignals): PageType | null {
  const found = TYPES.find(([declaration]) => types.some(type => DECLARATIONS[declaration].test(type)));
  return found === undefined ? null : found[1];
}

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
export const PAGE_EVIDENCE: readonly string[] = [
  ...Object.keys(DECLARATIONS).map(name => `declares-${name}`),
  ...Object.keys(PATHS).map(name => `path-${name}`),
  'pathDepth',
  ...Object.keys(COUNTED),
  ...Object.keys(PHRASES),
  'oneArticle',
];

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

export function pageTypeShares(model: LearntPageTypes, evidence: readonly number[]): TypeShares {
  const shares = sharesOf(model.weights, standardEvidence(model, evidence));
  const entries = PAGE_TYPES.map((type, at): [PageType, number] => [type, shares[at] ?? 0]);
  return Object.fromEntries(entries) as unknown as TypeShares;
}
