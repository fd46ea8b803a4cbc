/**
 * Recognizes boilerplate by the names (class, id, role) that sites give their elements. It looks words up: the browser would compile a
 * pattern of all of them for each page anew, which takes longer than to read the names.
 */

/** Words of names that are boilerplate by themselves. */
const WORDS = new Set(
  'related signup breadcrumb breadcrumbs editsection bio aboutauthor abouttheauthor comment comments respond tag tags taglist topic topics ad ads outbrain taboola consent gdpr paywall readmore readnext seealso morestories morenews morearticles moreon morefrom mostread mostpopular popular trending toolbar pagination pager visuallyhidden hidden timestamp date dateline postmeta postinfo posttags postfooter entrymeta entryfooter articlemeta articlefooter articletags articletools articleinfo meta metadata inlinerelated inlinenewsletter inlinepromo sharedaddy nav navbar navigation masthead copyright disclaimer'.split(
    ' ',
  ),
);
/** Beginnings of such words, which go on with letters, digits or `_`: `print:hidden` is a style for print. */
const BEGINNINGS =
  'recirc recommend newsletter subscri promo share sharing social byline authorbio authorbox authorinfo authorcard authorprofile disqus advert sponsor cookie print widget skiplink skipto screenreader postnav rating vote menu'.split(
    ' ',
  );
/** Two words in a row; `*` stands for any end of the second. */
const PAIRS =
  'sign-up edit-section author-bio* author-box* author-info* author-card* author-profile* about-author read-more read-next see-also more-stories more-news more-articles more-on more-from most-read most-popular skip-link* skip-to* screen-reader* sr-only visually-hidden post-meta post-info post-tags post-footer post-nav* entry-meta entry-footer article-meta article-footer article-tags article-tools article-info inline-related inline-newsletter inline-promo jp-relatedposts ad-*'.split(
    ' ',
  );

const BEGINNING_CHARACTERS = 3;
const byStart = Map.groupBy(BEGINNINGS, word => word.slice(0, BEGINNING_CHARACTERS));
const byFirst = Map.groupBy(
  PAIRS.map(pair => pair.split('-')),
  ([first]) => first,
);

/** Names that were judged before: repeated elements have the same ones. */
const known = new Map<string, boolean>();
const MAX_KNOWN = 2_000;

/** Returns true if an element's names (see `elementNames`) include one for boilerplate: related stories, sharing, advertisements, bylines, navigation. */
export function isBoilerplateName(names: string): boolean {
  const before = known.get(names);
  if (before !== undefined) return before;
  const found = names
    .toLowerCase()
    .split(/[_\s]+/)
    .some(isBoilerplate);
  if (known.size < MAX_KNOWN) known.set(names, found);
  return found;
}

/** Returns true for the words of one name, which hyphens separate. */
function isBoilerplate(name: string): boolean {
  const words = name.split('-');
  return (
    words.some((word, at) => isBoilerplateWord(word) || isPair(word, words[at + 1] ?? '')) ||
    `-${name}-`.includes('-about-the-author-')
  );
}

const isBoilerplateWord = (word: string): boolean =>
  WORDS.has(word) ||
  (byStart
    .get(word.slice(0, BEGINNING_CHARACTERS))
    ?.some(beginning => word.startsWith(beginning) && /^\w+$/.test(word)) ??
    false);

const isPair = (first: string, second: string): boolean =>
  second !== '' &&
  (byFirst
    .get(first)
    ?.some(([, end = '']) =>
      end.endsWith('*') ? second.startsWith(end.slice(0, -1)) && /^\w+$/.test(second) : second === end,
    ) ??
    false);
