import type { Viewer } from '../../domain/account/account.ts';
import type { NetworkPolicy } from '../../domain/account/keyPolicy.ts';
import type { SessionMeter } from '../../domain/account/ledger.ts';
import { assertOwnSession } from '../../domain/account/policyChecks.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { Audit } from '../../domain/ports/auditLog.ts';
import type { BrowserHost } from '../../domain/ports/browserHost.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { EventBus } from '../../domain/ports/eventBus.ts';
import type { SessionRecordStore } from '../../domain/ports/sessionFileStore.ts';
import type { SessionStore } from '../../domain/ports/sessionStore.ts';
import type { BrowserOptions } from '../../domain/session/browserOptions.ts';
import type { NewPageLogEntry } from '../../domain/session/pageLog.ts';
import { type ActiveSession, isActive, type Session, sessionError } from '../../domain/session/session.ts';
import { sessionEndedFailure } from '../../domain/session/sessionTransition.ts';
import type { UpstreamProxy } from '../../domain/session/upstreamProxy.ts';
import { cutText } from '../../domain/space/pageText.ts';
import type { RequestedOperation, SessionCharges } from '../billing/sessionCharges.ts';
import type { OpenProfile } from '../secrets/profiles.ts';
import { LiveSession, type LiveSessionDeps } from './liveSession.ts';
import { PendingSessionEnds, SessionReaper } from './sessionReaper.ts';

/** A session counts as soon as it waits for a browser: two starts cannot take the account's last slot. */
class AccountConcurrencyLimiter {
  readonly #sessions = new Map<string, Set<string>>();

  /** Counts a session until `release`. @throws Failure CONCURRENCY_LIMIT if the account already has `max` sessions */
  acquire(accountId: string, sessionId: string, max: number | null): void {
    const sessions = this.#sessions.get(accountId) ?? new Set<string>();
    if (max !== null && sessions.size >= max)
      throw new Failure(
        'CONCURRENCY_LIMIT',
        `This account already has its maximum of ${max} sessions at once. Close one, or wait until one ends.`,
      );
    this.#sessions.set(accountId, sessions.add(sessionId));
  }

  release(accountId: string, sessionId: string): void {
    const sessions = this.#sessions.get(accountId);
    if (sessions?.delete(sessionId) === true && sessions.size === 0) this.#sessions.delete(accountId);
  }
}

const HEARTBEAT_INTERVAL_MS = 10_000;

/** Writes every ten seconds which sessions run and their browser time, which the next process charges if this one is killed. */
function sessionHeartbeat(
  store: SessionStore,
  clock: Clock,
  meters: () => ReadonlyMap<string, SessionMeter> | null,
) {
  let isWriting = false;
  let cancel: (() => void) | null = null;
  const beat = (): void => {
    cancel = null;
    const running = meters();
    if (running === null) return;
    start();
    if (isWriting || running.size === 0) return;
    isWriting = true;
    // A failed write needs no retry: the next heartbeat replaces it.
    void store
      .recordSeen(running, clock.now())
      .catch(() => undefined)
      .finally(() => {
        isWriting = false;
      });
  };
  /** Stops by itself when no session runs. Idempotent. */
  const start = (): void => {
    cancel ??= clock.scheduleAfter(HEARTBEAT_INTERVAL_MS, beat);
  };
  const stop = (): void => {
    cancel?.();
    cancel = null;
  };
  return { start, stop };
}

export interface SessionRegistryDeps {
  readonly store: SessionStore;
  readonly bus: EventBus;
  readonly browsers: BrowserHost;
  readonly clock: Clock;
  readonly records: SessionRecordStore;
  readonly audit: Audit;
  /** Called when a session has got its browser, and when it has given it back. */
  readonly onLoadChange?: () => void;
  readonly warn: (message: string, error?: unknown) => void;
}

export interface SessionStartOptions {
  readonly charges: SessionCharges;
  /** Called with the browser: other operations may have used up the balance meanwhile. @throws Failure if the session must not start */
  readonly assertMayStart: () => Promise<void>;
  readonly startOperation: RequestedOperation | null;
  readonly maxConcurrentSessions: number | null;
  readonly proxy: UpstreamProxy | null;
  readonly options: BrowserOptions | null;
  readonly profile: OpenProfile | null;
  readonly network: NetworkPolicy | null;
  readonly signal: AbortSignal;
}

export class SessionRegistry {
  readonly #deps: SessionRegistryDeps;
  readonly #sessions = new Map<string, LiveSession>();
  readonly #concurrency = new AccountConcurrencyLimiter();
  readonly #starting = new Set<Promise<unknown>>();
  readonly #reaper: SessionReaper<LiveSession>;
  readonly #pendingEnds: PendingSessionEnds;
  readonly #heartbeat: ReturnType<typeof sessionHeartbeat>;
  readonly #sessionDeps: LiveSessionDeps;
  readonly #stopWatchingClock: (() => void) | null;
  #isClosing = false;
  #startRefusal: (() => Failure) | null = null;

  constructor(deps: SessionRegistryDeps) {
    this.#deps = deps;
    this.#reaper = new SessionReaper(deps.clock, () => this.#sessions.values());
    this.#pendingEnds = new PendingSessionEnds(deps);
    this.#heartbeat = sessionHeartbeat(deps.store, deps.clock, () => this.#meters());
    this.#stopWatchingClock =
      deps.clock.onJump?.(byMs => {
        for (const live of this.#sessions.values()) live.adjustForClockJump(byMs);
        if (!this.#isClosing) this.#reaper.checkNow();
      }) ?? null;
    this.#sessionDeps = {
      store: deps.store,
      records: deps.records,
      audit: deps.audit,
      clock: deps.clock,
      now: () => deps.clock.now(),
      publish: update => deps.bus.publish(update),
      publishLedgerUpdate: accountId => deps.bus.publishLedgerUpdate(accountId),
      onEndUnwritten: (change, writeRow) => {
        this.#pendingEnds.add(change, writeRow);
        deps.warn(`The end of session ${change.session.id} could not be written; the service tries again`);
      },
      onEnded: session => {
        this.#sessions.delete(session.id);
        this.#concurrency.release(session.accountId, session.id);
        deps.onLoadChange?.();
      },
      onExpiryChanged: live => this.#reaper.schedule(live),
      warn: deps.warn,
    };
  }

  now(): number {
    return this.#deps.clock.now();
  }

  get size(): number {
    return this.#sessions.size;
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Returns the state of a session that runs here, or whose end is not stored yet; null for others, of which the store has it. */
  currentState(sessionId: string): Session | null {
    return this.#sessions.get(sessionId)?.session ?? this.#pendingEnds.get(sessionId);
  }

  getLive(sessionId: string): LiveSession | null {
    return this.#sessions.get(sessionId) ?? null;
  }

  get isIdle(): boolean {
    return this.#sessions.size === 0 && this.#starting.size === 0;
  }

  get refusesStarts(): boolean {
    return this.#startRefusal !== null;
  }

  refuseStarts(failure: () => Failure): void {
    this.#startRefusal = failure;
  }

  /**
   * Waits for a browser, opens a browser context for a new session, and writes the session to the store.
   * @throws Failure VALIDATION_ERROR, AT_CAPACITY, BROWSER_CRASHED, CONCURRENCY_LIMIT, SHUTTING_DOWN, STORAGE_FULL, URL_BLOCKED
   */
  async start(session: ActiveSession, options: SessionStartOptions): Promise<LiveSession> {
    this.#assertNotClosing();
    if (this.#startRefusal !== null) throw this.#startRefusal();
    this.#concurrency.acquire(session.accountId, session.id, options.maxConcurrentSessions);
    const work = this.#open(session, options);
    this.#starting.add(work);
    try {
      return await work;
    } catch (error) {
      this.#concurrency.release(session.accountId, session.id);
      throw error;
    } finally {
      this.#starting.delete(work);
    }
  }

  async #open(session: ActiveSession, start: SessionStartOptions): Promise<LiveSession> {
    const { charges, assertMayStart, startOperation, maxConcurrentSessions, proxy, signal } = start;
    const live = new LiveSession(session, charges, this.#sessionDeps);
    let hasStarted = false;
    const earlyEnds: (() => void)[] = [];
    const endWith = (type: 'browser_lost' | 'limit_exceeded') => (reason: string) => {
      const end = (): void =>
        void live
          .end({ type, at: this.now(), reason })
          .catch(error => this.#deps.warn('The end of a session could not be written', error));
      // The store needs the start before the end: keep an earlier end until then.
      if (hasStarted) end();
      else earlyEnds.push(end);
    };
    const listener = {
      onLost: endWith('browser_lost'),
      onLimitExceeded: endWith('limit_exceeded'),
      onEvent: live.recordEvent.bind(live),
      onDialog: live.dialogChanged.bind(live),
      onConsole: (message: NewPageLogEntry<'console'>) => live.pageLog.add('console', message),
      onRequest: (request: NewPageLogEntry<'request'>) => live.pageLog.add('request', request),
    };
    const { id: sessionId, accountId } = session;
    const pageLog = session.pageLog === true;
    const options = { sessionId, accountId, proxy, pageLog, options: start.options, network: start.network };
    const lease = await this.#deps.browsers.open(options, listener, signal);
    this.#deps.onLoadChange?.();
    try {
      await assertMayStart();
      this.#sessions.set(session.id, live);
      await live.start(lease, startOperation, maxConcurrentSessions, start.profile);
      hasStarted = true;
      earlyEnds[0]?.();
    } catch (error) {
      this.#sessions.delete(session.id);
      await lease.close();
      this.#deps.onLoadChange?.();
      throw error;
    }
    const { session: started } = live;
    if (isActive(started)) {
      this.#heartbeat.start();
      return live;
    }
    await lease.close();
    const reason = sessionError(started) ?? 'The service ended it.';
    throw new Failure('BROWSER_CRASHED', `The session ended while it started. ${reason}`, {
      session: started,
    });
  }

  /**
   * Returns the running session with this id.
   * @throws Failure SESSION_NOT_FOUND if the viewer's account has no such session; SESSION_CLOSED, SESSION_TIMED_OUT or
   * SESSION_ERROR if it has ended; SHUTTING_DOWN
   */
  async requireLive(viewer: Viewer, sessionId: string): Promise<LiveSession> {
    this.#assertNotClosing();
    const found = await this.resolve(viewer, sessionId);
    if (found instanceof LiveSession) {
      assertOwnSession(viewer, found);
      return found;
    }
    // Only in a cluster: the node that ran it has stopped, and the end is not written yet.
    if (isActive(found)) throw lostSessionFailure(found);
    throw sessionEndedFailure(found);
  }

  /** @throws Failure SESSION_NOT_FOUND if the viewer's account has no such session */
  async resolve(viewer: Viewer, sessionId: string): Promise<LiveSession | Session> {
    const live = this.#sessions.get(sessionId.toLowerCase());
    if (live !== undefined && live.session.accountId === viewer.account.id && isActive(live.session))
      return live;
    if (live !== undefined && live.session.accountId === viewer.account.id) return live.session;
    const [stored] = await this.#deps.store.load(viewer.account.id, [sessionId.toLowerCase()]);
    if (stored == null)
      throw new Failure('SESSION_NOT_FOUND', `This account has no session ${cutText(sessionId, 100)}.`);
    return this.#pendingEnds.get(stored.id) ?? stored;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#reaper.stop();
    this.#heartbeat.stop();
    this.#stopWatchingClock?.();
    // A start that waits for a slot gets it when another session closes. End those sessions in a second pass.
    await this.closeSessions();
    await Promise.allSettled(this.#starting);
    await this.closeSessions();
    await this.#pendingEnds.flush();
    this.#pendingEnds.stop();
  }

  async closeSessions(reason = 'The service was shut down.'): Promise<void> {
    const trigger = { type: 'close', at: this.now(), reason } as const;
    await Promise.allSettled([...this.#sessions.values()].map(live => live.end(trigger)));
  }

  /** Ends every session in this process only, and forgets unwritten ends: the node has lost its authority, and another writes them. */
  async abandonSessions(reason: string): Promise<void> {
    this.#pendingEnds.clear();
    await Promise.allSettled([...this.#sessions.values()].map(live => live.abandon(reason)));
    this.#pendingEnds.clear();
  }

  /** Returns the browser time of each running session, by session id; null for none. Leaves out those that are written now, with their time. */
  #meters(): ReadonlyMap<string, SessionMeter> | null {
    if (this.#sessions.size === 0) return null;
    const sessions = [...this.#sessions].filter(([, live]) => !live.charges.isBeingWritten);
    return new Map(sessions.map(([id, live]) => [id, live.charges.meter()]));
  }

  #assertNotClosing(): void {
    if (this.#isClosing)
      throw new Failure('SHUTTING_DOWN', 'The service is shutting down. Try again in a few seconds.', {
        retryAfterSeconds: 5,
      });
  }
}

const lostSessionFailure = (session: Session): Failure =>
  new Failure(
    'DEPENDENCY_UNAVAILABLE',
    'The node that ran this session stopped, and the end of the session is not stored yet. Nothing was done.',
    { session, retryAfterSeconds: 5 },
  );
