/** The port to the browsers. A host opens leases; a lease is the browser context of one session. */

import type { NetworkPolicy, StepKind } from '../account/keyPolicy.ts';
import type { ScrapedData, ScrapeRequest, Screenshot, ScreenshotOptions } from '../content/scrape.ts';
import type { SecretMask } from '../secretMask.ts';
import type { BrowserOptions, ChangeableOptions, StorageState } from '../session/browserOptions.ts';
import type { NewPageLogEntry } from '../session/pageLog.ts';
import type { SessionEvent } from '../session/sessionEvent.ts';
import type {
  InputAnswer,
  InputCounts,
  InputEvent,
  ScreencastFrame,
  ScreencastOptions,
} from '../session/takeOver.ts';
import type { UpstreamProxy } from '../session/upstreamProxy.ts';
import type { Dialog, ListingLimits, PageMetadata, PageObservation, TabInfo } from '../space/space.ts';
import type { WaitCondition } from '../specialActions/specialActionDefinition.ts';
import type { VaultSecret } from '../vault.ts';
import type { Deadline } from './clock.ts';

/** A step: the action that the caller wants to perform, and its input. */
export interface StepRequest {
  /** The id of the action, in upper case. */
  readonly actionId: string;
  /** The text or option for the action; null for none. */
  readonly value: string | null;
  readonly enter: boolean;
  /** Maximum wait for what the step has begun, such as requests, in milliseconds; null for the default. */
  readonly waitMs?: number | null;
  /** The value of the vault that goes into the field in place of `value`, which names it; null or absent for none. */
  readonly secret?: VaultSecret | null;
  /** Called before the step with each kind that it is of; absent if no policy holds. @throws Failure POLICY_REFUSED */
  readonly assertKind?: ((kind: StepKind) => Promise<void>) | undefined;
  /** True if a person has approved the step: the element must have the very name that was listed. */
  readonly isApproved?: boolean;
  /** Values of the action's parameters, by parameter name. `value` sets the first parameter if it is absent here. */
  readonly params: Readonly<Record<string, string>>;
}

export interface StepOutcome {
  /** Description of the performed action, as it was listed; null if unknown. */
  readonly description: string | null;
  /** True for the action S2 (scrape): the service must return the content of the page. */
  readonly scrape: boolean;
  /** True for the action S3 (screenshot): the service must return a screenshot. */
  readonly screenshot: boolean;
  /** True for the action S8 (terminate): the service must end the session. */
  readonly terminate: boolean;
  /** Remarks of the service about the step, in sentences: a gesture that changed nothing. */
  readonly notes: readonly string[];
}

export interface LeaseListener {
  /** The browser or the context is lost: the listener ends the session. Called at most once, never after `close`. */
  onLost(reason: string): void;
  /** The session exceeded one of its limits, and the listener has to end it. Called at most once, never after `close`. */
  onLimitExceeded(reason: string): void;
  /** A page caused an event of the session, such as a dialog or a download. */
  onEvent(event: SessionEvent): void;
  /** The page of the active tab has opened a dialog that stays open, or it has none any more (null). The text is not masked. */
  onDialog(dialog: Dialog | null): void;
  /** A page wrote to its console. Called only if the context was opened with `pageLog`; the text is not masked. */
  onConsole(message: NewPageLogEntry<'console'>): void;
  /** A request of a page has ended. Called only if the context was opened with `pageLog`; the address is not masked. */
  onRequest(request: NewPageLogEntry<'request'>): void;
}

export interface GotoOptions {
  /** True to accept a URL that is a file to download: `scrape` then reads the file. False: such a URL fails with NAVIGATION_FAILED. */
  readonly allowDownload?: boolean;
  /** Maximum wait for what the page has begun, such as requests, in milliseconds; null or absent for the default. */
  readonly waitMs?: number | null;
}

/** The input of a person in one session. Call one method at a time, and none while an operation runs. */
export interface PersonInput {
  /** Hands over the events in their order. A busy page takes them later, one with an open dialog only the answer to it. */
  dispatch(events: readonly InputEvent[], mayGoOn?: () => boolean): Promise<InputAnswer>;
  /** Releases all keys, buttons and fingers. Never rejects. */
  release(): Promise<void>;
  /** All that persons have done in the session so far, and the navigations of the session. */
  readonly counts: InputCounts;
}

/** The browser context of one session, and the operations on it. Start an operation only when the last one has ended. */
export interface BrowserLease {
  /** The secrets of the session: no text of the lease contains one. */
  readonly secrets: SecretMask;
  readonly person: PersonInput;
  /** Loads a URL in the active tab. @throws Failure URL_BLOCKED, NAVIGATION_FAILED, NAVIGATION_TIMEOUT, OPERATION_TIMEOUT */
  goto(url: string, deadline: Deadline, options?: GotoOptions): Promise<void>;
  /** Reads the active tab without changing it. @throws Failure BROWSER_CRASHED, OPERATION_TIMEOUT */
  observe(limits: ListingLimits, deadline: Deadline): Promise<PageObservation>;
  /** Reads the active tab for the record, and leaves news for `observe`; null without a page. @throws Failure OPERATION_TIMEOUT, BROWSER_CRASHED */
  peek(deadline: Deadline): Promise<PageObservation | null>;
  /** Returns the metadata of the active tab as `observe` does, without reading the page's actions. */
  metadata(deadline: Deadline): Promise<PageMetadata>;
  /**
   * Performs an action and waits until the page has settled.
   * @throws Failure ACTION_NOT_FOUND, ACTION_STALE, ACTION_BLOCKED, NOT_OBSERVED, VALIDATION_ERROR, VAULT_REFUSED, and those of `goto`
   */
  step(request: StepRequest, deadline: Deadline): Promise<StepOutcome>;
  /** Returns the kinds of a step, before it happens. @throws Failure ACTION_NOT_FOUND, ACTION_STALE, ACTION_BLOCKED */
  stepKinds(request: StepRequest, deadline: Deadline): Promise<readonly StepKind[]>;
  /** Waits at most `waitMs` (null: the default) for a condition in the active tab. @throws Failure WAIT_TIMEOUT, with the present space */
  waitFor(condition: WaitCondition, waitMs: number | null, deadline: Deadline): Promise<void>;
  /** Returns the requested parts of the content of the active tab, or of the downloaded file that `goto` accepted. */
  scrape(request: ScrapeRequest, deadline: Deadline): Promise<ScrapedData>;
  /** As `scrape`, for content beside something else: null while a dialog is open, which stays open. */
  scrapeWithoutDialog(request: ScrapeRequest, deadline: Deadline): Promise<ScrapedData | null>;
  /** Returns an image of the active tab in Base64, by default a PNG of the viewport, with secret fields painted over; null while a dialog is open or the page shows a value of the vault. */
  screenshot(deadline: Deadline, options?: ScreenshotOptions): Promise<Screenshot | null>;
  /** Returns the time for which operations have waited for pages to settle since the last call, in milliseconds. */
  takeSettlingMs(): number;
  /** Returns the open tabs; an empty array after `close`. */
  tabs(): readonly TabInfo[];
  /**
   * Yields live images of the active tab. Keeps only the newest frame for the reader, so a slow reader loses frames.
   * Ends when the lease closes, `return()` is called or `signal` aborts.
   * @throws Failure RATE_LIMITED if the session already has the maximum number of readers
   */
  frames(options: ScreencastOptions, signal: AbortSignal): AsyncIterableIterator<ScreencastFrame>;
  /** True if there is nothing to read: the only tab shows about:blank, and `goto` has not downloaded a file. */
  readonly isBlank: boolean;
  /** Changes options of the browser, for the open tabs and those that follow. @throws Failure VALIDATION_ERROR, BROWSER_CRASHED */
  changeOptions(options: ChangeableOptions): Promise<void>;
  /** Returns the cookies, the localStorage and the IndexedDB of the context. `left`: a sentence about what is not in it; null for nothing. */
  storageState(): Promise<{ readonly state: StorageState; readonly left: string | null }>;
  /** Releases the browser context. Idempotent; never throws. */
  close(): Promise<void>;
}

export interface OpenContextOptions {
  readonly sessionId: string;
  readonly accountId: string;
  /** The caller's own proxy; null for none. */
  readonly proxy: UpstreamProxy | null;
  /** True to tell the listener of the console and the requests of the pages. Default: false. */
  readonly pageLog?: boolean;
  /** The caller's choices for the browser; null or absent for the defaults. */
  readonly options?: BrowserOptions | null;
  /** The policy that holds for the requests of the session; null or absent for none. */
  readonly network?: NetworkPolicy | null;
}

export interface BrowserHost {
  /**
   * Opens a context. Waits for a slot if all are in use.
   * @throws Failure VALIDATION_ERROR if the browser does not take the options; AT_CAPACITY; URL_BLOCKED if the proxy is not allowed; BROWSER_CRASHED if no browser starts, or none
   * runs until the context is ready; SHUTTING_DOWN; the reason of `signal`
   */
  open(options: OpenContextOptions, listener: LeaseListener, signal: AbortSignal): Promise<BrowserLease>;
  /** Number of sessions that have a slot: their lease is open, or being opened. */
  readonly sessionCount: number;
  /** True if `open` can give a slot to another session without waiting. */
  readonly hasCapacity: boolean;
  /** Idempotent. */
  close(): Promise<void>;
}
