/** Whether a page with an article on it is really something else: a home page, a section, a listing, a thread, a product. */
import type { Json } from '../../../domain/page.ts';
import { jsonLd } from './jsonLd.ts';
import { addressOf, attribute, selectOne } from './live.ts';
import { Weights } from './weights.ts';

/** This many headings that lead elsewhere, and this share of all, make what was found a listing. */
const FEWEST_TEASERS = 5;
const MOSTLY = 0.8;
/** An article has at least this share of the page's prose, unless the page says that it is one. */
const LEAST_SHARE = 0.5;
/** This many posts beside each other with most of the prose make a thread. */
const FEWEST_POSTS = 3;
/** A paragraph counts as prose from this many characters. */
const PROSE = 60;

/** Beside this many teasers an article has at least so much prose for each. Characters. */
const TEASER = 100;
/** What says of itself that it is no article, though it may have a long description. */
const OTHERWISE =
  /^(og:product(\..*)?|Product|ProductGroup|CollectionPage|SearchResultsPage|QAPage|DiscussionForumPosting)$/;
const TEASER_LINKS = ':is(h1,h2,h3,h4) a[href],a[href] :is(h1,h2,h3,h4)';

const HEADING = 'h1,h2,h3,h4';
const OUTSIDE = 'nav,aside,footer,[role=navigation],[role=complementary],[role=contentinfo]';
/** A post's name, whatever kind of post it is: `crawler-post`; `post-header` and `post-body` are parts of one. */
const POST = /^([a-z]+-)?(comment|post|reply|message|answer|review)$/i;

/** @param article what was found, as an element of another copy */
export function isCollection(page: Document, copy: Document, article: Element): boolean {
  const types = declaredTypes(page);
  if (types.some(type => /Article|BlogPosting|^og:.*(article|blog|book)/i.test(type))) return false;
  if (isHome(page) || types.some(type => OTHERWISE.test(type))) return true;
  const teasers = teasersIn(article);
  if (teasers >= FEWEST_TEASERS && teasers >= MOSTLY * article.querySelectorAll(HEADING).length) return true;
  const weights = new Weights(copy.body);
  const prose = proseIn(copy.body, weights);
  const own = proseIn(article, new Weights(article));
  if (own < LEAST_SHARE * prose) return true;
  const others = teasersOutside(copy.body) - teasers;
  if (others >= FEWEST_TEASERS && own < TEASER * others) return true;
  return prose > 0 && proseInPosts(copy.body, weights) >= MOSTLY * prose;
}

/** What the page says that it is: `og:article`, and JSON-LD's types, those of a `@graph` too, the page's own microdata type. */
function declaredTypes(page: Document): string[] {
  const type = selectOne(page, 'meta[property="og:type" i]');
  const found = type === null ? [] : [`og:${attribute(type, 'content') ?? ''}`];
  const whole = selectOne(page, 'html[itemtype],body[itemtype]');
  if (whole !== null) found.push((attribute(whole, 'itemtype') ?? '').replace(/^.*\//, ''));
  const add = (item: Json): void => {
    if (item === null || typeof item !== 'object' || !('@type' in item)) return;
    const types = item['@type'] as Json;
    for (const one of Array.isArray(types) ? (types as readonly Json[]) : [types]) found.push(String(one));
  };
  for (const item of jsonLd(page)) {
    add(item);
    const graph = item !== null && typeof item === 'object' && '@graph' in item ? item['@graph'] : null;
    if (Array.isArray(graph)) for (const node of graph as readonly Json[]) add(node);
  }
  return found;
}

/** The root of a site is its home page. */
function isHome(page: Document): boolean {
  const address = addressOf(page);
  if (!URL.canParse(address)) return false;
  const { protocol, pathname, search } = new URL(address);
  return /^https?:$/.test(protocol) && pathname === '/' && search === '';
}

function teasersOutside(body: Element): number {
  let teasers = 0;
  for (const link of body.querySelectorAll(TEASER_LINKS)) if (link.closest(OUTSIDE) === null) teasers++;
  return teasers;
}

/** Headings that are links: each leads to a page of its own. */
function teasersIn(root: Element): number {
  return root.querySelectorAll(TEASER_LINKS).length;
}

function proseIn(root: Element, weights: Weights): number {
  let prose = 0;
  for (const block of root.querySelectorAll('p,li,blockquote,pre,dd,td')) {
    if (block.closest(OUTSIDE) !== null || block.querySelector('p,li') !== null) continue;
    const own = weights.text(block) - weights.link(block);
    if (own >= PROSE) prose += own;
  }
  return prose;
}

/** The prose of the largest group of posts that share a parent. */
function proseInPosts(root: Element, weights: Weights): number {
  const groups = new Map<Element, Element[]>();
  for (const element of root.querySelectorAll('div[class],li[class],article,section[class],tr[class]')) {
    const parent = element.parentElement;
    if (parent === null || weights.text(element) === 0) continue;
    if (element.localName !== 'article' && !Array.from(element.classList).some(name => POST.test(name)))
      continue;
    const group = groups.get(parent);
    if (group === undefined) groups.set(parent, [element]);
    else group.push(element);
  }
  const sums = Array.from(groups.values(), posts =>
    posts.length < FEWEST_POSTS ? 0 : posts.reduce((sum, post) => sum + proseIn(post, weights), 0),
  );
  return Math.max(0, ...sums);
}
