/** Describes a page: category, title, heading, summary. The service adds the number of its actions, those in frames included. */
import type { SpaceCategory } from '../../../domain/space/space.ts';
import { bodyOf, getAttribute, queryDocument, titleOf } from '../dom/domGetters.ts';
import { normalizeText, quote, truncate } from './element/plainText.ts';
import { visibleText } from './element/renderedText.ts';
import type { DocumentObservation } from './wireFormat.ts';

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

/**
 * Returns the beginning of the description of the current page, without a full stop: its category, title and heading; and its summary,
 * in quotes, empty if it has none.
 * @example `A page with a form to fill in titled "Sign up"`
 */
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
