/**
 * Recognizes boilerplate by the names (class, id, role) that sites give their elements. It looks words up: the browser would compile a
 * pattern of all of them for each page anew, which takes longer than to read the names.
 */

/** Recognizes captions and admonitions by the names (class, id, role) that sites give their elements. */
const CAPTION_NAME =
  /(^|[-_\s])(caption\w*|credits?|wp-caption-text|figcaption|img-?caption|(image|photo|media)-?(caption|credit|copyright))($|[-_\s])/i;

/** Returns true if an element's names (see `elementNames`) include one for a caption or credit. */
export const isCaptionName = (names: string): boolean => CAPTION_NAME.test(names);

/** Returns the class, id, data-component and role of an element, separated by spaces; `camelCase` becomes `camel-Case`. */
export function elementNames(element: Element): string {
  const names = ['class', 'id', 'data-component', 'role'].map(name => element.getAttribute(name) ?? '');
  return names
    .join(' ')
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replace(/__/g, '-');
}

const ADMONITION_NAME =
  /footnote|admonition|callout|(^|[-_\s])(note|tip|hint|warning|caution|danger|important)($|[-_\s])/i;

const ADMONITION_CLASS =
  /admonition|callout|(^|[-_\s])(note|tip|hint|warning|caution|danger|important)($|[-_\s])|(^|\s)alert-(info|success|primary|secondary)($|\s)/i;

/** Returns true for a `div` whose class says that it belongs to the text: a note, tip or warning. */
export const isAdmonitionBox = (element: Element): boolean =>
  element.localName === 'div' && ADMONITION_CLASS.test(element.getAttribute('class') ?? '');

/** Returns true for an `aside` whose names say that it belongs to the text: a note, tip, warning or footnote. */
export const isAdmonition = (element: Element): boolean =>
  element.localName === 'aside' && ADMONITION_NAME.test(elementNames(element));

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

/** Matches whole lines that belong to the page. */
const BOILERPLATE =
  /^(?:(skip )?advert(isement)?s?|ad|sponsored( content)?|story continues( below)?|article continues( below)?( ad(vertisement)?)?|share( this)?( article| story)?|image copyright|image caption|media caption|media playback is unsupported.*|tell us what you think.*|(\d+ )?comments?|read more|more|related( (articles?|stories|posts?|content|news))?|see also|subscribe|sign (in|up)|log ?in|skip to (main )?content|this slideshow requires javascript\.?|loading\.*|print|email|tweet|facebook|twitter|whatsapp|pinterest|linkedin|source|tags|filed under|topics|follow us.*|(this|our) (web)?site uses cookies.*|we use cookies.*|(image |photo |slide )?\d{1,3} ?(of|\/|von|de|sur|di|из) ?\d{1,3}|see tweets?)\s*[:：]?$/i;

/** Matches the beginning of a line that points to another page. */
const REFERRAL =
  /^(?:related( story| article| video)?s?|read( more| next| also)?|also( read)?|see( also| more)?|more( on| from)?|watch|must read|recommended|don['’]?t miss|share this|photo|image|photos|image credit|credit|source|via|tags?|tagged( with)?|filed under|categor(y|ies)|topics|keywords|posted in)(?![a-z\d_\u00df-\u024f])[^.]{0,20}[:：]/i;

const TRAILING =
  /(follow (us|him|her|me|them|@)|subscribe to|sign up (for|to)|newsletter|all rights reserved|©|copyright 20|reach the reporter|contact (the )?(reporter|author|us)|like us on|click here to|@\w+\.(com|org|net)|on twitter( at)?( |:)|is a (staff writer|reporter|freelance|senior|contributing|journalist|correspondent)|have a tip|appears in print on)/i;

/** Matches the beginning of a line that names the author or a date. */
export const BYLINE =
  /^(?:by|published|updated|posted|last (updated|modified)|first published)(?![a-z\d_\u00df-\u024f])/i;
const YEAR = /\b(19|20)\d\d\b/;
const DAY = /(\d{1,2}:\d\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\d{1,2}[./-]\d{1,2})/i;
const COUNT = /^\d+ (min(ute)?s?|hours?|days?|comments?|shares?|views?)\b/i;

/** Matches a credit line such as "Photo: Reuters". */
export const CREDIT_LINE = /^(photo|image|credit|foto|getty|ap photo|reuters)\b.{0,60}$/i;

/** Returns true for a whole line such as "Advertisement", "Share this", "12 comments". */
export const isBoilerplateLine = (line: string): boolean => BOILERPLATE.test(line);

/** Returns true for a line that points to another article, such as "Related: …", "Read also: …". */
export const isReferralLine = (line: string): boolean => REFERRAL.test(line);

/** Returns true for a line that usually ends a page, such as "Follow us on …", "All rights reserved", "… is a staff writer". */
export const isTrailingLine = (line: string): boolean => TRAILING.test(line);

/** Returns true for a line shorter than 90 characters that is a byline, a date, a count ("12 comments") or a credit line. */
export function isBylineOrDate(line: string): boolean {
  if (line.length >= 90) return false;
  if (BYLINE.test(line) || COUNT.test(line)) return true;
  if (CREDIT_LINE.test(line)) return true;
  return line.length < 60 && !line.endsWith('.') && YEAR.test(line) && DAY.test(line);
}
