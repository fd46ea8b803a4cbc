/** Whether a page with an article on it is really one of many things: a home page, a section, a listing, a thread. */
import { jsonLd } from './jsonLd.ts';
import { attribute, selectOne } from './live.ts';
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

const HEADING = 'h1,h2,h3,h4';
const OUTSIDE = 'nav,aside,footer,[role=navigation],[role=complementary],[role=contentinfo]';
/** One post's name alone: `post-header` and `post-body` are parts of one. */
const POST = /^(comment|post|reply|message|answer|review)s?$/i;

/** @param article what was found, as an element of another copy */
export function isCollection(page: Document, copy: Document, article: Element): boolean {
  if (declaresArticle(page)) return false;
  const teasers = teasersIn(article);
  if (teasers >= FEWEST_TEASERS && teasers >= MOSTLY * article.querySelectorAll(HEADING).length) return true;
  const weights = new Weights(copy.body);
  const prose = proseIn(copy.body, weights);
  if (proseIn(article, new Weights(article)) < LEAST_SHARE * prose) return true;
  return prose > 0 && proseInPosts(copy.body, weights) >= MOSTLY * prose;
}

function declaresArticle(page: Document): boolean {
  const type = selectOne(page, 'meta[property="og:type" i]');
  if (type !== null && /article|blog|book/i.test(attribute(type, 'content') ?? '')) return true;
  return jsonLd(page).some(
    item =>
      item !== null &&
      typeof item === 'object' &&
      '@type' in item &&
      /Article|BlogPosting/.test(JSON.stringify(item['@type'])),
  );
}

/** Headings that are links: each leads to a page of its own. */
function teasersIn(root: Element): number {
  return root.querySelectorAll(':is(h1,h2,h3,h4) a[href],a[href] :is(h1,h2,h3,h4)').length;
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
    if (parent === null || weights.text(element) < PROSE) continue;
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
