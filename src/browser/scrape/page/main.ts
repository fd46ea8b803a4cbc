/** Entry of the in-page scraper: installs `globalThis.__pagespaceScrape`. */
import type { ScrapeRequest } from '../../../domain/page.ts';
import type { FrameMarkup, PageAnswer, PageScraper } from '../answer.ts';
import { contentOf, needsBody } from './content.ts';
import { extract } from './extract.ts';
import { type Flat, flatten } from './flatten.ts';
import { indexInParent } from './frames.ts';
import { ImageCollector } from './images.ts';
import { parseInto } from './parse.ts';
import { adoptRoots, askAnew, askedHosts, closedHost } from './shadow.ts';

interface Pending {
  readonly flat: Flat | null;
  readonly images: ImageCollector | null;
  readonly request: ScrapeRequest;
}

/** What `begin` read and `finish` waits for. */
let pending: Pending | null = null;

function begin(request: ScrapeRequest): string {
  askAnew();
  return read(request);
}

function read(request: ScrapeRequest): string {
  const images = request.images ? new ImageCollector() : null;
  const flat =
    needsBody(request) || images !== null
      ? flatten(document, { whole: !request.onlyMainContent, onSeen: images?.see ?? null })
      : null;
  pending = { flat, images, request };
  const count = askedHosts();
  return count === 0 ? framesOrContent() : answer({ kind: 'hosts', count });
}

function proceed(adopted: boolean): string {
  return adopted && pending !== null ? read(pending.request) : framesOrContent();
}

function framesOrContent(): string {
  const frames = pending?.flat?.frames ?? [];
  if (frames.length === 0) return finish([]);
  return answer({ kind: 'frames', frames: frames.map(({ index, src }, key) => ({ key, index, src })) });
}

function finish(markups: readonly FrameMarkup[]): string {
  if (pending === null) throw new Error('finish was called without begin');
  const { flat, images, request } = pending;
  pending = null;
  let cut = flat?.cut ?? false;
  for (const { key, html, images: framed, cut: inner } of markups) {
    cut ||= inner;
    const frame = flat?.frames[key];
    if (frame === undefined) continue;
    parseInto(frame.place, html);
    images?.adopt(frame.frame, framed);
  }
  const copy = needsBody(request) ? (flat?.document ?? null) : null;
  return answer({ kind: 'content', content: contentOf(document, copy, images, request, cut) });
}

const answer = (value: PageAnswer): string => JSON.stringify(value);

const scraper: PageScraper = {
  begin,
  closedHost,
  adopt: (...roots) => adoptRoots(roots),
  proceed,
  finish,
  indexInParent,
  extract: (plan, again) => {
    if (!again) askAnew();
    return JSON.stringify(extract(document, plan));
  },
};
Object.defineProperty(globalThis, '__pagespaceScrape', { value: scraper, configurable: true });
