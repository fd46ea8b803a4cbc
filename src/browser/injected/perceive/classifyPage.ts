/** Determines the category of a page, from selectors, its URL and the listed elements. */
import type { SpaceCategory } from '../../../domain/space/space.ts';
import { anyCase } from '../dom/anyCase.ts';
import { queryAllDocument, queryDocument } from '../dom/domGetters.ts';
import { whileTreeStands } from '../dom/whileTreeStands.ts';
import { classifyPageType } from '../signals/classifyPageType.ts';
import { isHomePage, pageSignals } from '../signals/pageSignals.ts';
import { isConsentAnswer } from './consentAnswer.ts';
import { visibleText } from './element/renderedText.ts';
import type { ObservedElement } from './wireFormat.ts';

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
