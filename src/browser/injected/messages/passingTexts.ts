/** Notices announcements that come and go during a step: a toast that is gone before the step is answered. */
import { isConnected, isElement, parentElement } from '../dom/domGetters.ts';
import { isIndicator } from '../tab/busyIndicators.ts';
import { onStepAddition } from '../tab/documentSettle.ts';
import { isAnnouncement, type LiveText, liveText } from './liveTexts.ts';

/** Time from the change to the reading: until then toasts fade in. A text that goes sooner is not read. Milliseconds. */
const READING_DELAY_MS = 100;
/** Maximum number of announcements that are read between two observations. */
const MAX_WATCHED = 20;
/** Number of elements around a changed node that are searched for an announcement. */
const MAX_ANCESTORS = 3;

let watched = new Set<Element>();
let read: LiveText[] = [];

/** Starts to notice announcements. Call it once for each document. */
export const watchPassingTexts = (): void => onStepAddition(watch);

function watch(added: Node, parent: Node): void {
  if (watched.size >= MAX_WATCHED) return;
  let at: Element | null = isElement(added) ? added : isElement(parent) ? parent : null;
  for (let climbed = 0; at !== null && climbed <= MAX_ANCESTORS; climbed++, at = parentElement(at)) {
    const element = at;
    if (!isAnnouncement(element)) continue;
    if (watched.has(element)) return;
    watched.add(element);
    setTimeout(() => {
      const text = watched.has(element) && isConnected(element) ? liveText(element) : null;
      if (text !== null && !isIndicator(element)) read.push(text);
    }, READING_DELAY_MS);
    return;
  }
}

/** Returns the announcements that people saw since the last call and that are gone, and forgets them. */
export function takePassingTexts(): readonly LiveText[] {
  const gone = read.filter(({ element, text }) => !isConnected(element) || liveText(element)?.text !== text);
  [watched, read] = [new Set(), []];
  return gone;
}
