/** The operations on sessions: their commands and results. `createSessionOperations.ts` implements them. */
import type { Viewer } from '../../domain/account.ts';
import type { ActionFilter } from '../../domain/actionFilter.ts';
import type { PageMetadata } from '../../domain/page.ts';
import type { ScrapedData } from '../../domain/scrapedData.ts';
import type { ScrapeRequest } from '../../domain/scrapeRequest.ts';
import type { ScreenshotOptions } from '../../domain/screenshotOptions.ts';
import type { Session } from '../../domain/session.ts';
import type { ListingLimits, Space } from '../../domain/space.ts';
import type { SpaceDiff } from '../../domain/spaceDiff.ts';
import type { UpstreamProxy } from '../../domain/upstreamProxy.ts';

/** Options of every operation. */
export interface OperationOptions {
  /** False ends the session after the operation; null for the default: see `endsAfterOperation`. */
  readonly keepAlive: boolean | null;
  /** Sets the idle timeout of the session, in minutes; null to keep it. */
  readonly timeoutMinutes: number | null;
  /** True to return a screenshot. */
  readonly screenshot: boolean;
  /** Default: a PNG of the viewport. */
  readonly screenshotOptions?: ScreenshotOptions;
  /** A repeated operation with the same key and input returns the stored result. */
  readonly idempotencyKey?: string | null;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
}

/** Starts a session. */
export interface StartCommand extends OperationOptions {
  /** Maximum cost of the session, in micro-units; null or absent for no maximum. */
  readonly spendCapMicros?: number | null;
  /** The caller's own proxy for the pages of the session. */
  readonly proxy?: UpstreamProxy | null;
}

/** Selects the actions to list. The filter is applied first, then the limits, then the token limit. */
export interface ListingOptions extends ListingLimits {
  readonly filter?: ActionFilter;
  readonly maxTokens?: number | null;
}

/** Loads or reads a page, in an existing or a new session. */
export interface ObserveCommand extends OperationOptions {
  /** Null to create a session. */
  readonly sessionId: string | null;
  /** Null to read the current page of the session. */
  readonly url: string | null;
  readonly limits: ListingOptions;
  /** Id of an earlier observation: the result then contains the changes since that. */
  readonly diffSince?: string | null;
  /** Parts of the content to return; null for none. */
  readonly data: ScrapeRequest | null;
  /** True if the caller needs the list of actions. */
  readonly space: boolean;
}

/** The fields of `observe`. The event log then contains a `scraped` event instead of an `observed` event. */
export interface ScrapeCommand extends ObserveCommand {}

/** Performs an action, then observes the page. */
export interface StepCommand extends OperationOptions {
  readonly sessionId: string;
  readonly actionId: string;
  readonly value: string | null;
  /** True to press Enter after typing. */
  readonly enter: boolean;
  readonly params: Readonly<Record<string, string>>;
  readonly limits: ListingOptions;
  /** Id of an earlier observation: the result then contains the changes since that. */
  readonly diffSince?: string | null;
  /** Parts of the content that S2 (scrape) returns; null for none. */
  readonly data: ScrapeRequest | null;
}

/** Ends a session, with an optional last screenshot. */
export interface CloseCommand {
  readonly sessionId: string;
  readonly screenshot: boolean;
  readonly screenshotOptions?: ScreenshotOptions;
  /** See `OperationOptions`. */
  readonly idempotencyKey?: string | null;
  readonly signal: AbortSignal;
}

/** Result of start and close. */
export interface SessionResult {
  readonly session: Session;
  /** Base64; null if not requested. */
  readonly screenshot: string | null;
}

/** Result of observe, step and scrape. */
export interface ObservationResult {
  readonly session: Session;
  /** `O1`, `O2`, …: identifies this observation in its session, as long as it is one of the last few. */
  readonly observationId: string;
  readonly metadata: PageMetadata;
  readonly space: Space | null;
  /** Changes since the observation `diffSince`; null without one. */
  readonly diff: SpaceDiff | null;
  readonly data: ScrapedData | null;
  readonly screenshot: string | null;
}

/** Each operation throws a Failure for every error that the caller can act on. */
export interface SessionOperations {
  start(viewer: Viewer, command: StartCommand): Promise<SessionResult>;
  /** @throws Failure VALIDATION_ERROR if neither the command nor the session has a page to read */
  observe(viewer: Viewer, command: ObserveCommand): Promise<ObservationResult>;
  step(viewer: Viewer, command: StepCommand): Promise<ObservationResult>;
  /** @throws Failure VALIDATION_ERROR if neither the command nor the session has a page to read */
  scrape(viewer: Viewer, command: ScrapeCommand): Promise<ObservationResult>;
  /** Closes a session. For an ended session, returns its final state. */
  close(viewer: Viewer, command: CloseCommand): Promise<SessionResult>;
}
