/** What the service needs of the outside, as interfaces. Each has one adapter or more in a room of its own. */
import type { Account, ApiKey } from './account.ts';
import type { Charge } from './ledger.ts';
import type { PageObservation, TabInfo } from './page.ts';
import type { ScrapedData } from './scrapedData.ts';
import type { ScrapeRequest } from './scrapeRequest.ts';
import type { ScreencastFrame, ScreencastOptions } from './screencastFrame.ts';
import type { ScreenshotOptions } from './screenshotOptions.ts';
import type { Session, SessionStatus } from './session.ts';
import type { SessionEvent, SessionEventType, StoredEvent } from './sessionEvent.ts';
import type { ListingLimits, Space } from './space.ts';
import type { UpstreamProxy } from './upstreamProxy.ts';

/** Wall-clock time and one way to be woken. Tests turn their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `wake` once when `now() >= atMs`; returns a function that takes it back. */
  scheduleAt(atMs: number, wake: () => void): () => void;
  /** Tells, before `now()` answers it, that the wall clock was set by this much; returns what takes it back. Absent: it never is. */
  onJump?(tell: (byMs: number) => void): () => void;
}

/** The last observation of a session, as it is kept. */
export interface StoredObservation {
  readonly sessionId: string;
  readonly observedAt: number;
  readonly url: string;
  readonly title: string;
  readonly httpStatus: number | null;
  readonly space: Space;
}

/** One change of one session, written whole or not at all. */
export interface SessionChange {
  readonly session: Session;
  readonly events: readonly SessionEvent[];
  readonly observation?: StoredObservation;
  /** What it costs; each charge is written once, however often the change is. */
  readonly ledger?: readonly Charge[];
}

export type SessionOrder = 'created_at_desc' | 'created_at_asc' | 'last_accessed_at_desc';

export interface SessionQuery {
  readonly accountId: string;
  readonly statuses: readonly SessionStatus[] | null;
  /** Substring of id, url or page title, case-insensitive; null for all. */
  readonly search: string | null;
  readonly order: SessionOrder;
  readonly limit: number;
  /** Rows after this cursor in the order; null from the start. */
  readonly after: string | null;
  /** Rows before this cursor; the page is the last `limit` of them, still in the order. */
  readonly before: string | null;
  /** Without a cursor: the last `limit` of all, still in the order. */
  readonly fromEnd?: boolean;
}

export interface SessionPage {
  readonly rows: readonly { readonly session: Session; readonly cursor: string }[];
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
}

export type EventCounts = Readonly<Record<SessionEventType, number>>;

/** Events of one session with `after < seq <= upTo`. */
export interface EventRange {
  readonly sessionId: string;
  readonly after: number;
  readonly upTo: number;
}

/** Sessions with their events and last observations. Methods that take ids answer in the order of the ids. */
export interface SessionStore {
  /** Writes a session (new or known) with its events, in one transaction; durable when it resolves. @throws Failure STORAGE_FULL */
  commit(change: SessionChange): Promise<readonly StoredEvent[]>;
  /** The sessions with these ids that belong to the account; null where there is none. */
  load(accountId: string, ids: readonly string[]): Promise<readonly (Session | null)[]>;
  list(query: SessionQuery): Promise<SessionPage>;
  /** How many sessions the account has with these statuses that the search finds, as in a query. @throws Failure as list */
  count(
    accountId: string,
    statuses: readonly SessionStatus[] | null,
    search?: string | null,
  ): Promise<number>;
  /** Every session that is still `active` in the store, of any account. */
  activeSessions(): Promise<readonly Session[]>;
  /** These sessions, as far as they are active, live at this time. */
  recordSeen(sessionIds: readonly string[], at: number): Promise<void>;
  /** When each was last known to live: by `seen`, or by what was done in it. */
  lastSeenAt(sessionIds: readonly string[]): Promise<readonly (number | null)[]>;
  observations(sessionIds: readonly string[]): Promise<readonly (StoredObservation | null)[]>;
  eventCounts(sessionIds: readonly string[]): Promise<readonly EventCounts[]>;
  /** Ids of sessions, of any account, that ended before this time; the longest ended first, at most `limit`. */
  endedBefore(at: number, limit: number): Promise<readonly string[]>;
  /** Removes these sessions with their events and observations, all in one transaction; ids of none are passed over. */
  remove(sessionIds: readonly string[]): Promise<void>;
  /** Events with `seq > after`, rising, at most `limit`. */
  events(sessionId: string, after: number, limit: number): Promise<readonly StoredEvent[]>;
  /** The events of each range, rising, in the order of the ranges. */
  eventsInRanges(ranges: readonly EventRange[]): Promise<readonly (readonly StoredEvent[])[]>;
}

/** Accounts and keys. */
export interface AccountStore {
  createAccount(account: Account): Promise<void>;
  accounts(ids: readonly string[]): Promise<readonly (Account | null)[]>;
  /** All of them, the oldest first; for the operator alone. */
  allAccounts(): Promise<readonly Account[]>;
  /** By name; the oldest first. */
  findAccountByName(name: string): Promise<Account | null>;
  createKey(key: ApiKey): Promise<void>;
  findKeyByHash(hash: string): Promise<ApiKey | null>;
  keys(accountId: string): Promise<readonly ApiKey[]>;
  /** Revokes; answers the key, or null if the account has no such key. A revoked key stays as it was. */
  revokeKey(accountId: string, keyId: string, at: number): Promise<ApiKey | null>;
  recordKeyUse(keyId: string, at: number): Promise<void>;
}

/** A file of a session: downloaded by a page, or uploaded for one. */
export interface SessionFile {
  /** `D1` for downloads, `U1` for uploads: never used again in the session. */
  readonly id: string;
  /** The name it was given, without any folder. */
  readonly name: string;
  readonly bytes: number;
  readonly createdAt: number;
}

export type SessionFileKind = 'download' | 'upload';

/** Files of sessions, each session's in a folder of its own. */
export interface SessionFileStore {
  /**
   * A place for a new file; it counts once a file is there.
   * @throws Failure QUOTA_EXHAUSTED when the session's files already fill their bound, STORAGE_FULL
   */
  reserve(
    sessionId: string,
    kind: SessionFileKind,
    name: string,
  ): Promise<{ readonly id: string; readonly path: string }>;
  /** In order of their ids; empty where there are none. */
  list(sessionId: string, kind: SessionFileKind): Promise<readonly SessionFile[]>;
  /** The file and where it lies; null if the session has no such file. */
  find(
    sessionId: string,
    kind: SessionFileKind,
    id: string,
  ): Promise<(SessionFile & { readonly path: string }) | null>;
  /**
   * Keeps a file that comes in pieces; nothing of it stays when it breaks off.
   * @throws Failure QUOTA_EXHAUSTED, BODY_TOO_LARGE when the session's files would pass their bound, STORAGE_FULL; what `pieces` throws
   */
  save(
    sessionId: string,
    kind: SessionFileKind,
    name: string,
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<SessionFile>;
  /** The file, and its bytes as they are read; null if the session has no such file. Cancelling the stream lets go of it. */
  open(
    sessionId: string,
    kind: SessionFileKind,
    id: string,
  ): Promise<{ readonly file: SessionFile; readonly bytes: ReadableStream<Uint8Array> } | null>;
  /** Removes all files of a session; idempotent. */
  remove(sessionId: string): Promise<void>;
  /** Bytes that a session's files may have together. */
  readonly maxBytes: number;
}

/** What travels to subscribers: the session after the change, and the change. */
export interface SessionUpdate {
  readonly session: Session;
  readonly events: readonly StoredEvent[];
  /** How many notices that the subscriber wanted were dropped before this one, because it was slow; absent for none. */
  readonly missed?: number;
}

/** What a subscriber listens for. */
export interface SubscribeOptions {
  /** Ends the subscription. */
  readonly signal?: AbortSignal | undefined;
  /** Only notices of this session. */
  readonly sessionId?: string | undefined;
  /** Only notices that this takes: others neither wake the subscriber nor take room in its queue. */
  readonly filter?: ((notice: SessionUpdate) => boolean) | undefined;
}

/** Tells subscribers of changes. Each subscriber has a bounded queue of its own. */
export interface EventBus {
  publish(update: SessionUpdate): void;
  /**
   * Notices of one account from now on. When a subscriber stalls for longer than its queue is long,
   * the oldest notices are dropped for it alone, and it is told how many: the newest always comes, for one session that is
   * its end.
   * @returns an iterable that ends when `return()` is called or the signal aborts
   */
  subscribe(accountId: string, options?: SubscribeOptions): AsyncIterableIterator<SessionUpdate>;
  /** The ledger of this account has a new row. */
  publishLedgerUpdate(accountId: string): void;
  /** A word, the account's id, for new rows of its ledger; many that come while the reader is busy are told as one. Ends as `subscribe` does. */
  subscribeLedger(accountId: string, signal?: AbortSignal): AsyncIterableIterator<string>;
}

/** A point in time by which an operation must be over, and the signal that ends it early. */
export interface Deadline {
  /** Aborts when the time is up or the caller has gone; its reason is a Failure. */
  readonly signal: AbortSignal;
  /** Milliseconds left; never below zero. */
  remainingMs(): number;
}

/** What a step asks for. */
export interface StepRequest {
  /** The id as the caller wrote it, upper case. */
  readonly actionId: string;
  readonly value: string | null;
  readonly enter: boolean;
  /** Typed parameters by name (GraphQL); `value` fills the first where absent. */
  readonly params: Readonly<Record<string, string>>;
}

/** What a step did, for the event log. */
export interface StepOutcome {
  readonly description: string | null;
  /** The step was S2: the caller wants the page's content. */
  readonly scrape: boolean;
  /** The step was S3. */
  readonly screenshot: boolean;
  /** The step was S8: the session ends. */
  readonly terminate: boolean;
}

/** What a lease tells its holder, unasked. */
export interface LeaseListener {
  /** The browser, or the page beyond recovery, is gone. Called at most once, never after close. */
  onLost(reason: string): void;
  /** The session has passed one of its bounds: the holder ends it. Called at most once, never after close. */
  onLimitExceeded(reason: string): void;
  /** Something happened in the page. */
  onEvent(event: SessionEvent): void;
}

/** One browser context held by one session. Its operations run one at a time; the holder sees to that. */
export interface BrowserLease {
  /**
   * @param take an address that is a file to download is no failure: `scrape` then reads that file
   * @throws Failure URL_BLOCKED, NAVIGATION_FAILED, NAVIGATION_TIMEOUT, OPERATION_TIMEOUT
   */
  goto(url: string, deadline: Deadline, take?: 'files too'): Promise<void>;
  /** Reads the active tab; never changes it. @throws Failure BROWSER_CRASHED, OPERATION_TIMEOUT */
  observe(limits: ListingLimits, deadline: Deadline): Promise<PageObservation>;
  /** Acts and waits until the page has settled. @throws Failure ACTION_NOT_FOUND, ACTION_STALE, ACTION_BLOCKED, NOT_OBSERVED, VALIDATION_ERROR and those of goto */
  step(command: StepRequest, deadline: Deadline): Promise<StepOutcome>;
  scrape(request: ScrapeRequest, deadline: Deadline): Promise<ScrapedData>;
  /** PNG of the viewport, base64; null while a dialog keeps the page from being drawn. */
  screenshot(deadline: Deadline, options?: ScreenshotOptions): Promise<string | null>;
  tabs(): readonly TabInfo[];
  /**
   * Live pictures of the active tab, whichever that is. Only the newest waits for its reader: a slow one loses frames.
   * Ends when the lease is closed, `return()` is called or `signal` aborts.
   * @throws Failure RATE_LIMITED when too many watch already
   */
  frames(options: ScreencastOptions, signal: AbortSignal): AsyncIterableIterator<ScreencastFrame>;
  /** Whether any page was opened in it yet. */
  readonly isBlank: boolean;
  /** Releases the context; idempotent, never throws. */
  close(): Promise<void>;
}

/** Who wants a browser, and what way out. */
export interface OpenContextOptions {
  readonly sessionId: string;
  readonly accountId: string;
  /** The session's own proxy; null for none. */
  readonly proxy: UpstreamProxy | null;
}

/** Where browsers come from. */
export interface BrowserHost {
  /** @throws Failure AT_CAPACITY; URL_BLOCKED when the proxy may not be used; BROWSER_CRASHED when none can be started, or lasts until the session is ready */
  open(options: OpenContextOptions, listener: LeaseListener, signal: AbortSignal): Promise<BrowserLease>;
  /** Sessions held now. */
  readonly sessionCount: number;
  /** Whether another session could be had now. */
  readonly hasCapacity: boolean;
  close(): Promise<void>;
}
