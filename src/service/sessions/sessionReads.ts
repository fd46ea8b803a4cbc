import { succeeds } from '../../async/race.ts';
import type { Viewer } from '../../domain/account/account.ts';
import { Failure, isFailure } from '../../domain/failure/failures.ts';
import type { AccountStore } from '../../domain/ports/accountStore.ts';
import type { BrowserHost } from '../../domain/ports/browserHost.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { EventBus, SessionUpdate, SubscribeOptions, Subscription } from '../../domain/ports/eventBus.ts';
import type {
  SessionFilter,
  SessionPage,
  SessionQuery,
  SessionStore,
  StoredObservation,
} from '../../domain/ports/sessionStore.ts';
import { observationNumber } from '../../domain/session/performedOperation.ts';
import type { Session, SessionStatus } from '../../domain/session/session.ts';
import type { StoredEvent } from '../../domain/session/sessionEvent.ts';
import type { ScreencastFrame, ScreencastOptions } from '../../domain/session/takeOver.ts';
import { cutText } from '../../domain/space/pageText.ts';
import type { TabInfo } from '../../domain/space/space.ts';
import { type ObservedActions, type SpaceDiff, spaceDiff } from '../../domain/space/spaceDiff.ts';
import { observationNotFound } from './observationHistory.ts';
import type { SessionRecords } from './sessionRecords.ts';
import type { SessionRegistry } from './sessionRegistry.ts';

const CHECK_INTERVAL_MS = 2_000;

/** After a write that failed because the disk is full, checks every two seconds whether there is space again. */
export function storageMonitor(store: SessionStore, clock: Clock) {
  let cancel: (() => void) | null = null;
  let isStopped = false;
  const schedule = (): void => {
    if (!isStopped) cancel ??= clock.scheduleAfter(CHECK_INTERVAL_MS, () => void check());
  };
  const check = async (): Promise<void> => {
    const hasSpace = await succeeds(store.assertWritable());
    cancel = null;
    if (!hasSpace) schedule();
  };
  const commit: SessionStore['commit'] = async change => {
    try {
      return await store.commit(change);
    } catch (error) {
      if (isFailure(error, 'STORAGE_FULL')) schedule();
      throw error;
    }
  };
  return {
    observed: { ...store, commit } satisfies SessionStore,
    isFull: () => cancel !== null,
    stop(): void {
      isStopped = true;
      cancel?.();
      cancel = null;
    },
  };
}

export interface SessionStreams {
  /**
   * Yields each change of the account's sessions, or of one session (`options.sessionId`), from now on. Read the
   * current state after `started` of the result. A slow reader loses the oldest updates, never the newest; `missed` of the next
   * update contains the number of lost updates.
   */
  sessionUpdates(viewer: Viewer, options?: SubscribeOptions): Subscription<SessionUpdate>;
  /**
   * Yields live images of the active tab until the session ends or `signal` aborts. A slow reader receives only the
   * newest image.
   * @throws Failure SESSION_NOT_FOUND; RATE_LIMITED if the session has too many readers; SESSION_CLOSED, SESSION_TIMED_OUT or SESSION_ERROR if the session
   * has ended
   */
  frames(
    viewer: Viewer,
    sessionId: string,
    options: ScreencastOptions,
    signal: AbortSignal,
  ): Promise<AsyncIterableIterator<ScreencastFrame>>;
}

export function createSessionStreams(registry: SessionRegistry, bus: EventBus): SessionStreams {
  return {
    sessionUpdates: (viewer, options) => bus.subscribe(viewer.account.id, options),
    async frames(viewer, sessionId, options, signal) {
      const live = await registry.requireLive(viewer, sessionId);
      return live.lease.frames(options, signal);
    },
  };
}

/** Or the reason why the service should get no new sessions. The last three occur in a cluster only. */
export type Readiness =
  | 'ready'
  | 'at_capacity'
  | 'storage_full'
  | 'draining'
  | 'database_unavailable'
  | 'bus_unavailable'
  | 'lease_lost';

export type SessionListOptions = Omit<SessionQuery, 'accountId'>;

/**
 * Reads of sessions: the stored data, combined with the current state of running sessions. Methods with several ids
 * return one result per id, in the order of the ids. A method without a viewer does not check access: call it only for
 * sessions that the viewer may read.
 */
export interface SessionReads
  extends Pick<SessionStore, 'lastSeqs' | 'eventCounts' | 'eventsInRanges'>,
    Pick<AccountStore, 'accounts'> {
  sessions(viewer: Viewer, ids: readonly string[]): Promise<readonly (Session | null)[]>;
  listSessions(viewer: Viewer, options: SessionListOptions): Promise<SessionPage>;
  countSessions(
    viewer: Viewer,
    statuses: readonly SessionStatus[] | null,
    search?: string | null,
    filter?: SessionFilter,
  ): Promise<number>;
  lastObservations(sessionIds: readonly string[]): Promise<readonly (StoredObservation | null)[]>;
  /** Returns at most `limit` events of a session with `seq > after`, in order. @throws Failure SESSION_NOT_FOUND */
  events(viewer: Viewer, sessionId: string, after: number, limit: number): Promise<readonly StoredEvent[]>;
  /** Returns at most `limit` events of all sessions of the account with `accountNumber > after`, in the order of their numbers. */
  accountEvents(viewer: Viewer, after: number, limit: number): Promise<readonly StoredEvent[]>;
  /** Returns the open tabs of a session; an empty list if it does not run. */
  tabs(sessionId: string): Promise<readonly TabInfo[]>;
  /**
   * Returns the changes between two observations of a session.
   * @param observationId id of the later observation; null for the last one
   * @throws Failure VALIDATION_ERROR if `since` is not an id; NOT_FOUND, RECORD_EXPIRED as `recordedObservation`
   */
  observationDiff(sessionId: string, since: string, observationId: string | null): Promise<SpaceDiff>;
  activeSessionCount(): number;
  readiness(): Readiness;
  now(): number;
}

export interface SessionReadsDeps {
  readonly store: SessionStore;
  readonly accounts: AccountStore;
  readonly browsers: BrowserHost;
  readonly records: Pick<SessionRecords, 'recordedObservation'>;
}

const toObserved = ({ url, title, space }: StoredObservation): ObservedActions => ({
  url,
  title,
  actions: space.actions,
  messages: space.messages,
});

export function createSessionReads(
  registry: SessionRegistry,
  isStorageFull: () => boolean,
  { store, accounts, browsers, records }: SessionReadsDeps,
): SessionReads {
  const recorded = (sessionId: string, id: string): Promise<StoredObservation> => {
    const number = observationNumber(id);
    if (number === null) throw observationNotFound('since');
    return records.recordedObservation(sessionId, number);
  };
  const withLiveState = (session: Session): Session => registry.currentState(session.id) ?? session;
  return {
    async sessions(viewer, ids) {
      const stored = await store.load(
        viewer.account.id,
        ids.map(id => id.toLowerCase()),
      );
      return stored.map(session => (session === null ? null : withLiveState(session)));
    },
    async listSessions(viewer, options) {
      const page = await store.list({ accountId: viewer.account.id, ...options });
      return { ...page, rows: page.rows.map(row => ({ ...row, session: withLiveState(row.session) })) };
    },
    countSessions: (viewer, statuses, search, filter) =>
      store.count(viewer.account.id, statuses, search, filter),
    accountEvents: (viewer, after, limit) => store.accountEvents(viewer.account.id, after, limit),
    lastObservations: ids => store.observations(ids),
    lastSeqs: ids => store.lastSeqs(ids),
    eventCounts: ids => store.eventCounts(ids),
    async events(viewer, sessionId, after, limit) {
      const [session] = await store.load(viewer.account.id, [sessionId.toLowerCase()]);
      if (session == null)
        throw new Failure('SESSION_NOT_FOUND', `This account has no session ${cutText(sessionId, 100)}.`);
      return store.events(session.id, after, limit);
    },
    eventsInRanges: ranges => store.eventsInRanges(ranges),
    accounts: ids => accounts.accounts(ids),
    async tabs(sessionId) {
      const live = registry.getLive(sessionId);
      return live === null || live.session.status !== 'active' ? [] : live.lease.tabs();
    },
    async observationDiff(sessionId, since, observationId) {
      const live = registry.getLive(sessionId);
      const known = live?.observations.diff(since, observationId) ?? null;
      if (known !== null) return known;
      const id = observationId ?? live?.observations.lastId;
      if (id == null) throw observationNotFound('since');
      const [before, now] = await Promise.all([since, id].map(each => recorded(sessionId, each)));
      if (before === undefined || now === undefined) throw observationNotFound('since');
      const { dialog, pending, downloads } = now.space;
      return { ...spaceDiff(toObserved(before), toObserved(now)), state: { dialog, pending, downloads } };
    },
    activeSessionCount: () => registry.size,
    readiness() {
      if (registry.refusesStarts) return 'draining';
      if (isStorageFull()) return 'storage_full';
      return !registry.isClosing && browsers.hasCapacity ? 'ready' : 'at_capacity';
    },
    now: () => registry.now(),
  };
}
