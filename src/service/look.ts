/** One look at a page: the parts that are asked for, the list as it is asked for, and what has changed. */
import { filtered, NO_FILTER } from '../domain/actionFilter.ts';
import { contentPart } from '../domain/contentPart.ts';
import { listed } from '../domain/listingRequest.ts';
import type { PageMetadata, ScrapedData, ScrapeRequest, ScreenshotOptions } from '../domain/page.ts';
import type { BrowserLease, Deadline } from '../domain/ports.ts';
import type { ListingLimits } from '../domain/space.ts';
import { type SeenActions, type SpaceDiff, spaceDiff } from '../domain/spaceDiff.ts';
import type { LiveSession } from './liveSession.ts';
import type { ListingWish, ObservationAnswer } from './verbs.ts';

/** What one look at a page yields beside the session. */
export type Seen = Omit<ObservationAnswer, 'session'>;

export interface LookWish {
  readonly limits: ListingWish;
  readonly screenshot: boolean;
  readonly screenshotOptions?: ScreenshotOptions | undefined;
  readonly data: ScrapeRequest | null;
  /** The earlier observation that the difference is asked from. */
  readonly since: SeenActions | null;
}

/** The lease tells all; what is left out is decided here, so that differences are between whole pages. */
const EVERYTHING: ListingLimits = { max: Number.MAX_SAFE_INTEGER, min: null };

export async function look(
  live: LiveSession,
  lease: BrowserLease,
  want: LookWish,
  deadline: Deadline,
): Promise<Seen> {
  // Asked for at once: the page works them off one after another, without waiting for us in between.
  const parts = [
    lease.observe(EVERYTHING, deadline),
    want.data === null ? null : lease.scrape(want.data, deadline),
    want.screenshot ? lease.screenshot(deadline, want.screenshotOptions) : null,
  ] as const;
  // All of them are over before the session's next operation begins, even where one fails.
  await Promise.allSettled(parts);
  const [{ metadata, space: whole }, content, screenshot] = await Promise.all(parts);
  const { filter = NO_FILTER, maxTokens = null, ...limits } = want.limits;
  const { url } = metadata;
  const diff = want.since === null ? null : spaceDiff(want.since, { url, actions: whole.actions });
  return {
    observationId: live.sightings.keep(url, whole.actions),
    metadata: metadataOf(metadata, content),
    // What can be done is on the page that still stands behind a file.
    space: content?.file === undefined ? listed(whole, { ...limits, filter, maxTokens }) : null,
    diff: diff === null ? null : cut(diff, limits.max, filter),
    data: partOf(content, want.data),
    screenshot,
  };
}

/** Where the address was a file, it is what was read. */
const metadataOf = (metadata: PageMetadata, content: ScrapedData | null): PageMetadata =>
  content?.file === undefined ? metadata : { ...metadata, url: content.file.url, title: content.file.name };

function partOf(content: ScrapedData | null, want: ScrapeRequest | null): ScrapedData | null {
  if (content === null || want?.part === undefined) return content;
  return contentPart(content, want.part);
}

/** A difference is filtered and bounded as the list is. */
function cut(diff: SpaceDiff, max: number, filter: typeof NO_FILTER): SpaceDiff {
  const part = (name: keyof SpaceDiff) => filtered(diff[name], filter).slice(0, max);
  return { added: part('added'), removed: part('removed'), changed: part('changed') };
}
