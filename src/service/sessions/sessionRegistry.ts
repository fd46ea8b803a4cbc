/** The sessions whose browsers this process holds. */
import type { Viewer } from '../../domain/account.ts';
import { Failure } from '../../domain/failures.ts';
import type { Charge } from '../../domain/ledger.ts';
import type { BrowserHost } from '../../domain/ports/browserHost.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { EventBus } from '../../domain/ports/eventBus.ts';
import type { SessionStore } from '../../domain/ports/sessionStore.ts';
import { type ActiveSession, isActive, type Session, sessionError } from '../../domain/session.ts';
import { sessionEndedFailure, transition } from '../../domain/sessionTransition.ts';
import type { UpstreamProxy } from '../../domain/upstreamProxy.ts';
import type { RequestedOperation, SessionMeter } from '../billing/sessionMeter.ts';
import { AccountConcurrencyLimiter } from './accountConcurrencyLimiter.ts';
import { LiveSession, type LiveSessionDeps } from './liveSession.ts';
import { PendingSessionEnds } from './pendingSessionEnds.ts';
import { SessionHeartbeat } from './sessionHeartbeat.ts';
import { SessionReaper } from './sessionReaper.ts';

export interface SessionRegistryDeps {
  readonly store: SessionStore;
  readonly bus: EventBus;
  readonly browsers: BrowserHost;
  readonly clock: Clock;
  readonly warn: (message: string, error?: unknown) => void;
}

const RESTARTED_REASON = 'The service was restarted, and the browser of this session ended with it.';

/** What a beginning needs beside the session. */
export interface SessionStartOptions {
  readonly meter: SessionMeter;
  /** Judged when there is a browser: others may have used up the balance while it waited. @throws Failure when it may not begin */
  readonly assertMayStart: () => Promise<void>;
  /** The operation that is done with it; null when the session is made for another. */
  readonly startOperation: RequestedOperation | null;
  /** Sessions that the account may have at once; null for any number. */
  readonly maxConcurrentSessions: number | null;
  /** The session's own way out; null for the service's. */
  readonly proxy: UpstreamProxy | null;
  readonly signal: AbortSignal;
}

export class SessionRegistry {
  readonly #deps: SessionRegistryDeps;
  readonly #sessions = new Map<string, LiveSession>();
  readonly #concurrency = new AccountConcurrencyLimiter();
  readonly #starting = new Set<Promise<unknown>>();
  readonly #reaper: SessionReaper<LiveSession>;
  readonly #pendingEnds: PendingSessionEnds;
  readonly #heartbeat: SessionHeartbeat;
  readonly #sessionDeps: LiveSessionDeps;
  readonly #stopWatchingClock: (() => void) | null;
  #isClosing = false;

  constructor(deps: SessionRegistryDeps) {
    this.#deps = deps;
    this.#reaper = new SessionReaper(deps.clock, () => this.#sessions.values());
    this.#pendingEnds = new PendingSessionEnds(deps);
    this.#heartbeat = new SessionHeartbeat(deps.store, deps.clock, () => [...this.#sessions.keys()]);
    this.#stopWatchingClock =
      deps.clock.onJump?.(byMs => {
        for (const live of this.#sessions.values()) live.adjustForClockJump(byMs);
        if (!this.#isClosing) this.#reaper.checkNow();
      }) ?? null;
    this.#sessionDeps = {
      store: deps.store,
      now: () => deps.clock.now(),
      publish: notice => deps.bus.publish(notice),
      publishLedgerUpdate: accountId => deps.bus.publishLedgerUpdate(accountId),
      onEndUnwritten: change => {
        this.#pendingEnds.add(change);
        deps.warn(`The end of session ${change.session.id} could not be written; it is tried again`);
      },
      onEnded: session => {
        this.#sessions.delete(session.id);
        this.#concurrency.release(session.accountId, session.id);
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

  /** A session as it is, where that is not what the store holds: it lives here, or its end is not written yet. */
  currentState(sessionId: string): Session | null {
    return this.#sessions.get(sessionId)?.session ?? this.#pendingEnds.get(sessionId);
  }

  /** The live state of a session, if it lives here. */
  getLive(sessionId: string): LiveSession | null {
    return this.#sessions.get(sessionId) ?? null;
  }

  /**
   * Sessions that the store holds for active but nobody has a browser for: ended, with the reason.
   * @param chargeOf what is still to be charged for one that was last seen then
   */
  async failOrphanedSessions(
    chargeOf: (session: Session, seenAt: number) => Promise<Charge | null>,
  ): Promise<number> {
    const { store } = this.#deps;
    const lost = (await store.activeSessions()).filter(session => !this.#sessions.has(session.id));
    const seen = await store.lastSeenAt(lost.map(({ id }) => id));
    for (const [index, session] of lost.entries()) {
      const at = this.now();
      const charge = await chargeOf(session, seen[index] ?? session.lastAccessedAt);
      const ended = transition(session, { type: 'browser_lost', at, reason: RESTARTED_REASON });
      await store.commit({
        session: ended,
        events: [{ type: 'ended', at, status: 'error', reason: RESTARTED_REASON }],
        ledger: charge === null ? [] : [charge],
      });
    }
    return lost.length;
  }

  /**
   * Gets a browser for a new session and writes the session down.
   * @throws Failure AT_CAPACITY, BROWSER_CRASHED, CONCURRENCY_LIMIT, SHUTTING_DOWN, STORAGE_FULL, URL_BLOCKED
   */
  async start(session: ActiveSession, options: SessionStartOptions): Promise<LiveSession> {
    this.#assertNotClosing();
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

  async #open(
    session: ActiveSession,
    { meter, assertMayStart, startOperation, proxy, signal }: SessionStartOptions,
  ): Promise<LiveSession> {
    const live = new LiveSession(session, meter, this.#sessionDeps);
    let hasBegun = false;
    const early: (() => void)[] = [];
    const ending = (type: 'browser_lost' | 'limit_exceeded') => (reason: string) => {
      const end = (): void =>
        void live
          .end({ type, at: this.now(), reason })
          .catch(error => this.#deps.warn('The end of a session could not be written', error));
      // Its beginning is written before its end is.
      if (hasBegun) end();
      else early.push(end);
    };
    const listener = {
      onLost: ending('browser_lost'),
      onLimitExceeded: ending('limit_exceeded'),
      onEvent: live.recordEvent.bind(live),
    };
    const tenancy = { sessionId: session.id, accountId: session.accountId, proxy };
    const lease = await this.#deps.browsers.open(tenancy, listener, signal);
    try {
      await assertMayStart();
      this.#sessions.set(session.id, live);
      await live.start(lease, startOperation);
      hasBegun = true;
      early[0]?.();
    } catch (error) {
      this.#sessions.delete(session.id);
      await lease.close();
      throw error;
    }
    const begun = live.session;
    if (isActive(begun)) {
      this.#heartbeat.start();
      return live;
    }
    const why = sessionError(begun) ?? 'The service ended it.';
    throw new Failure('BROWSER_CRASHED', `The session ended as it began. ${why}`, { session: begun });
  }

  /** The live session of the viewer's account. @throws Failure SESSION_NOT_FOUND, SESSION_CLOSED, SESSION_TIMED_OUT, SESSION_ERROR */
  async requireLive(viewer: Viewer, sessionId: string): Promise<LiveSession> {
    this.#assertNotClosing();
    const known = await this.resolve(viewer, sessionId);
    if (known instanceof LiveSession) return known;
    if (isActive(known)) throw new Error(`Session ${sessionId} is active in the store, but lives nowhere`);
    throw sessionEndedFailure(known);
  }

  /** The live session, or what the store holds of an ended one. @throws Failure SESSION_NOT_FOUND */
  async resolve(viewer: Viewer, sessionId: string): Promise<LiveSession | Session> {
    const live = this.#sessions.get(sessionId.toLowerCase());
    if (live !== undefined && live.session.accountId === viewer.account.id && isActive(live.session))
      return live;
    if (live !== undefined && live.session.accountId === viewer.account.id) return live.session;
    const [kept] = await this.#deps.store.load(viewer.account.id, [sessionId.toLowerCase()]);
    if (kept == null)
      throw new Failure('SESSION_NOT_FOUND', `This account has no session ${sessionId.slice(0, 100)}.`);
    return this.#pendingEnds.get(kept.id) ?? kept;
  }

  /** Closes every session; those that are being made too. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#reaper.stop();
    this.#heartbeat.stop();
    this.#stopWatchingClock?.();
    // Those that wait for a place get one as the others leave.
    await this.#closeAll();
    await Promise.allSettled(this.#starting);
    await this.#closeAll();
    await this.#pendingEnds.flush();
    this.#pendingEnds.stop();
  }

  async #closeAll(): Promise<void> {
    const ends = [...this.#sessions.values()].map(live => live.end({ type: 'close', at: this.now() }));
    await Promise.allSettled(ends);
  }

  #assertNotClosing(): void {
    if (this.#isClosing)
      throw new Failure('SHUTTING_DOWN', 'The service is shutting down. Try again in a moment.', {
        retryAfterSeconds: 5,
      });
  }
}
