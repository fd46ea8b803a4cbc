import {
  contentChunk,
  type ScrapedData,
  type ScrapeRequest,
  type ScreenshotOptions,
} from '../../domain/content/scrape.ts';
import { isFailure } from '../../domain/failure/failures.ts';
import type { BrowserLease } from '../../domain/ports/browserHost.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import type { Action } from '../../domain/space/action.ts';
import {
  type ActionFilter,
  applyListing,
  filterActions,
  NO_FILTER,
} from '../../domain/space/actionFilter.ts';
import { keptActions, type ListingLimits, type PageMetadata, type Space } from '../../domain/space/space.ts';
import { type ObservedActions, type SpaceDiff, spaceDiff } from '../../domain/space/spaceDiff.ts';
import type { LiveSession } from './liveSession.ts';
import { operationDeadline } from './operationDeadline.ts';
import type { ListingOptions, ObservationResult } from './sessionOperations.ts';
import { RECORD_PICTURE } from './sessionRecorder.ts';

export type ObservedPage = Omit<ObservationResult, 'session'>;

export interface ObservePageOptions {
  /** False to read only the metadata of the page and the other parts, without listing its actions. */
  readonly space: boolean;
  readonly limits: ListingOptions;
  readonly screenshot: boolean;
  readonly screenshotOptions?: ScreenshotOptions | undefined;
  readonly data: ScrapeRequest | null;
  /** True if the operation is there for the content: then an open dialog is dismissed. Otherwise it stays open, and there is no content. */
  readonly dismissesDialog: boolean;
  /** Sentences about the step before, which come before the messages of the page. */
  readonly notes?: readonly string[];
  /** The earlier observation to compare with; null for none. */
  readonly since: ObservedActions | null;
}

/** All actions, so that differences compare whole pages. The caller's limits are applied afterwards. */
const NO_LISTING_LIMITS: ListingLimits = { max: Number.MAX_SAFE_INTEGER, min: null };

/**
 * Reads the page of the active tab: the listed actions, the difference to `options.since`, content and screenshot. Stores
 * the observation in `live.observations`. Without `options.space` there is no observation to store.
 * @throws Failure as `BrowserLease.observe`, `scrape` and `screenshot`
 */
export async function observePage(
  live: LiveSession,
  lease: BrowserLease,
  options: ObservePageOptions,
  deadline: Deadline,
): Promise<ObservedPage> {
  // Send all requests at once: the page processes them one after another, without waiting for a response in between.
  const pending = [
    options.space
      ? lease.observe({ ...NO_LISTING_LIMITS, text: options.limits.text === true }, deadline)
      : lease.metadata(deadline).then(metadata => ({ metadata, space: null })),
    readContent(lease, options, deadline),
    options.screenshot ? lease.screenshot(deadline, options.screenshotOptions) : null,
    recordPicture(live, lease, deadline),
  ] as const;
  // Wait for all of them, even if one fails: the next operation must not overlap them.
  await Promise.allSettled(pending);
  const [{ metadata, space: whole }, content, image, picture] = await Promise.all(pending);
  if (picture !== null) live.recorder.addPicture(picture);
  return {
    ...(whole === null ? NOT_OBSERVED : listActions(live, options, metadata, whole, content)),
    metadata: metadataOf(metadata, content),
    data: requestedPart(content, options.data),
    screenshot: image?.image ?? null,
    screenshotIsCut: image?.isCut ?? null,
  };
}

/** Time for which the page of a failed operation is read, in milliseconds: the caller waits for its failure that long. */
const FAILED_PAGE_TIMEOUT_MS = 3_000;

/** Reads the page of an operation that failed with `error`, for its event only; null if it cannot be read now. */
export async function observeFailedPage(
  live: LiveSession,
  lease: BrowserLease,
  error: unknown,
  deadline: Deadline,
): Promise<ObservedPage | null> {
  if (deadline.signal.aborted) return null;
  using part = operationDeadline(Math.min(FAILED_PAGE_TIMEOUT_MS, deadline.remainingMs()), deadline.signal);
  try {
    const page = await lease.peek(part);
    if (page === null) return null;
    const { metadata } = page;
    const told = isFailure(error) ? error.context.space : undefined;
    const actions = actionsBehindDialog(live, metadata.url, page.space);
    const space = { ...page.space, actions, messages: told?.messages ?? page.space.messages };
    const observationId = live.observations.addUntold();
    recordObservation(live, observationId, metadata, space);
    const picture = await recordPicture(live, lease, part);
    if (picture !== null) live.recorder.addPicture(picture);
    return {
      metadata,
      space,
      observationId,
      diff: null,
      data: null,
      screenshot: null,
      screenshotIsCut: null,
    };
  } catch (cause) {
    // A page that does not answer is the reason of many failures.
    if (!isFailure(cause)) live.recorder.reportFailure('observation', cause);
    return null;
  }
}

const recordObservation = (
  live: LiveSession,
  id: string,
  { url, title, timestamp, httpStatus }: PageMetadata,
  space: Space,
): void =>
  live.recorder.addObservation(id, {
    sessionId: live.id,
    observedAt: timestamp,
    url,
    title,
    httpStatus,
    space,
  });

/** Takes the picture of an operation for the record; null without one. A picture that fails costs the record an entry, never the operation. */
const recordPicture = async (
  live: LiveSession,
  lease: BrowserLease,
  deadline: Deadline,
): Promise<string | null> =>
  live.session.record === undefined
    ? null
    : lease.screenshot(deadline, RECORD_PICTURE).then(
        picture => picture?.image ?? null,
        error => {
          live.recorder.reportFailure('picture', error);
          return null;
        },
      );

async function readContent(
  lease: BrowserLease,
  { data, dismissesDialog }: ObservePageOptions,
  deadline: Deadline,
): Promise<ScrapedData | null> {
  if (data === null) return null;
  return dismissesDialog ? lease.scrape(data, deadline) : lease.scrapeWithoutDialog(data, deadline);
}

const NOT_OBSERVED = { observationId: null, space: null, diff: null } as const;

function listActions(
  live: LiveSession,
  { limits: listing, notes: noteTexts = [], since }: ObservePageOptions,
  metadata: PageMetadata,
  whole: Space,
  content: ScrapedData | null,
): Pick<ObservedPage, 'observationId' | 'space' | 'diff'> {
  const { url, title, tabs } = metadata;
  const { filter = NO_FILTER, maxTokens = null, ...limits } = listing;
  const { messages, dialog, pending, downloads, console, unlistedChanges } = whole;
  const actions = actionsBehindDialog(live, url, whole);
  const notes = noteTexts.map(text => ({
    kind: 'note' as const,
    text,
    action: null,
    isNew: true,
  }));
  const allMessages = [...notes, ...messages];
  const page = { url, title, tab: tabs.find(({ active }) => active)?.id ?? null };
  const observationId = live.observations.add({ ...page, actions, messages });
  recordObservation(live, observationId, metadata, { ...whole, actions, messages: allMessages });
  const observed = { ...page, actions, messages: allMessages, unlistedChanges };
  const changes = since === null ? null : spaceDiff(since, observed);
  // The earlier observation may contain what has become a secret since.
  const diff =
    changes === null
      ? null
      : live.lease.secrets.maskAll({
          ...changes,
          state: { dialog, pending, downloads, ...(console !== undefined && { console }) },
        });
  return {
    observationId,
    // After a download the tab still shows the previous page.
    space:
      content?.file === undefined
        ? applyListing({ ...whole, messages: allMessages }, { ...limits, filter, maxTokens })
        : null,
    diff: diff === null ? null : limitDiff(diff, limits.max, filter),
  };
}

/** A page with an open dialog cannot be read: it has the actions of the last observation, so that none is told as gone or new. */
function actionsBehindDialog(live: LiveSession, url: string, { dialog, actions }: Space): readonly Action[] {
  const { last } = live.observations;
  return dialog !== null && actions.length === 0 && last?.url === url ? last.actions : actions;
}

const metadataOf = (metadata: PageMetadata, content: ScrapedData | null): PageMetadata =>
  content?.file === undefined ? metadata : { ...metadata, url: content.file.url, title: content.file.name };

function requestedPart(content: ScrapedData | null, request: ScrapeRequest | null): ScrapedData | null {
  if (content === null || request?.chunk === undefined) return content;
  return contentChunk(content, request.chunk);
}

function limitDiff(diff: SpaceDiff, max: number, filter: ActionFilter): SpaceDiff {
  const part = (name: 'added' | 'removed' | 'changed') => keptActions(filterActions(diff[name], filter), max);
  return { ...diff, added: part('added'), removed: part('removed'), changed: part('changed') };
}
