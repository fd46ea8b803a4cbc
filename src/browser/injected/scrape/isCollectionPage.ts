/** Whether a page with an article on it is really something else: a home page, a section, a listing, a thread, a product. */
import type { Json } from '../../../domain/json.ts';
import { documentURL, getAttribute, queryDocument } from '../dom/domGetters.ts';
import { jsonLdItems } from './jsonLd.ts';
import { TextStats } from './textStats.ts';

/** This many headings that lead elsewhere, and this share of all, make what was found a listing. */
const MIN_TEASERS = 5;
const DOMINANT_SHARE = 0.8;
/** An article has at least this share of the page's prose, unless the page says that it is one. */
const MIN_PROSE_SHARE = 0.5;
/** This many posts beside each other with most of the prose make a thread. */
const MIN_POSTS = 3;
/** A paragraph counts as prose from this many characters. */
const MIN_PROSE_CHARACTERS = 60;

/** Beside this many teasers an article has at least so much prose for each. Characters. */
const MIN_PROSE_PER_TEASER = 100;
/** What says of itself that it is no article, though it may have a long description. */
const NON_ARTICLE_TYPE =
  /^(og:product(\..*)?|Product|ProductGroup|CollectionPage|SearchResultsPage|QAPage|DiscussionForumPosting)$/;
const TEASER_LINKS = ':is(h1,h2,h3,h4) a[href],a[href] :is(h1,h2,h3,h4)';

const HEADING = 'h1,h2,h3,h4';
const PAGE_CHROME = 'nav,aside,footer,[role=navigation],[role=complementary],[role=contentinfo]';
/** A post's name, whatever kind of post it is: `crawler-post`; `post-header` and `post-body` are parts of one. */
const POST_CLASS = /^([a-z]+-)?(comment|post|reply|message|answer|review)$/i;

/** @param article what was found, as an element of another copy */
export function isCollectionPage(page: Document, copy: Document, article: Element): boolean {
  const types = declaredTypes(page);
  if (types.some(type => /Article|BlogPosting|^og:.*(article|blog|book)/i.test(type))) return false;
  if (isHomePage(page) || types.some(type => NON_ARTICLE_TYPE.test(type))) return true;
  const teasers = countTeasers(article);
  if (teasers >= MIN_TEASERS && teasers >= DOMINANT_SHARE * article.querySelectorAll(HEADING).length)
    return true;
  const weights = new TextStats(copy.body);
  const prose = proseLength(copy.body, weights);
  const own = proseLength(article, new TextStats(article));
  if (own < MIN_PROSE_SHARE * prose) return true;
  const others = countTeasersInContent(copy.body) - teasers;
  if (others >= MIN_TEASERS && own < MIN_PROSE_PER_TEASER * others) return true;
  return prose > 0 && largestPostGroupProse(copy.body, weights) >= DOMINANT_SHARE * prose;
}

/** What the page says that it is: `og:article`, and JSON-LD's types, those of a `@graph` too, the page's own microdata type. */
function declaredTypes(page: Document): string[] {
  const type = queryDocument(page, 'meta[property="og:type" i]');
  const found = type === null ? [] : [`og:${getAttribute(type, 'content') ?? ''}`];
  const whole = queryDocument(page, 'html[itemtype],body[itemtype]');
  if (whole !== null) found.push((getAttribute(whole, 'itemtype') ?? '').replace(/^.*\//, ''));
  const add = (item: Json): void => {
    if (item === null || typeof item !== 'object' || !('@type' in item)) return;
    const types = item['@type'] as Json;
    for (const one of Array.isArray(types) ? (types as readonly Json[]) : [types]) found.push(String(one));
  };
  for (const item of jsonLdItems(page)) {
    add(item);
    const graph = item !== null && typeof item === 'object' && '@graph' in item ? item['@graph'] : null;
    if (Array.isArray(graph)) for (const node of graph as readonly Json[]) add(node);
  }
  return found;
}

/** The root of a site is its home page. */
function isHomePage(page: Document): boolean {
  const address = documentURL(page);
  if (!URL.canParse(address)) return false;
  const { protocol, pathname, search } = new URL(address);
  return /^https?:$/.test(protocol) && pathname === '/' && search === '';
}

function countTeasersInContent(body: Element): number {
  let teasers = 0;
  for (const link of body.querySelectorAll(TEASER_LINKS)) if (link.closest(PAGE_CHROME) === null) teasers++;
  return teasers;
}

/** Headings that are links: each leads to a page of its own. */
function countTeasers(root: Element): number {
  return root.querySelectorAll(TEASER_LINKS).length;
}

function proseLength(root: Element, weights: TextStats): number {
  let prose = 0;
  for (const block of root.querySelectorAll('p,li,blockquote,pre,dd,td')) {
    if (block.closest(PAGE_CHROME) !== null || block.querySelector('p,li') !== null) continue;
    const own = weights.textLength(block) - weights.linkTextLength(block);
    if (own >= MIN_PROSE_CHARACTERS) prose += own;
  }
  return prose;
}

/** The prose of the largest group of posts that share a parent. */
function largestPostGroupProse(root: Element, weights: TextStats): number {
  const groups = new Map<Element, Element[]>();
  for (const element of root.querySelectorAll('div[class],li[class],article,section[class],tr[class]')) {
    const parent = element.parentElement;
    if (parent === null || weights.textLength(element) === 0) continue;
    if (element.localName !== 'article' && !Array.from(element.classList).some(name => POST_CLASS.test(name)))
      continue;
    const group = groups.get(parent);
    if (group === undefined) groups.set(parent, [element]);
    else group.push(element);
  }
  const sums = Array.from(groups.values(), posts =>
    posts.length < MIN_POSTS ? 0 : posts.reduce((sum, post) => sum + proseLength(post, weights), 0),
  );
  return Math.max(0, ...sums);
}
