/** Reads the article of a copy of a page, if it has one. */
import type { PageSignals } from '../signals/pageSignals.ts';
import { type Article, readArticle } from './article/readArticle.ts';
import { singleLineText, TextStats } from './article/textStats.ts';
import { expandSvgText } from './snapshot/replacedContent.ts';

/** Minimum number of teasers (headings that link to another page) in a listing. */
const MIN_TEASERS = 5;
/** In a listing, at least this share (0 to 1) of the headings are teasers. In a thread, at least this share of the prose is in posts. */
const DOMINANT_SHARE = 0.8;
/** Minimum number of sibling posts (comments, replies, reviews) in a thread. */
const MIN_POSTS = 2;
/** Minimum length of the text, outside links, of a paragraph that counts as prose. */
const MIN_PROSE_CHARACTERS = 60;

/** If the page has `MIN_TEASERS` teasers or more outside the article, the article needs this many characters of prose for each. */
const MIN_PROSE_PER_TEASER = 100;
/** Matches a declared type (OpenGraph, JSON-LD, microdata) of pages that are not articles, even with a long description. */
const NON_ARTICLE_TYPE =
  /^(og:product(\..*)?|Product|ProductGroup|CollectionPage|SearchResultsPage|QAPage|DiscussionForumPosting)$/;
const TEASER_LINKS = ':is(h1,h2,h3,h4) a[href],a[href] :is(h1,h2,h3,h4)';

const HEADING = 'h1,h2,h3,h4';
const PAGE_CHROME = 'nav,aside,footer,[role=navigation],[role=complementary],[role=contentinfo]';
/** Matches the class names of posts in a thread, such as `comment` or `forum-post`. `post-header` and `post-body` are only parts of a post. */
const POST_CLASS = /^([a-z]+-)?(comment|post|reply|message|question|answer|review)$/i;

/** Returns true if a page declares that it is an article: then it is no collection. */
export const declaresArticle = ({ types }: PageSignals): boolean =>
  types.some(type => /Article|BlogPosting|^og:.*(article|blog|book)/i.test(type));

/**
 * Returns true if a page contains an article but is not one: a home page, listing, thread or product.
 * @param signals what the page declares about itself
 * @param body the body of its copy made by `flatten`
 * @param stats the text statistics of `body`
 * @param article the body that Readability found; it belongs to another copy of the page
 */
function isCollectionPage(signals: PageSignals, body: Element, stats: TextStats, article: Element): boolean {
  if (declaresArticle(signals)) return false;
  const { types, isHome } = signals;
  if (isHome || types.some(type => NON_ARTICLE_TYPE.test(type))) return true;
  const teasers = countTeasers(article);
  if (teasers >= MIN_TEASERS && teasers >= DOMINANT_SHARE * article.querySelectorAll(HEADING).length)
    return true;
  const prose = proseLength(body, stats);
  const own = proseLength(article, new TextStats(article));

  const others = countTeasersInContent(body) - teasers;
  if (others >= MIN_TEASERS && own < MIN_PROSE_PER_TEASER * others) return true;
  return prose > 0 && largestPostGroupProse(body, stats) >= DOMINANT_SHARE * prose;
}

function countTeasersInContent(body: Element): number {
  let teasers = 0;
  for (const link of body.querySelectorAll(TEASER_LINKS)) if (link.closest(PAGE_CHROME) === null) teasers++;
  return teasers;
}

/** Counts the headings that link to another page. */
function countTeasers(root: Element): number {
  return root.querySelectorAll(TEASER_LINKS).length;
}

const PROSE_BLOCKS = 'p,li,blockquote,pre,dd,td';
/** A `div` around one of them is not a paragraph. */
const OTHER_BLOCKS = `${PROSE_BLOCKS},div,h1,h2,h3,h4,h5,h6`;

function proseLength(root: Element, stats: TextStats): number {
  let prose = 0;
  for (const block of root.querySelectorAll(`${PROSE_BLOCKS},div`)) {
    if (block.closest(PAGE_CHROME) !== null || block.querySelector('p,li') !== null) continue;
    if (
      block.localName === 'div' &&
      (block.closest(PROSE_BLOCKS) ?? block.querySelector(OTHER_BLOCKS)) !== null
    )
      continue;
    const own = stats.textLength(block) - stats.linkTextLength(block);
    if (own >= MIN_PROSE_CHARACTERS) prose += own;
  }
  return prose;
}

/** Returns the number of characters of prose in the group of sibling posts that has the most; 0 without such a group. */
function largestPostGroupProse(root: Element, stats: TextStats): number {
  const groups = new Map<Element, Element[]>();
  /** Answers by class attribute: repeated elements have the same. */
  const isPost = new Map<string, boolean>();
  for (const element of root.querySelectorAll('div[class],li[class],article,section[class],tr[class]')) {
    if (stats.textLength(element) === 0) continue;
    if (element.localName !== 'article') {
      const classes = element.getAttribute('class') ?? '';
      const known = isPost.get(classes) ?? classes.split(/[ \t\n\f\r]+/).some(name => POST_CLASS.test(name));
      isPost.set(classes, known);
      if (!known) continue;
    }
    // Each post may have a box of its own.
    let parent = element.parentElement;
    while (parent?.childElementCount === 1) parent = parent.parentElement;
    if (parent === null) continue;
    const group = groups.get(parent);
    if (group === undefined) groups.set(parent, [element]);
    else group.push(element);
  }
  const sums = Array.from(groups.values(), posts =>
    posts.length < MIN_POSTS ? 0 : posts.reduce((sum, post) => sum + proseLength(post, stats), 0),
  );
  return Math.max(0, ...sums);
}

/** An article with fewer characters, and less than this share (0 to 1) of the page's text, may be an introduction: tag pages declare that they are articles. */
const MAX_EXCERPT_CHARACTERS = 1_000;
const MAX_EXCERPT_SHARE = 0.25;
/** The same with white space, which pages have between their elements. */
const MAX_RAW_CHARACTERS = 4 * MAX_EXCERPT_CHARACTERS;

/** The result of the article pipeline for a copy of a page. */
export interface PageReading {
  /** The article that Readability found; null if there is none. */
  readonly article: Article | null;
  /** True if the page's article, if any, is only a part of its content. */
  readonly isCollection: boolean;
  /** True if the article is short and a small part of the page's text: perhaps only the introduction of a list. */
  readonly isExcerpt: boolean;
  /** The text statistics of the copy's body. */
  readonly stats: TextStats;
}

/**
 * Looks for the article of a copy. The text of drawings is added to the copy and to its article.
 * @param isRunningText tells whether the page is an article by its type; called at most once
 */
export function readPage(copy: Document, signals: PageSignals, isRunningText: () => boolean): PageReading {
  // An article that the page declares, and that is one by the type of the page, is its content: no block is measured.
  const found = readArticle(copy, () => !(declaresArticle(signals) && isRunningText()));
  for (const root of [copy.body, found?.root]) if (root !== undefined) expandSvgText(root);
  const stats = new TextStats(copy.body);
  const isExcerpt = found !== null && isSmallPart(found.root, stats);
  const article = isExcerpt && found.texts === null ? readArticle(copy, () => true) : found;
  const isCollection = article === null || isCollectionPage(signals, copy.body, stats, article.root);
  return { article, isCollection, isExcerpt, stats };
}

function isSmallPart(article: Element, stats: TextStats): boolean {
  // Most articles are long, so that their text need not be read character by character.
  if ((article.textContent ?? '').length > MAX_RAW_CHARACTERS) return false;
  const { length } = singleLineText(article);
  return length < MAX_EXCERPT_CHARACTERS && length < MAX_EXCERPT_SHARE * stats.textLength(stats.root);
}
