/** One look at a page: the parts that are asked for, the list as it is asked for, and what has changed. */
import { filterActions, NO_FILTER } from '../../domain/actionFilter.ts';
import { contentChunk } from '../../domain/contentChunk.ts';
import { applyListing } from '../../domain/listingRequest.ts';
import type { PageMetadata } from '../../domain/page.ts';
import type { BrowserLease } from '../../domain/ports/browserHost.ts';
import type { Deadline } from '../../domain/ports/deadline.ts';
import type { ScrapedData } from '../../domain/scrapedData.ts';
import type { ScrapeRequest } from '../../domain/scrapeRequest.ts';
import type { ScreenshotOptions } from '../../domain/screenshotOptions.ts';
import type { ListingLimits } from '../../domain/space.ts';
import { type ObservedActions, type SpaceDiff, spaceDiff } from '../../domain/spaceDiff.ts';
import type { ListingOptions, ObservationResult } from '../pagespace.ts';
import type { LiveSession } from './liveSession.ts';

/** What one look at a page yields beside the session. */
export type ObservedPage = Omit<ObservationResult, 'session'>;

export interface ObservePageOptions {
  readonly limits: ListingOptions;
  readonly screenshot: boolean;
  readonly screenshotOptions?: ScreenshotOptions | undefined;
  readonly data: ScrapeRequest | null;
  /** The earlier observation that the difference is asked from. */
  readonly since: ObservedActions | null;
}

/** The lease tells all; what is left out is decided here, so that differences are between whole pages. */
const NO_LISTING_LIMITS: ListingLimits = { max: Number.MAX_SAFE_INTEGER, min: null };

export async function observePage(
  live: LiveSession,
  lease: BrowserLease,
  options: ObservePageOptions,
  deadline: Deadline,
): Promise<ObservedPage> {
  // Asked for at once: the page works them off one after another, without waiting for us in between.
  const pending = [
    lease.observe(NO_LISTING_LIMITS, deadline),
    options.data === null ? null : lease.scrape(options.data, deadline),
    options.screenshot ? lease.screenshot(deadline, options.screenshotOptions) : null,
  ] as const;
  // All of them are over before the session's next operation begins, even where one fails.
  await Promise.allSettled(pending);
  const [{ metadata, space: whole }, content, screenshot] = await Promise.all(pending);
  const { filter = NO_FILTER, maxTokens = null, ...limits } = options.limits;
  const { url } = metadata;
  const diff = options.since === null ? null : spaceDiff(options.since, { url, actions: whole.actions });
  return {
    observationId: live.observations.add(url, whole.actions),
    metadata: metadataOf(metadata, content),
    // What can be done is on the page that still stands behind a file.
    space: content?.file === undefined ? applyListing(whole, { ...limits, filter, maxTokens }) : null,
    diff: diff === null ? null : limitDiff(diff, limits.max, filter),
    data: requestedPart(content, options.data),
    screenshot,
  };
}

/** Where the address was a file, it is what was read. */
const metadataOf = (metadata: PageMetadata, content: ScrapedData | null): PageMetadata =>
  content?.file === undefined ? metadata : { ...metadata, url: content.file.url, title: content.file.name };

function requestedPart(content: ScrapedData | null, request: ScrapeRequest | null): ScrapedData | null {
  if (content === null || request?.chunk === undefined) return content;
  return contentChunk(content, request.chunk);
}

/** A difference is filtered and bounded as the list is. */
function limitDiff(diff: SpaceDiff, max: number, filter: typeof NO_FILTER): SpaceDiff {
  const part = (name: keyof SpaceDiff) => filterActions(diff[name], filter).slice(0, max);
  return { added: part('added'), removed: part('removed'), changed: part('changed') };
}
