/** The operations on sessions: their commands and results. `createSessionOperations.ts` implements them. */
import type { Viewer } from '../../domain/account/account.ts';
import type {
  ScrapedData,
  ScrapeRequest,
  Screenshot,
  ScreenshotOptions,
} from '../../domain/content/scrape.ts';
import type { BrowserOptions, ProfileChoice } from '../../domain/session/browserOptions.ts';
import type { RecordMode, Session } from '../../domain/session/session.ts';
import type { UpstreamProxy } from '../../domain/session/upstreamProxy.ts';
import type { ActionFilter } from '../../domain/space/actionFilter.ts';
import type { ListingLimits, PageMetadata, Space } from '../../domain/space/space.ts';
import type { SpaceDiff } from '../../domain/space/spaceDiff.ts';
import type { WaitCondition } from '../../domain/specialActions/specialActionDefinition.ts';

export interface OperationOptions {
  /** True keeps the session after the operation, false ends it. Null: one that this operation created ends. A start never ends its session. */
  readonly keepAlive: boolean | null;
  /** New idle timeout of the session, in minutes. Null: a new session gets the default, an existing one keeps its timeout. */
  readonly timeoutMinutes: number | null;
  readonly screenshot: boolean;
  /** Format and area of the screenshot. Default: a PNG of the viewport. */
  readonly screenshotOptions?: ScreenshotOptions;
  /** A request with the same key and input gets the result of the first. Null or absent: always runs. */
  readonly idempotencyKey?: string | null;
  readonly signal: AbortSignal;
}

export interface StartCommand extends OperationOptions {
  /** Maximum cost of the session, in micro-units: operations beyond it are refused. Null or absent for no maximum. */
  readonly spendCapMicros?: number | null;
  /** The caller's own proxy, through which the pages of the session connect; null or absent for none. */
  readonly proxy?: UpstreamProxy | null;
  readonly name?: string | null;
  /** Labels of the session, at most 16, for lists. */
  readonly labels?: readonly string[];
  /** The pictures that the record of the session keeps; absent for the default of the service. */
  readonly record?: RecordMode;
  readonly options?: BrowserOptions | null;
  readonly profile?: ProfileChoice | null;
  readonly url?: string | null;
  /** Maximum lifetime of the session; null or absent for that of the service. */
  readonly maxLifetimeMinutes?: number | null;
}

/** Selects the actions that the result lists. The filter is applied first, then `max` and `min`, then `maxTokens`. */
export interface ListingOptions extends ListingLimits {
  /** Absent: all actions. */
  readonly filter?: ActionFilter;
  /** Maximum size of the list, in estimated tokens; null or absent for no maximum. */
  readonly maxTokens?: number | null;
}

export interface WaitOptions {
  /** Maximum wait for what the operation has begun, such as requests, in milliseconds; null or absent for the default. */
  readonly waitMs?: number | null;
  /** Condition for which the operation waits before it reads the page; null or absent for none. */
  readonly waitFor?: WaitCondition | null;
  /** True to wait until a person has handed the session back; false or absent to fail with TAKEN_OVER. */
  readonly waitForHandBack?: boolean;
}

export interface ObserveCommand extends OperationOptions, WaitOptions {
  readonly sessionId: string | null;
  /** The URL to load; null to read the current page of the session. */
  readonly url: string | null;
  readonly limits: ListingOptions;
  /** Id of an earlier observation, for the changes since then in the result; null or absent for none. */
  readonly diffSince?: string | null;
  readonly data: ScrapeRequest | null;
  /** False if the caller does not need the list of actions: `scrape` then reads the content only. */
  readonly space: boolean;
}

/** The event log has a `scraped` event instead of an `observed` event. */
export interface ScrapeCommand extends ObserveCommand {}

export interface StepCommand extends OperationOptions, WaitOptions {
  readonly sessionId: string;
  readonly actionId: string;
  readonly value: string | null;
  /** True to press Enter after the value is typed. */
  readonly enter: boolean;
  readonly params: Readonly<Record<string, string>>;
  readonly limits: ListingOptions;
  readonly diffSince?: string | null;
  /** Parts of the content to return if the action is S2 (scrape) or `readsContent` is true; null for none. */
  readonly data: ScrapeRequest | null;
  /** True to return the content after every action, not only after S2. */
  readonly readsContent?: boolean;
}

export interface CloseCommand {
  readonly sessionId: string;
  readonly screenshot: boolean;
  readonly screenshotOptions?: ScreenshotOptions;
  readonly idempotencyKey?: string | null;
  readonly signal: AbortSignal;
}

export interface SessionResult {
  readonly session: Session;
  /** The image in base64; null if it was not requested, or if it failed before a `close`. */
  readonly screenshot: string | null;
  /** True if the page is larger than the picture; null without one. */
  readonly screenshotIsCut: boolean | null;
}

export const pictureOf = (picture: Screenshot | null): Omit<SessionResult, 'session'> => ({
  screenshot: picture?.image ?? null,
  screenshotIsCut: picture?.isCut ?? null,
});

export interface ObservationResult {
  readonly session: Session;
  /** Its id in the session, `O1`, `O2`, …, which `diffSince` can name while it is one of the last eight. Null without a list of actions. */
  readonly observationId: string | null;
  readonly metadata: PageMetadata;
  readonly space: Space | null;
  /** Changes since the observation `diffSince` of the command; null if the command has none. */
  readonly diff: SpaceDiff | null;
  readonly data: ScrapedData | null;
  readonly screenshot: string | null;
  readonly screenshotIsCut: boolean | null;
}

/** The operations on sessions. Each throws a Failure for every error that the caller can act on. */
export interface SessionOperations {
  start(viewer: Viewer, command: StartCommand): Promise<SessionResult>;
  /** @throws Failure VALIDATION_ERROR if the command has no URL and the session has no page yet */
  observe(viewer: Viewer, command: ObserveCommand): Promise<ObservationResult>;
  step(viewer: Viewer, command: StepCommand): Promise<ObservationResult>;
  /** A URL may be a file to download. @throws Failure VALIDATION_ERROR if there is no URL and the session has no page yet */
  scrape(viewer: Viewer, command: ScrapeCommand): Promise<ObservationResult>;
  /** Ends a session. For a session that has already ended, returns its final state. */
  close(viewer: Viewer, command: CloseCommand): Promise<SessionResult>;
}

/** Returns an object with what `make` returns for each operation, by its name. */
export const eachOperation = <Made>(make: (name: keyof SessionOperations) => Made) => ({
  start: make('start'),
  observe: make('observe'),
  step: make('step'),
  scrape: make('scrape'),
  close: make('close'),
});
