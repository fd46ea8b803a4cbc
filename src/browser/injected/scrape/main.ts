/** Entry point of the bundle `scrape`: installs `globalThis.__pagespaceScrape` in each frame. */

import type { ContentSelection } from '../../../domain/content/scrape.ts';
import { scrollingElement } from '../dom/domGetters.ts';
import { documentState } from '../dom/lifetimes.ts';
import { buildContent, frameRequest, needsBody } from './buildContent.ts';
import { parseHtmlInto } from './clean/sanitizeHtml.ts';
import { extractValues, isValidSelector } from './extractValues.ts';
import { ImageCollector, imageSize } from './imageCollector.ts';
import { missingContent } from './missingContent.ts';
import type { FrameContent, PageScraper, ScraperResponse } from './pageScraper.ts';
import { refuseConsent } from './refuseConsent.ts';
import { collectedRows, openEnd, scrollList } from './scrollList.ts';
import { type FlatPage, flatten } from './snapshot/flatten.ts';
import { indexInParent } from './snapshot/openFrame.ts';
import {
  addClosedRoots,
  closedHost,
  resetRequestedHosts,
  takeRequestedHosts,
} from './snapshot/shadowRoots.ts';
import { addWaitingContent } from './waitingContent.ts';

/** The state of a scrape between `start` and `finish`. */
interface Pending {
  readonly flatPage: FlatPage | null;
  readonly images: ImageCollector | null;
  readonly request: ContentSelection;
}

/** The scrape that `start` began; null after `finish`. */
const state = documentState.value(() => ({ pending: null as Pending | null }));

function start(request: ContentSelection): string {
  resetRequestedHosts();
  return read(request);
}

function read(request: ContentSelection): string {
  const images = request.images ? new ImageCollector() : null;
  const flatPage =
    needsBody(request) || images !== null
      ? flatten(document, {
          fullPage: !request.onlyMainContent,
          onVisible: images?.onVisible ?? null,
          include: selectorOf(request.include),
          exclude: selectorOf(request.exclude),
          collectedRows: collectedRows(),
        })
      : null;
  const pending = { flatPage, images, request };
  state().pending = pending;
  const hostCount = takeRequestedHosts();
  return hostCount === 0 ? framesOrContent(pending) : toJson({ kind: 'closedRoots', hostCount });
}

const selectorOf = (selectors: readonly string[] = []): string | null =>
  selectors.length === 0 ? null : selectors.join();

function resume(foundRoots: boolean): string {
  const { pending } = state();
  if (pending === null) throw new Error('resume was called without start');
  return foundRoots ? read(pending.request) : framesOrContent(pending);
}

function framesOrContent({ flatPage, request }: Pending): string {
  const frames = flatPage?.frames ?? [];
  if (frames.length === 0) return finish([]);
  return toJson({
    kind: 'frames',
    frames: frames.map(({ index, src }, key) => ({ key, index, src })),
    frameRequest: frameRequest(request),
  });
}

function finish(contents: readonly FrameContent[]): string {
  const { pending } = state();
  if (pending === null) throw new Error('finish was called without start');
  const { flatPage, images, request } = pending;
  state().pending = null;
  let isTruncated = flatPage?.isTruncated ?? false;
  for (const content of contents) {
    isTruncated ||= content.isTruncated;
    const frame = flatPage?.frames[content.key];
    if (frame === undefined) continue;
    parseHtmlInto(frame.placeholder, content.html);
    images?.addFrameImages(frame.frame, content.images);
  }
  const copy = needsBody(request) ? (flatPage?.document ?? null) : null;
  if (copy !== null && flatPage !== null && request.onlyMainContent && (request.include ?? []).length === 0)
    addWaitingContent(document, copy, flatPage);
  const content = buildContent(document, copy, images, request, isTruncated);
  const missing = needsBody(request) ? missingContent(document) : [];
  if (flatPage?.hasIncluded === false) missing.push('include');
  const hasOpenEnd = needsBody(request) && missing.length === 0 && openBox() !== null;
  return toJson({ kind: 'content', content: { ...content, missing, hasOpenEnd } });
}

/** Returns the part of the page that scrolls and ends with a list. The page itself is none: see `listensForScrolling`. */
function openBox(): Element | null {
  const box = openEnd()?.box ?? null;
  return box === scrollingElement(document) ? null : box;
}

const toJson = (response: ScraperResponse): string => JSON.stringify(response);

const scraper: PageScraper = {
  start,
  closedHost,
  addClosedRoots: (...roots) => addClosedRoots(roots),
  resume,
  finish,
  extractValues: (plan, again) => {
    if (!again) resetRequestedHosts();
    return JSON.stringify(extractValues(document, plan));
  },
  indexInParent,
  imageSize,
  invalidSelectors: selectors => selectors.filter(selector => !isValidSelector(selector)),
  scrollList,
  openBox,
  refuseConsent: () => refuseConsent(document),
};
Object.defineProperty(globalThis, '__pagespaceScrape', { value: scraper, configurable: true });
