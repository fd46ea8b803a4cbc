/** Describes a page in one to three sentences: category, title, number of elements, summary. */
import type { SpaceCategory } from '../../../domain/space.ts';
import { bodyOf, getAttribute, queryDocument, titleOf } from '../dom/domGetters.ts';
import { normalizeText, quote, truncate } from './element/plainText.ts';
import { visibleText } from './element/renderedText.ts';
import type { ObservedElement } from './wireFormat.ts';

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
 * Returns a description of the current page: its category, title and heading, the number of its elements, its summary.
 * @example `A page with a form to fill in titled "Sign up". It has 2 buttons and 5 inputs.`
 */
export function describePage(category: SpaceCategory, elements: readonly ObservedElement[]): string {
  const title = truncate(normalizeText(titleOf(document)), MAX_TITLE_LENGTH);
  const headingElement = queryDocument(document, 'h1');
  const heading = headingElement === null ? '' : truncate(visibleText(headingElement), MAX_TITLE_LENGTH);
  const summary = truncate(normalizeText(metaContent('meta[name=description]')), MAX_SUMMARY_LENGTH);
  let text = CATEGORY_PHRASES[category];
  if (title !== '') text += ` titled ${quote(title)}`;
  if (heading !== '' && heading !== title) text += `${title === '' ? '' : ','} headed ${quote(heading)}`;
  const body = bodyOf(document);
  const beginning =
    title === '' && heading === '' && body !== null ? truncate(visibleText(body), MAX_TITLE_LENGTH) : '';
  if (beginning !== '') text += ` that begins ${quote(beginning)}`;
  text += `. ${countSentence(elements)}`;
  return summary === '' ? text : `${text} ${quote(summary)}`;
}

const metaContent = (selector: string): string => {
  const element = queryDocument(document, selector);
  return element === null ? '' : (getAttribute(element, 'content') ?? '');
};

function countSentence(elements: readonly ObservedElement[]): string {
  if (elements.length === 0) return 'It has no interactive elements.';
  const countOf = (letter: string) => elements.filter(element => element.letter === letter).length;
  const parts = [
    pluralize(countOf('L'), 'link'),
    pluralize(countOf('B'), 'button'),
    pluralize(countOf('I'), 'input'),
  ].filter(part => part !== '');
  return `It has ${parts.join(', ').replace(/, ([^,]*)$/, ' and $1')}.`;
}

const pluralize = (number: number, word: string): string =>
  number === 0 ? '' : `${number} ${word}${number === 1 ? '' : 's'}`;
