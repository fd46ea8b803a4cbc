/** Entry of the in-page scraper: installs `globalThis.__pagespaceScrape`. */
import type { ScrapeRequest } from '../../../domain/scrapeRequest.ts';
import { buildContent, needsBody } from './buildContent.ts';
import { extractValues } from './extractValues.ts';
import { type FlatPage, flatten } from './flatten.ts';
import { ImageCollector } from './imageCollector.ts';
import { indexInParent } from './openFrame.ts';
import { parseHtmlInto } from './parseHtml.ts';
import type { FrameContent, PageScraper, ScraperResponse } from './scraperProtocol.ts';
import { addClosedRoots, closedHost, resetRequestedHosts, takeRequestedHosts } from './shadowRoots.ts';

interface Pending {
  readonly flatPage: FlatPage | null;
  readonly images: ImageCollector | null;
  readonly request: ScrapeRequest;
}

/** What `begin` read and `finish` waits for. */
let pending: Pending | null = null;

function begin(request: ScrapeRequest): string {
  resetRequestedHosts();
  return read(request);
}

function read(request: ScrapeRequest): string {
  const images = request.images ? new ImageCollector() : null;
  const flat =
    needsBody(request) || images !== null
      ? flatten(document, { fullPage: !request.onlyMainContent, onVisible: images?.onVisible ?? null })
      : null;
  pending = { flatPage: flat, images, request };
  const count = takeRequestedHosts();
  return count === 0 ? framesOrContent() : answer({ kind: 'hosts', count });
}

function proceed(adopted: boolean): string {
  return adopted && pending !== null ? read(pending.request) : framesOrContent();
}

function framesOrContent(): string {
  const frames = pending?.flatPage?.frames ?? [];
  if (frames.length === 0) return finish([]);
  return answer({ kind: 'frames', frames: frames.map(({ index, src }, key) => ({ key, index, src })) });
}

function finish(markups: readonly FrameContent[]): string {
  if (pending === null) throw new Error('finish was called without begin');
  const { flatPage, images, request } = pending;
  pending = null;
  let cut = flatPage?.truncated ?? false;
  for (const { key, html, images: framed, truncated: inner } of markups) {
    cut ||= inner;
    const frame = flatPage?.frames[key];
    if (frame === undefined) continue;
    parseHtmlInto(frame.placeholder, html);
    images?.addFrameImages(frame.frame, framed);
  }
  const copy = needsBody(request) ? (flatPage?.document ?? null) : null;
  return answer({ kind: 'content', content: buildContent(document, copy, images, request, cut) });
}

const answer = (value: ScraperResponse): string => JSON.stringify(value);

const scraper: PageScraper = {
  begin,
  closedHost,
  adopt: (...roots) => addClosedRoots(roots),
  proceed,
  finish,
  indexInParent,
  extract: (plan, again) => {
    if (!again) resetRequestedHosts();
    return JSON.stringify(extractValues(document, plan));
  },
};
Object.defineProperty(globalThis, '__pagespaceScrape', { value: scraper, configurable: true });
