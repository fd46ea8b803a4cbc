/** The port to the browsers. A host opens leases; a lease is the browser context of one session. */
import type { PageObservation, TabInfo } from '../page.ts';
import type { ScrapedData } from '../scrapedData.ts';
import type { ScrapeRequest } from '../scrapeRequest.ts';
import type { ScreencastFrame, ScreencastOptions } from '../screencastFrame.ts';
import type { ScreenshotOptions } from '../screenshotOptions.ts';
import type { SessionEvent } from '../sessionEvent.ts';
import type { ListingLimits } from '../space.ts';
import type { UpstreamProxy } from '../upstreamProxy.ts';
import type { Deadline } from './deadline.ts';

/** A step as the caller requests it. */
export interface StepRequest {
  /** The id of the action, in upper case. */
  readonly actionId: string;
  readonly value: string | null;
  /** True to press Enter after typing. */
  readonly enter: boolean;
  /** Parameters by name. If the first parameter is absent, `value` sets it. */
  readonly params: Readonly<Record<string, string>>;
}

/** The result of a step: what was done, and what the service must do next. */
export interface StepOutcome {
  /** Description of the action; null if unknown. */
  readonly description: string | null;
  /** True for S2: the service must return the content of the page. */
  readonly scrape: boolean;
  /** True for S3: the service must return a screenshot. */
  readonly screenshot: boolean;
  /** True for S8: the service must end the session. */
  readonly terminate: boolean;
}

/** Receives events of a lease. */
export interface LeaseListener {
  /** The browser or the context is lost. Called at most once, never after `close`. */
  onLost(reason: string): void;
  /** The session exceeded one of its limits, and the listener has to end it. Called at most once, never after `close`. */
  onLimitExceeded(reason: string): void;
  /** Called for an event of a page. */
  onEvent(event: SessionEvent): void;
}

/** Options of `BrowserLease.goto`. */
export interface GotoOptions {
  /** True to accept a URL that is a file to download: `scrape` then reads the file. False: such a URL fails with NAVIGATION_FAILED. */
  readonly allowDownload?: boolean;
}

/** The browser context of one session. The holder of the lease runs its operations one after another. */
export interface BrowserLease {
  /** Loads a URL in the active tab. @throws Failure URL_BLOCKED, NAVIGATION_FAILED, NAVIGATION_TIMEOUT, OPERATION_TIMEOUT */
  goto(url: string, deadline: Deadline, options?: GotoOptions): Promise<void>;
  /** Reads the active tab without changing it. @throws Failure BROWSER_CRASHED, OPERATION_TIMEOUT */
  observe(limits: ListingLimits, deadline: Deadline): Promise<PageObservation>;
  /**
   * Performs an action and waits until the page has settled.
   * @throws Failure ACTION_NOT_FOUND, ACTION_STALE, ACTION_BLOCKED, NOT_OBSERVED, VALIDATION_ERROR, and those of `goto`
   */
  step(request: StepRequest, deadline: Deadline): Promise<StepOutcome>;
  /** Returns the requested parts of the content. */
  scrape(request: ScrapeRequest, deadline: Deadline): Promise<ScrapedData>;
  /** Returns a Base64 image, by default a PNG of the viewport; null while a dialog is open. */
  screenshot(deadline: Deadline, options?: ScreenshotOptions): Promise<string | null>;
  /** Returns the open tabs; none after `close`. */
  tabs(): readonly TabInfo[];
  /**
   * Yields live images of the active tab. Keeps only the newest frame for the reader, so a slow reader loses frames.
   * Ends when the lease closes, `return()` is called or `signal` aborts.
   * @throws Failure RATE_LIMITED if the session already has the maximum number of readers
   */
  frames(options: ScreencastOptions, signal: AbortSignal): AsyncIterableIterator<ScreencastFrame>;
  /** True until the first page is loaded. */
  readonly isBlank: boolean;
  /** Releases the context. Idempotent; never throws. */
  close(): Promise<void>;
}

/** The session that a context is for, and its proxy. */
export interface OpenContextOptions {
  readonly sessionId: string;
  readonly accountId: string;
  /** The caller's own proxy; null for none. */
  readonly proxy: UpstreamProxy | null;
}

/** Opens browser contexts for sessions. */
export interface BrowserHost {
  /**
   * Opens a context. Waits for a slot if all are in use.
   * @throws Failure AT_CAPACITY; URL_BLOCKED if the proxy is not allowed; BROWSER_CRASHED if no browser starts, or none
   * runs until the context is ready; SHUTTING_DOWN; the reason of `signal`
   */
  open(options: OpenContextOptions, listener: LeaseListener, signal: AbortSignal): Promise<BrowserLease>;
  /** Number of open leases. */
  readonly sessionCount: number;
  /** True if a slot is free. */
  readonly hasCapacity: boolean;
  /** Closes all leases and browsers; idempotent. */
  close(): Promise<void>;
}
