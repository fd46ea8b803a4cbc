/** The product's verbs as the doors call them. `service.ts` makes them; both doors know only this. */
import type { Account, ApiKey, KeyScope, Viewer } from '../domain/account.ts';
import type { ActionFilter } from '../domain/actionFilter.ts';
import type { Failure } from '../domain/failures.ts';
import type { PageMetadata, TabInfo } from '../domain/page.ts';
import type { SessionUpdate, SubscribeOptions } from '../domain/ports/eventBus.ts';
import type { RateLimitResult } from '../domain/ports/rateLimiter.ts';
import type {
  EventCounts,
  EventRange,
  SessionPage,
  SessionQuery,
  StoredObservation,
} from '../domain/ports/sessionStore.ts';
import type { ScrapedData } from '../domain/scrapedData.ts';
import type { ScrapeRequest } from '../domain/scrapeRequest.ts';
import type { ScreencastFrame, ScreencastOptions } from '../domain/screencastFrame.ts';
import type { ScreenshotOptions } from '../domain/screenshotOptions.ts';
import type { Session, SessionStatus } from '../domain/session.ts';
import type { StoredEvent } from '../domain/sessionEvent.ts';
import type { ListingLimits, Space } from '../domain/space.ts';
import type { SpaceDiff } from '../domain/spaceDiff.ts';
import type { TierLimits } from '../domain/tiers.ts';
import type { UpstreamProxy } from '../domain/upstreamProxy.ts';
import type { WalletAuth } from './accounts/walletAuth.ts';
import type { LedgerService } from './billing/ledgerService.ts';
import type { FileOperations } from './sessions/fileOperations.ts';

/** What every operation may say. */
export interface OperationOptions {
  readonly keepAlive: boolean | null;
  /** Changes the session's timeout when present. Minutes. */
  readonly timeoutMinutes: number | null;
  /** Make a picture. */
  readonly screenshot: boolean;
  /** How it is to be; a PNG of the viewport where absent. */
  readonly screenshotOptions?: ScreenshotOptions;
  /** Sent again with the same key and input, the operation is not done again: its answer is told again. */
  readonly idempotencyKey?: string | null;
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal;
}

export interface StartCommand extends OperationOptions {
  /** What may be charged for the session in all, in micro-units; any amount when absent. */
  readonly spendCapMicros?: number | null;
  /** The session's pages reach the web through it. */
  readonly proxy?: UpstreamProxy | null;
}

/** How much to list of a page: the filter first, then the limits, then the tokens. */
export interface ListingOptions extends ListingLimits {
  readonly filter?: ActionFilter;
  readonly maxTokens?: number | null;
}

/** Without a session one is made; without a url the session's current page is read. Neither: VALIDATION_ERROR. */
export interface ObserveCommand extends OperationOptions {
  readonly sessionId: string | null;
  readonly url: string | null;
  readonly limits: ListingOptions;
  /** The id of an earlier observation: the answer then says what has changed since. */
  readonly diffSince?: string | null;
  /** The parts of the content to make; null for none. */
  readonly data: ScrapeRequest | null;
  /** Whether the caller wants the action list. */
  readonly space: boolean;
}

/** As observe, and the log says `scraped`. */
export interface ScrapeCommand extends ObserveCommand {}

export interface StepCommand extends OperationOptions {
  readonly sessionId: string;
  readonly actionId: string;
  readonly value: string | null;
  readonly enter: boolean;
  readonly params: Readonly<Record<string, string>>;
  readonly limits: ListingOptions;
  /** As observe's. */
  readonly diffSince?: string | null;
  /** What to make if the step is S2 (scrape); null to make nothing even then. */
  readonly data: ScrapeRequest | null;
}

export interface CloseCommand {
  readonly sessionId: string;
  readonly screenshot: boolean;
  readonly screenshotOptions?: ScreenshotOptions;
  /** As the other operations'. */
  readonly idempotencyKey?: string | null;
  readonly signal: AbortSignal;
}

export interface SessionResult {
  readonly session: Session;
  /** Base64 PNG; null when not asked for. */
  readonly screenshot: string | null;
}

export interface ObservationResult {
  readonly session: Session;
  /** `O1`, `O2`: names this observation in its session while it is one of the last few. */
  readonly observationId: string;
  readonly metadata: PageMetadata;
  readonly space: Space | null;
  /** What has changed since the observation that `diffSince` named; null without one. */
  readonly diff: SpaceDiff | null;
  readonly data: ScrapedData | null;
  readonly screenshot: string | null;
}

/** The operations. Each throws Failure and nothing else that a caller can act on. */
export interface SessionOperations {
  start(viewer: Viewer, command: StartCommand): Promise<SessionResult>;
  observe(viewer: Viewer, command: ObserveCommand): Promise<ObservationResult>;
  step(viewer: Viewer, command: StepCommand): Promise<ObservationResult>;
  scrape(viewer: Viewer, command: ScrapeCommand): Promise<ObservationResult>;
  close(viewer: Viewer, command: CloseCommand): Promise<SessionResult>;
}

/** Which sessions of the caller's account to list. */
export type SessionListOptions = Omit<SessionQuery, 'accountId'>;

/** The reads. None of them resets a session's timer. Methods with ids answer in the order of the ids. */
export interface SessionReads {
  /** The account's sessions by id; null for one that is not there or not the account's. */
  sessions(viewer: Viewer, ids: readonly string[]): Promise<readonly (Session | null)[]>;
  listSessions(viewer: Viewer, listing: SessionListOptions): Promise<SessionPage>;
  countSessions(
    viewer: Viewer,
    statuses: readonly SessionStatus[] | null,
    search?: string | null,
  ): Promise<number>;
  lastObservations(sessionIds: readonly string[]): Promise<readonly (StoredObservation | null)[]>;
  eventCounts(sessionIds: readonly string[]): Promise<readonly EventCounts[]>;
  events(viewer: Viewer, sessionId: string, after: number, limit: number): Promise<readonly StoredEvent[]>;
  /** Of sessions that the caller was given before: nothing is judged here. */
  eventsInRanges(ranges: readonly EventRange[]): Promise<readonly (readonly StoredEvent[])[]>;
  accounts(ids: readonly string[]): Promise<readonly (Account | null)[]>;
  /** The open tabs of a session; empty once it has ended. */
  tabs(sessionId: string): readonly TabInfo[];
  /**
   * What changed between two observations of a session that the caller was given.
   * @param observationId the later of the two; null for the last there was
   * @throws Failure VALIDATION_ERROR when one of them is not kept
   */
  observationDiff(sessionId: string, since: string, observationId: string | null): SpaceDiff;
  /** Sessions active on this node. */
  activeSessionCount(): number;
  /** Whether a session could be started now. */
  hasCapacity(): boolean;
  /** Now, by the service's clock, in milliseconds since the epoch. */
  now(): number;
}

/** Live status. */
export interface SessionStreams {
  /**
   * The account's changes from now on, or those of one session; the caller reads the present state itself, after this
   * call. A reader that stalls loses the oldest, never the newest, and is told so.
   */
  sessionUpdates(viewer: Viewer, options?: SubscribeOptions): AsyncIterableIterator<SessionUpdate>;
  /**
   * Live pictures of a session up to its end; a reader that stalls loses all but the newest.
   * @throws Failure SESSION_NOT_FOUND, RATE_LIMITED; SESSION_CLOSED, SESSION_TIMED_OUT or SESSION_ERROR when it has ended
   */
  frames(
    viewer: Viewer,
    sessionId: string,
    options: ScreencastOptions,
    signal: AbortSignal,
  ): Promise<AsyncIterableIterator<ScreencastFrame>>;
}

/** What a new key is to be. */
export interface CreateKeyCommand {
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  /** Null for a key that does not expire. */
  readonly expiresInDays: number | null;
  /** What may be charged to it in all, in micro-units; any amount when absent. */
  readonly spendCapMicros?: number | null;
}

/** The account's own keys. */
export interface KeyService {
  /** Oldest first, those revoked and expired too. */
  listKeys(viewer: Viewer): Promise<readonly ApiKey[]>;
  /**
   * Makes a key; `text` is the key itself, had here and never again.
   * @throws Failure VALIDATION_ERROR when the account has too many
   */
  createKey(
    viewer: Viewer,
    command: CreateKeyCommand,
  ): Promise<{ readonly text: string; readonly key: ApiKey }>;
  /** Refuses a key from now on; one that was revoked before stays as it was. @throws Failure KEY_NOT_FOUND */
  revokeKey(viewer: Viewer, keyId: string): Promise<ApiKey>;
}

/** How much a caller may ask. */
export interface RateLimit {
  /**
   * Counts requests against the account's allowance.
   * @returns what is left and whether they fitted in; null for an account without a limit
   */
  countRequests(viewer: Viewer, requests: number): Promise<RateLimitResult | null>;
  /** What the account's tier allows. */
  tierLimits(account: Account): TierLimits;
  /** Counts a request without a good key against its address. @throws Failure RATE_LIMITED */
  countRefusedKey(address: string): Promise<void>;
}

/** Who is asking. */
export interface ApiKeyAuth {
  /**
   * The viewer behind an Authorization value (`Bearer psk_…`).
   * @throws Failure MISSING_API_KEY, INVALID_API_KEY, REVOKED_API_KEY, EXPIRED_API_KEY
   */
  authenticate(authorization: string | null | undefined): Promise<Viewer>;
  /**
   * For connections that outlive their signing in: tells, once, when the viewer's key is revoked (at once where that is done
   * in this process, else within five seconds) or has expired.
   * @returns takes it back; idempotent
   */
  onKeyEnd(viewer: Viewer, listener: (failure: Failure) => void): () => void;
}

export type { WalletAuth } from './accounts/walletAuth.ts';

/** Everything that a door may call. */
export interface Pagespace
  extends FileOperations,
    SessionOperations,
    SessionReads,
    SessionStreams,
    KeyService,
    LedgerService,
    RateLimit,
    ApiKeyAuth,
    WalletAuth {}
