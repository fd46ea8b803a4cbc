/** What kind of page it is, and a sentence or two about it. */
import type { SpaceCategory } from '../../../domain/space.ts';
import { bodyOf, getAttribute, queryAllDocument, queryDocument, titleOf } from '../dom/domGetters.ts';
import { visibleText } from './accessibleName.ts';
import { normalizeText, quote, truncate } from './plainText.ts';
import type { ObservedElement } from './wireFormat.ts';

/** @param elements what is listed on it */
export function classifyPage(elements: readonly ObservedElement[]): {
  category: SpaceCategory;
  description: string;
} {
  const category = categoryOf(elements);
  return { category, description: describePage(category, elements) };
}

const CONSENT_NAME = /cookie|^(accept|agree|allow|reject|decline)\b/i;

const has = (selector: string): boolean => queryDocument(document, selector) !== null;
const count = (selector: string): number => queryAllDocument(document, selector).length;

function categoryOf(elements: readonly ObservedElement[]): SpaceCategory {
  if (isCaptcha()) return 'captcha';
  if (asksForCookies(elements)) return 'manage-cookies';
  if (elements.some(({ letter }) => letter === 'I') && isPayment()) return 'payment';
  if (isAuth(elements)) return 'auth';
  if (isSearchResults()) return 'search-results';
  if (isItem()) return 'item';
  if (isFeed()) return 'data-feed';
  const fields = elements.filter(({ letter, status }) => letter === 'I' && status !== 'excluded').length;
  const links = elements.filter(({ letter }) => letter === 'L').length;
  if (fields >= 2 && fields * 2 >= links) return 'form';
  if (isHomepage() && (links >= 3 || has('nav'))) return 'homepage';
  return fields >= 1 && links <= 2 && has('form') ? 'form' : 'other';
}

const isCaptcha = (): boolean =>
  has(
    'iframe[src*="recaptcha"]:not([src*="size=invisible"]), iframe[src*="hcaptcha.com"], iframe[src*="challenges.cloudflare.com"], #challenge-form, .g-recaptcha:not([data-size=invisible]), .h-captcha, [id*="captcha" i] img, [class*="captcha" i] img, input[name*="captcha" i]',
  );

function asksForCookies(elements: readonly ObservedElement[]): boolean {
  // Style queries over the whole page are dear: first whether anything on it could be the answer.
  if (!elements.some(({ name }) => CONSENT_NAME.test(name))) return false;
  const box = queryDocument(
    document,
    '#onetrust-banner-sdk, #CybotCookiebotDialog, [id*="cookie" i][role=dialog], [class*="cookie" i][role=dialog], [id*="cookie-consent" i], [class*="cookie-consent" i], [id*="cookie-banner" i], [class*="cookie-banner" i]',
  );
  const words = box !== null && visibleText(box) !== '' ? 1 : 0;
  const buttons = elements.filter(
    ({ letter, name, category, status }) =>
      letter !== 'I' &&
      status === 'valid' &&
      (/\b(cookies?)\b/i.test(name) ||
        (/\bcookies?\b/i.test(category) && /accept|reject|agree|allow|decline/i.test(name))),
  );
  const inDialog = elements.some(
    ({ category, name }) => /^Dialog/.test(category) && /accept|agree|reject/i.test(name),
  );
  return (
    buttons.length >= 2 ||
    (words === 1 &&
      (buttons.length >= 1 ||
        elements.some(({ name }) => /^(accept|agree|allow|reject|decline)\b/i.test(name)))) ||
    (inDialog && buttons.length > 0)
  );
}

const isPayment = (): boolean =>
  has(
    'input[autocomplete^="cc-"], input[name*="cardnumber" i], input[name*="card_number" i], input[id*="card-number" i], input[name="cvc"], input[name="cvv"], iframe[src*="js.stripe.com"]',
  );

function isAuth(elements: readonly ObservedElement[]): boolean {
  const passwords = elements.filter(({ description }) => description.startsWith('password field'));
  if (passwords.length > 0) return elements.filter(({ letter }) => letter === 'I').length <= 12;
  return has('input[autocomplete="one-time-code"], input[autocomplete="username"]');
}

function isSearchResults(): boolean {
  const search = queryDocument(
    document,
    'input[type=search], [role=searchbox], [role=search] input, search input, input[name=q], input[name=query], input[name=search]',
  );
  const byAddress =
    /[?&](q|query|search|s|keyword|term)=/i.test(location.search) || /\/search\b/i.test(location.pathname);
  if (search === null && !byAddress) return false;
  const results = count('[class*="search-result" i], [class*="result-item" i], [id*="search-result" i]');
  return (byAddress && (search !== null || results > 0)) || results >= 2;
}

const isItem = (): boolean =>
  has(
    'meta[property="og:type"][content="product" i], meta[property="og:type"][content="article" i], [itemtype$="/Product"], [itemtype$="/Article"], [itemtype$="/NewsArticle"], [itemtype$="/Recipe"]',
  ) && count('[itemtype$="/Product"], [itemtype$="/Article"], [itemtype$="/NewsArticle"]') <= 1
    ? true
    : count('article') === 1 && has('article h1, h1 + article, main h1');

const isFeed = (): boolean =>
  has('[role=feed]') ||
  count('article') >= 3 ||
  count('[itemtype$="/Product"], .product-card, .product-item') >= 3 ||
  count('table tr') >= 10;

const isHomepage = (): boolean =>
  /^\/?(index\.[a-z]+|home\/?)?$/i.test(location.pathname) && location.search === '';

const CATEGORY_PHRASES: Readonly<Record<SpaceCategory, string>> = {
  homepage: 'The start page of a site',
  'search-results': 'A page of search results',
  'data-feed': 'A list of entries',
  item: 'A page about one thing',
  auth: 'A sign-in or sign-up page',
  form: 'A page with a form to fill in',
  'manage-cookies': 'A page that asks about cookies',
  payment: 'A payment page',
  captcha: 'A page that checks that a person is there',
  other: 'A page',
};

function describePage(category: SpaceCategory, elements: readonly ObservedElement[]): string {
  const title = truncate(normalizeText(titleOf(document)), 100);
  const heading = queryDocument(document, 'h1');
  const headline = heading === null ? '' : truncate(visibleText(heading), 100);
  const summary = truncate(normalizeText(metaContent('meta[name=description]')), 160);
  let text = CATEGORY_PHRASES[category];
  if (title !== '') text += ` titled ${quote(title)}`;
  if (headline !== '' && headline !== title) text += `${title === '' ? '' : ','} headed ${quote(headline)}`;
  const body = bodyOf(document);
  const lead = title === '' && headline === '' && body !== null ? truncate(visibleText(body), 100) : '';
  if (lead !== '') text += ` that begins ${quote(lead)}`;
  text += `. ${countSentence(elements)}`;
  return summary === '' ? text : `${text} ${summary}`;
}

const metaContent = (selector: string): string => {
  const element = queryDocument(document, selector);
  return element === null ? '' : (getAttribute(element, 'content') ?? '');
};

function countSentence(elements: readonly ObservedElement[]): string {
  if (elements.length === 0) return 'Nothing on it can be acted on.';
  const number = (letter: string) => elements.filter(element => element.letter === letter).length;
  const parts = [
    pluralize(number('L'), 'link'),
    pluralize(number('B'), 'button'),
    pluralize(number('I'), 'input'),
  ].filter(part => part !== '');
  return `It has ${parts.join(', ').replace(/, ([^,]*)$/, ' and $1')}.`;
}

const pluralize = (number: number, word: string): string =>
  number === 0 ? '' : `${number} ${word}${number === 1 ? '' : 's'}`;
