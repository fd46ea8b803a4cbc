/** Describes a page: category, title, heading, summary. The service adds the number of its actions, those in frames included. */

import type { SpaceCategory } from '../../../domain/space/space.ts';
import { FIRST_IDEOGRAPH } from '../dom/characters.ts';
import { anyCase } from '../dom/classNames.ts';
import { bodyOf, getAttribute, queryAllDocument, queryDocument, titleOf } from '../dom/domGetters.ts';
import { whileTreeStands } from '../dom/whileTreeStands.ts';
import { classifyPageType } from '../signals/classifyPageType.ts';
import { isHomePage, pageSignals } from '../signals/pageSignals.ts';
import { normalizeText, quote, truncate } from './element/plainText.ts';
import { visibleText } from './element/renderedText.ts';
import type { DocumentObservation, ObservedElement } from './wireFormat.ts';

/** The words with which a visitor answers a banner that asks for cookies, in the languages in which most pages are written (BCP 47). */
const WORDS_OF: Readonly<Record<string, string>> = {
  de: 'akzeptieren akzeptiere zustimmen zulassen erlauben einverstanden ablehnen',
  fr: "accepter accepte j'accepte j’accepte autoriser refuser",
  es: 'aceptar acepto aceptarlas permitir rechazar rechazarlas',
  pt: 'aceitar aceito aceitá-los permitir rejeitar recusar',
  it: 'accetta accetto accettare consenti rifiuta rifiuto rifiutare',
  nl: 'accepteren accepteer toestaan akkoord weigeren weiger',
  sv: 'acceptera godkänn tillåt avvisa neka',
  da: 'accepter acceptér tillad godta godtag afvis avvis',
  pl: 'akceptuj akceptuję zaakceptuj zgadzam zezwól zezwalam odrzuć odrzucam',
  ru: 'принять принимаю разрешить согласен согласна отклонить отказаться',
  tr: 'kabul onayla reddet',
};
/** The same in scripts of which two characters tell as much as a word: anywhere in a name. */
const PAIRS_OF: Readonly<Record<string, string>> = {
  ja: '同意 許可 拒否',
  zh: '接受 同意 允许 允許 拒绝 拒絕',
  ko: '동의 수락 허용 거부',
};

const ENGLISH = /^(i )?(accept|agree|allow|reject|decline)\b/i;
const setOf = (table: Readonly<Record<string, string>>): ReadonlySet<string> =>
  new Set(Object.values(table).flatMap(words => words.split(' ')));
const WORDS = setOf(WORDS_OF);
const PAIRS = setOf(PAIRS_OF);
/** A longer name is that of another control. */
const MAX_CHARACTERS = 60;

/** Returns true if the name of a control is an answer to a banner that asks for cookies. */
export function isConsentAnswer(name: string): boolean {
  if (ENGLISH.test(name)) return true;
  if (name.length > MAX_CHARACTERS) return false;
  for (const word of name.toLowerCase().split(' ')) if (WORDS.has(word)) return true;
  for (let at = 0; at + 1 < name.length; at++)
    if ((name[at] ?? '') >= FIRST_IDEOGRAPH && PAIRS.has(name.slice(at, at + 2))) return true;
  return false;
}

const has = (selector: string): boolean =>
  whileTreeStands(`has ${selector}`, () => queryDocument(document, selector) !== null);
const count = (selector: string): number =>
  whileTreeStands(`count ${selector}`, () => queryAllDocument(document, selector).length);

/** Maximum number of inputs on a page with a password field that counts as a sign-in page. */
const MAX_AUTH_FIELDS = 12;

/** Returns the category of the current page, from its URL, its content and its listed elements. */
export function classifyPage(elements: readonly ObservedElement[]): SpaceCategory {
  if (isCaptcha()) return 'captcha';
  if (asksForCookies(elements)) return 'manage-cookies';
  if (elements.some(({ letter }) => letter === 'I') && isPayment()) return 'payment';
  if (isAuth(elements)) return 'auth';
  if (isSearchResults()) return 'search-results';
  const { kind } = whileTreeStands('page type', () => classifyPageType(document, pageSignals(document)));
  if (kind !== null) return kind === 'item' ? 'item' : 'data-feed';
  const fields = elements.filter(({ letter, status }) => letter === 'I' && status !== 'excluded').length;
  const links = elements.filter(({ letter }) => letter === 'L').length;
  if (fields >= 2 && fields * 2 >= links) return 'form';
  if (isHomePage(document) && (links >= 3 || has('nav'))) return 'homepage';
  return fields >= 1 && links <= 2 && has('form') ? 'form' : 'other';
}

const anyOf = (attributes: readonly string[], words: readonly string[]): string =>
  attributes.flatMap(attribute => words.map(word => anyCase(attribute, word))).join(',');

const CAPTCHAS = `#challenge-form, .g-recaptcha:not([data-size=invisible]), .h-captcha, :is(${anyOf(['id', 'class'], ['captcha'])}) img, input[name*="captcha" i]`;
const CAPTCHA_FRAMES =
  'iframe[src*="recaptcha"]:not([src*="size=invisible"]), iframe[src*="hcaptcha.com"], iframe[src*="challenges.cloudflare.com"]';
const CONSENT_BANNERS = `#onetrust-banner-sdk, #CybotCookiebotDialog, [role=dialog]:is([id*="cookie" i], [class*="cookie" i]), ${anyOf(['id', 'class'], ['cookie-consent', 'cookie-banner'])}`;
const SEARCH_RESULTS = `${anyOf(['class'], ['search-result', 'result-item'])},${anyCase('id', 'search-result')}`;

const isCaptcha = (): boolean => has(`${CAPTCHA_FRAMES}, ${CAPTCHAS}`);

const DIALOG = /^Dialog/;
/** Within a group that is named after cookies, a word anywhere in the name is enough. */
const ANSWER = /accept|reject|agree|allow|decline/i;

function asksForCookies(elements: readonly ObservedElement[]): boolean {
  // Selectors with [class*=…] over the whole page are slow: skip them if no listed element can match.
  const hasAnswer = elements.some(({ name }) => isConsentAnswer(name));
  if (!hasAnswer && !elements.some(({ name }) => /cookie/i.test(name))) return false;
  const banner = has(CONSENT_BANNERS) ? queryDocument(document, CONSENT_BANNERS) : null;
  const hasBanner = banner !== null && visibleText(banner) !== '';
  const buttons = elements.filter(
    ({ letter, name, category, status }) =>
      letter !== 'I' &&
      status === 'valid' &&
      (/\b(cookies?)\b/i.test(name) ||
        (/\bcookies?\b/i.test(category) && (ANSWER.test(name) || isConsentAnswer(name)))),
  );
  // A dialog about something else has answers too, and most pages have a link to their cookie policy.
  const isInDialog =
    buttons.some(({ category }) => DIALOG.test(category)) &&
    elements.some(
      ({ category, name }) =>
        DIALOG.test(category) && (/accept|agree|reject/i.test(name) || isConsentAnswer(name)),
    );
  if (buttons.length >= 2) return true;
  if (hasBanner && (buttons.length === 1 || hasAnswer)) return true;
  return isInDialog && buttons.length === 1;
}

const isPayment = (): boolean =>
  has(
    'input[autocomplete^="cc-"], input[name*="cardnumber" i], input[name*="card_number" i], input[id*="card-number" i], input[name="cvc"], input[name="cvv"], iframe[src*="js.stripe.com"]',
  );

function isAuth(elements: readonly ObservedElement[]): boolean {
  if (elements.some(({ description }) => description.startsWith('password field')))
    return elements.filter(({ letter }) => letter === 'I').length <= MAX_AUTH_FIELDS;
  return has('input[autocomplete="one-time-code"], input[autocomplete="username"]');
}

function isSearchResults(): boolean {
  const hasSearch = has(
    'input[type=search], [role=searchbox], [role=search] input, search input, input[name=q], input[name=query], input[name=search]',
  );
  const byUrl =
    /[?&](q|query|search|s|keyword|term)=/i.test(location.search) || /\/search\b/i.test(location.pathname);
  if (!hasSearch && !byUrl) return false;
  const results = count(SEARCH_RESULTS);
  return (byUrl && (hasSearch || results > 0)) || results >= 2;
}

const CATEGORY_PHRASES: Readonly<Record<SpaceCategory, string>> = {
  homepage: 'The start page of a site',
  'search-results': 'A page of search results',
  'data-feed': 'A list of entries',
  item: 'A page about one item',
  auth: 'A sign-in or sign-up page',
  form: 'A page with a form to fill in',
  'manage-cookies': 'A page that asks about cookies',
  payment: 'A payment page',
  captcha: 'A page with a CAPTCHA',
  other: 'A page',
};

/** Maximum length of the title, of the heading, and of the quoted beginning of the text. Characters. */
const MAX_TITLE_LENGTH = 100;
const MAX_SUMMARY_LENGTH = 160;

/** Returns the beginning of the description, such as `A page with a form to fill in titled "Sign up"`, and the page's own summary in quotes. */
export function describePage(category: SpaceCategory): Pick<DocumentObservation, 'description' | 'summary'> {
  const title = truncate(normalizeText(titleOf(document)), MAX_TITLE_LENGTH);
  const headingElement = queryDocument(document, 'h1');
  const heading = headingElement === null ? '' : truncate(visibleText(headingElement), MAX_TITLE_LENGTH);
  const summary = truncate(normalizeText(metaContent('meta[name=description]')), MAX_SUMMARY_LENGTH);
  let description: string = CATEGORY_PHRASES[category];
  if (title !== '') description += ` titled ${quote(title)}`;
  if (heading !== '' && heading !== title)
    description += `${title === '' ? '' : ','} headed ${quote(heading)}`;
  const body = bodyOf(document);
  const beginning =
    title === '' && heading === '' && body !== null ? truncate(visibleText(body), MAX_TITLE_LENGTH) : '';
  if (beginning !== '') description += ` that begins ${quote(beginning)}`;
  return { description, summary: summary === '' ? '' : quote(summary) };
}

const metaContent = (selector: string): string => {
  const element = queryDocument(document, selector);
  return element === null ? '' : (getAttribute(element, 'content') ?? '');
};
