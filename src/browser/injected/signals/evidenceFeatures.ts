/** The evidence from which the type of a page is judged: what it declares, its path, its elements and its labels. */
import { DECLARATIONS } from './declaredType.ts';

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
