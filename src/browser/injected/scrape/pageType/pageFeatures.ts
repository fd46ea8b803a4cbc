/** Features of a whole page, from which its type is judged. */
import type { BlockHints } from '../blocks/blockHints.ts';
import type { ContentBlock } from '../blocks/contentBlocks.ts';
import type { ElementTree } from '../blocks/elementTree.ts';
import { NAME_GROUPS } from '../blocks/nameGroups.ts';
import type { PageSignals } from './pageSignals.ts';

/** Declared types, each a feature. */
const DECLARED: Readonly<Record<string, RegExp>> = {
  declaresArticle: /^(og:article|.*(Article|BlogPosting))$/i,
  declaresTechArticle: /^(TechArticle|APIReference|SoftwareSourceCode|HowTo)$/,
  declaresProduct: /^(og:(og:)?product(\..*)?|Product|ProductGroup|IndividualProduct)$/,
  declaresList: /^(CollectionPage|ItemList|SearchResultsPage|OfferCatalog|og:product\.group)$/,
  declaresThread: /^(QAPage|DiscussionForumPosting|Question)$/,
  declaresService: /^(Service|LocalBusiness|ProfessionalService|FAQPage|.*Business|AboutPage|ContactPage)$/,
  declaresWebsite: /^og:website$/i,
};

/** Words of the path, each a feature. */
const PATH: Readonly<Record<string, RegExp>> = {
  pathRoot: /^\/(\w\w([-_]\w\w)?\/)?(index\.\w+)?$/i,
  pathProduct: /\/(products?|p|item|itm|dp|pd|sku|shop\/[^/]+\/[^/]+)\/[^/]+/i,
  pathList:
    /\/(collections?|categor(y|ies)|product-category|c|cat|browse|department|l|b|shop|store|s|list|directory|tags?|topics?)(\/|$)/i,
  pathThread: /(thread|topic|\/t\/|forum|viewtopic|questions?\/|discussion|comments|board|community|post)/i,
  pathDocs:
    /(\/docs?\/|documentation|\/guides?\/|reference|\/api\/|manual|tutorial|\/learn\/|\/wiki\/|\.html$)/i,
  pathBlog:
    /(\/blogs?\/|\/news\/|\/articles?\/|\/stor(y|ies)\/|\/(19|20)\d\d\/|[a-z]+-[a-z]+-[a-z]+-[a-z]+)/i,
  pathService: /(services?|solutions?|about|pricing|industries|expertise|consult|agency|software|platform)/i,
  pathQuery: /\?/,
};

/** Groups of names whose share of the page's text is a feature. */
const SHARES =
  'post comment poster product price card specification option review article content faq toc filter pager description signature'.split(
    ' ',
  );

/** A name counts for a block if it is fewer elements away than this. */
const NEAR = 6;

/** The names of the features that `pageFeatures` returns. */
export const PAGE_FEATURES: readonly string[] = [
  ...Object.keys(DECLARED),
  ...Object.keys(PATH),
  'pathDepth',
  'blocks',
  'characters',
  'linkDensity',
  'prose',
  'proseLength',
  'prices',
  'dates',
  'buys',
  'replies',
  'code',
  'headings',
  'isCollection',
  'hasArticle',
  'articleSize',
  'repeated',
  'repeatedPrices',
  ...SHARES.map(name => `share-${name}`),
];

/** Returns the features of a page, in the order of `PAGE_FEATURES`. */
export function pageFeatures(
  signals: PageSignals,
  blocks: readonly ContentBlock[],
  tree: ElementTree,
  hints: BlockHints,
  isCollection: boolean,
): number[] {
  const { types, path } = signals;
  const total = Math.max(
    1,
    blocks.reduce((sum, { text }) => sum + text.length, 0),
  );
  const links = blocks.reduce((sum, { linkCharacters }) => sum + linkCharacters, 0);
  const count = (pattern: RegExp) =>
    blocks.filter(({ text }) => text.length < 200 && pattern.test(text)).length;
  const prose = blocks.filter(({ text, linkCharacters }) => text.length - linkCharacters >= 100);
  const shares = SHARES.map(name => {
    const group = NAME_GROUPS.indexOf(name);
    let characters = 0;
    for (const [at, { depth, groups }] of tree.containers.entries())
      if (depth - (groups[group] ?? 0) < NEAR) characters += blocks[at]?.text.length ?? 0;
    return characters / total;
  });
  const paths = new Map<string, number>();
  for (const [at, { text }] of blocks.entries()) {
    const key = tree.paths[at] ?? '';
    if (/[$€£]\s?\d/.test(text)) paths.set(key, (paths.get(key) ?? 0) + 1);
  }
  const repeated = new Map<string, number>();
  for (const key of tree.paths) repeated.set(key, (repeated.get(key) ?? 0) + 1);
  const inArticle =
    hints.article === null
      ? 0
      : blocks.reduce((sum, { text }, at) => sum + text.length * (hints.article?.[at] ?? 0), 0);
  const flag = (pattern: RegExp) => (types.some(type => pattern.test(type)) ? 1 : 0);
  return [
    ...Object.values(DECLARED).map(flag),
    ...Object.values(PATH).map(pattern => (pattern.test(path) ? 1 : 0)),
    path.split('/').filter(part => part !== '').length,
    Math.log2(1 + blocks.length),
    Math.log2(total),
    links / total,
    Math.log2(1 + prose.length),
    prose.reduce((sum, { text }) => sum + text.length, 0) / total,
    Math.log2(1 + count(/[$€£¥₹]\s?\d/)),
    Math.log2(1 + count(/\b(19|20)\d\d\b|\d{1,2}:\d\d|\bago\b/)),
    Math.log2(1 + count(/\b(add to (cart|bag|basket)|buy now|quantity|in stock|checkout)\b/i)),
    Math.log2(1 + count(/\b(reply|replies|quote|joined|posts|upvote|asked|answered)\b/i)),
    Math.log2(1 + blocks.filter(({ container }) => container.closest('pre') !== null).length),
    Math.log2(1 + blocks.filter(({ container }) => /^h[1-6]$/.test(container.localName)).length),
    isCollection ? 1 : 0,
    hints.article === null ? 0 : 1,
    inArticle / total,
    Math.log2(1 + Math.max(0, ...repeated.values())),
    Math.log2(1 + Math.max(0, ...paths.values())),
    ...shares,
  ];
}
