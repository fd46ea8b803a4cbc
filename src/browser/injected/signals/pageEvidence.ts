/** Reads from a live page the evidence from which its type is judged. */
import {
  closest,
  elementsByTag,
  localName,
  queryAllDocument,
  queryAllIn,
  textContent,
} from '../dom/domGetters.ts';
import { DECLARATIONS } from './declaredType.ts';
import { COUNTED, PATHS, PHRASES } from './evidenceFeatures.ts';
import type { PageSignals } from './pageSignals.ts';

const LABELS = new Set('h1 h2 h3 h4 button a time label summary th dt'.split(' '));
/** Number of labels that are read, and of characters of each. */
const MAX_LABELS = 600;
const MAX_LABEL_CHARACTERS = 80;
/** Number of characters of a path that are read: a page can give itself an address of megabytes. */
const MAX_PATH_CHARACTERS = 1_000;

const log = (value: number): number => Math.log2(1 + value);

/** Returns the evidence of a live page, in the order of `PAGE_EVIDENCE`; reads nothing but its tree. */
export function pageEvidence(page: Document, signals: Pick<PageSignals, 'types' | 'path'>): number[] {
  const path = signals.path.slice(0, MAX_PATH_CHARACTERS);
  const counts = Object.entries(COUNTED).map(([name, selector]) => countOf(page, name, selector));
  const labels = labelsOf(page);
  return [
    ...Object.values(DECLARATIONS).map(pattern => (signals.types.some(type => pattern.test(type)) ? 1 : 0)),
    ...Object.values(PATHS).map(pattern => (pattern.test(path) ? 1 : 0)),
    path.split('/').filter(part => part !== '').length,
    ...counts.map(log),
    ...Object.values(PHRASES).map(pattern => log(labels.match(pattern)?.length ?? 0)),
    counts[0] === 1 ? 1 : 0,
  ];
}

/** Matches a list of tags without anything else. */
const TAGS_ONLY = /^[a-z\d,]+$/;

function countOf(page: Document, name: string, selector: string): number {
  if (name === 'linkedHeadings') return countLinkedHeadings(page);
  if (!TAGS_ONLY.test(selector)) return queryAllDocument(page, selector).length;
  return selector.split(',').reduce((sum, tag) => sum + elementsByTag(page, tag).length, 0);
}

/** Counts the headings in links and the links in headings. A search for links in headings would climb from each link. */
function countLinkedHeadings(page: Document): number {
  const found = new Set<Element>();
  for (const tag of ['h2', 'h3', 'h4'])
    for (const heading of Array.from(elementsByTag(page, tag))) {
      if (closest(heading, 'a') !== null) found.add(heading);
      for (const link of queryAllIn(heading, 'a')) found.add(link);
    }
  return found.size;
}

/** Returns the beginnings of headings, links and labels, one in each line. */
function labelsOf(page: Document): string {
  const all = elementsByTag(page, '*');
  let text = '';
  for (let at = 0, left = MAX_LABELS; left > 0; at++) {
    const element = all[at];
    if (element === undefined) break;
    if (!LABELS.has(localName(element))) continue;
    text += `${(textContent(element) ?? '').slice(0, MAX_LABEL_CHARACTERS)}\n`;
    left--;
  }
  return text;
}
