/** Entry of the in-page scraper: installs `globalThis.__pagespaceScrape`. */
import type { ScrapeRequest } from '../../../domain/page.ts';
import type { FrameMarkup, PageAnswer, PageScraper } from '../answer.ts';
import { contentOf, needsBody } from './content.ts';
import { extract } from './extract.ts';
import { type Flat, flatten } from './flatten.ts';
import { indexInParent } from './frames.ts';
import { ImageCollector } from './images.ts';
import { parseInto } from './parse.ts';

interface Pending {
  readonly flat: Flat | null;
  readonly images: ImageCollector | null;
  readonly request: ScrapeRequest;
}

/** What `begin` read and `finish` waits for. */
let pending: Pending | null = null;

function begin(request: ScrapeRequest): string {
  const images = request.images ? new ImageCollector() : null;
  const flat =
    needsBody(request) || images !== null
      ? flatten(document, { whole: !request.onlyMainContent, onSeen: images?.see ?? null })
      : null;
  pending = { flat: needsBody(request) ? flat : null, images, request };
  const frames = pending.flat?.frames ?? [];
  if (frames.length === 0) return finish([]);
  return answer({ kind: 'frames', frames: frames.map(({ index, src }, key) => ({ key, index, src })) });
}

function finish(markups: readonly FrameMarkup[]): string {
  if (pending === null) throw new Error('finish was called without begin');
  const { flat, images, request } = pending;
  pending = null;
  for (const { key, html } of markups) {
    const place = flat?.frames[key]?.place;
    if (place !== undefined) parseInto(place, html);
  }
  return answer({ kind: 'content', content: contentOf(document, flat?.document ?? null, images, request) });
}

const answer = (value: PageAnswer): string => JSON.stringify(value);

const scraper: PageScraper = {
  begin,
  finish,
  indexInParent,
  extract: plan => JSON.stringify(extract(document, plan)),
};
Object.defineProperty(globalThis, '__pagespaceScrape', { value: scraper, configurable: true });
