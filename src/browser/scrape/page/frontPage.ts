/** Whether a page with an article on it is really one of many things: a home page, a section, a listing, a thread. */
import { jsonLd } from './jsonLd.ts';
import { attribute, selectOne } from './live.ts';
import { Weights } from './weights.ts';

/** This many headings that lead elsewhere, and this share of all, make what was found a listing. */
const FEWEST_TEASERS = 5;
const MOSTLY = 0.8;
/** An article has at least this share of the page's prose, unless the page says that it is one. */
const LEAST_SHARE = 0.5;
const HEADING = 'h1,h2,h3,h4';
/** A paragraph counts as prose from this many characters. */
const PROSE = 60;

const OUTSIDE = 'nav,aside,footer,[role=navigation],[role=complementary],[role=contentinfo]';

/** @param article what was found, as an element of another copy */
export function isFrontPage(page: Document, copy: Document, article: Element): boolean {
  if (declaresArticle(page)) return false;
  const inside = teasersIn(article);
  if (inside >= FEWEST_TEASERS && inside >= MOSTLY * article.querySelectorAll(HEADING).length) return true;
  return proseIn(article) < LEAST_SHARE * proseIn(copy.body);
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

function proseIn(root: Element): number {
  const weights = new Weights(root);
  let prose = 0;
  for (const block of root.querySelectorAll('p,li,blockquote,pre,dd,td')) {
    if (block.closest(OUTSIDE) !== null || block.querySelector('p,li') !== null) continue;
    const own = weights.text(block) - weights.link(block);
    if (own >= PROSE) prose += own;
  }
  return prose;
}
