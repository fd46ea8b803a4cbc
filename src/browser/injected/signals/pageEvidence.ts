/** Reads from a live page the evidence from which its type is judged. */
import { queryAllDocument, textContent } from '../dom/domGetters.ts';
import { DECLARATIONS } from './declaredType.ts';
import { COUNTED, PATHS, PHRASES } from './evidenceFeatures.ts';
import type { PageSignals } from './pageSignals.ts';

const LABELS = 'h1,h2,h3,h4,button,a,time,label,summary,th,dt';
/** Number of labels that are read, and of characters of each. */
const MAX_LABELS = 600;
const MAX_LABEL_CHARACTERS = 80;
/** Number of characters of a path that are read: a page can give itself an address of megabytes. */
const MAX_PATH_CHARACTERS = 1_000;

const log = (value: number): number => Math.log2(1 + value);

/** Returns the evidence of a live page, in the order of `PAGE_EVIDENCE`; reads nothing but its tree. */
export function pageEvidence(page: Document, signals: Pick<PageSignals, 'types' | 'path'>): number[] {
  const path = signals.path.slice(0, MAX_PATH_CHARACTERS);
  const counts = Object.values(COUNTED).map(selector => queryAllDocument(page, selector).length);
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

/** Returns the beginnings of headings, links and labels, one in each line. */
function labelsOf(page: Document): string {
  const found = queryAllDocument(page, LABELS);
  const count = Math.min(MAX_LABELS, found.length);
  let text = '';
  for (let at = 0; at < count; at++)
    text += `${(textContent(found[at] as Element) ?? '').slice(0, MAX_LABEL_CHARACTERS)}\n`;
  return text;
}
