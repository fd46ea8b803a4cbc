/** The sessions whose browsers this process holds. */
import type { Viewer } from '../domain/account.ts';
import { Failure } from '../domain/failures.ts';
import type { Charge } from '../domain/ledger.ts';
import type { BrowserHost, Clock, EventBus, SessionStore } from '../domain/ports.ts';
import {
  type ActiveSession,
  endedFailure,
  isActive,
  type Session,
  sessionError,
  transition,
} from '../domain/session.ts';
import type { UpstreamProxy } from '../domain/upstreamProxy.ts';
import { Heartbeat } from './heartbeat.ts';
import { LiveSession, type LiveSurroundings } from './liveSession.ts';
import { OwedEnds } from './owedEnds.ts';
import { Reaper } from './reaper.ts';
import type { AskedOperation, SessionMeter } from './sessionMeter.ts';
import { SessionPlaces } from './sessionPlaces.ts';

export interface LiveParts {
  readonly store: SessionStore;
  readonly bus: EventBus;
  readonly browsers: BrowserHost;
  readonly clock: Clock;
  readonly warn: (message: string, error?: unknown) => void;
}

const RESTARTED = 'The service was restarted, and the browser of this session ended with it.';

/** What a beginning needs beside the session. */
export interface Beginning {
  readonly meter: SessionMeter;
  /** Judged when there is a browser: others may have used up the balance while it waited. @throws Failure when it may not begin */
  readonly mayBegin: () => Promise<void>;
  /** The operation that is done with it; null when the session is made for another. */
  readonly started: AskedOperation | null;
  /** Sessions that the account may have at once; null for any number. */
  readonly mostAtOnce: number | null;
  /** The session's own way out; null for the service's. */
  readonly proxy: UpstreamProxy | null;
  readonly caller: AbortSignal;
}

export class LiveSessions {
  readonly #parts: LiveParts;
  readonly #live = new Map<string, LiveSession>();
  readonly #places = new SessionPlaces();
  readonly #beginning = new Set<Promise<unknown>>();
  readonly #reaper: Reaper<LiveSession>;
  readonly #owed: OwedEnds;
  readonly #heart: Heartbeat;
  readonly #around: LiveSurroundings;
  readonly #forgetClock: (() => void) | null;
  #closing = false;

  constructor(parts: LiveParts) {
    this.#parts = parts;
    this.#reaper = new Reaper(parts.clock, () => this.#live.values());
    this.#owed = new OwedEnds(parts);
    this.#heart = new Heartbeat(parts.store, parts.clock, () => [...this.#live.keys()]);
    this.#forgetClock =
      parts.clock.onJump?.(byMs => {
        for (const live of this.#live.values()) live.clockSet(byMs);
        if (!this.#closing) this.#reaper.look();
      }) ?? null;
    this.#around = {
      store: parts.store,
      now: () => parts.clock.now(),
      publish: notice => parts.bus.publish(notice),
      booked: accountId => parts.bus.booked(accountId),
      endOwed: change => {
        this.#owed.owe(change);
        parts.warn(`The end of session ${change.session.id} could not be written; it is tried again`);
      },
      ended: session => {
        this.#live.delete(session.id);
        this.#places.giveBack(session.accountId, session.id);
      },
      rescheduled: live => this.#reaper.watch(live),
      warn: parts.warn,
    };
  }

  now(): number {
    return this.#parts.clock.now();
  }

  get size(): number {
    return this.#live.size;
  }

  get closing(): boolean {
    return this.#closing;
  }

  /** A session as it is, where that is not what the store holds: it lives here, or its end is not written yet. */
  stateOf(sessionId: string): Session | null {
    return this.#live.get(sessionId)?.session ?? this.#owed.peek(sessionId);
  }

  /** The live state of a session, if it lives here. */
  peek(sessionId: string): LiveSession | null {
    return this.#live.get(sessionId) ?? null;
  }

  /**
   * Sessions that the store holds for active but nobody has a browser for: ended, with the reason.
   * @param chargeOf what is still to be charged for one that was last seen then
   */
  async buryLost(chargeOf: (session: Session, seenAt: number) => Promise<Charge | null>): Promise<number> {
    const { store } = this.#parts;
    const lost = (await store.active()).filter(session => !this.#live.has(session.id));
    const seen = await store.lastSeen(lost.map(({ id }) => id));
    for (const [index, session] of lost.entries()) {
      const at = this.now();
      const charge = await chargeOf(session, seen[index] ?? session.lastAccessedAt);
      const ended = transition(session, { type: 'browser_lost', at, reason: RESTARTED });
      await store.commit({
        session: ended,
        events: [{ type: 'ended', at, status: 'error', reason: RESTARTED }],
        ledger: charge === null ? [] : [charge],
      });
    }
    return lost.length;
  }

  /**
   * Gets a browser for a new session and writes the session down.
   * @throws Failure AT_CAPACITY, BROWSER_CRASHED, CONCURRENCY_LIMIT, SHUTTING_DOWN, STORAGE_FULL, URL_BLOCKED
   */
  async begin(session: ActiveSession, beginning: Beginning): Promise<LiveSession> {
    this.#refuseWhenClosing();
    this.#places.take(session.accountId, session.id, beginning.mostAtOnce);
    const work = this.#begin(session, beginning);
    this.#beginning.add(work);
    try {
      return await work;
    } catch (error) {
      this.#places.giveBack(session.accountId, session.id);
      throw error;
    } finally {
      this.#beginning.delete(work);
    }
  }

  async #begin(
    session: ActiveSession,
    { meter, mayBegin, started, proxy, caller }: Beginning,
  ): Promise<LiveSession> {
    const live = new LiveSession(session, meter, this.#around);
    let hasBegun = false;
    const early: (() => void)[] = [];
    const ending = (type: 'browser_lost' | 'bound_passed') => (reason: string) => {
      const end = (): void =>
        void live
          .end({ type, at: this.now(), reason })
          .catch(error => this.#parts.warn('The end of a session could not be written', error));
      // Its beginning is written before its end is.
      if (hasBegun) end();
      else early.push(end);
    };
    const listener = {
      lost: ending('browser_lost'),
      overran: ending('bound_passed'),
      happened: live.happened.bind(live),
    };
    const tenancy = { sessionId: session.id, accountId: session.accountId, proxy };
    const lease = await this.#parts.browsers.open(tenancy, listener, caller);
    try {
      await mayBegin();
      this.#live.set(session.id, live);
      await live.begin(lease, started);
      hasBegun = true;
      early[0]?.();
    } catch (error) {
      this.#live.delete(session.id);
      await lease.close();
      throw error;
    }
    const begun = live.session;
    if (isActive(begun)) {
      this.#heart.start();
      return live;
    }
    const why = sessionError(begun) ?? 'The service ended it.';
    throw new Failure('BROWSER_CRASHED', `The session ended as it began. ${why}`, { session: begun });
  }

  /** The live session of the viewer's account. @throws Failure SESSION_NOT_FOUND, SESSION_CLOSED, SESSION_TIMED_OUT, SESSION_ERROR */
  async find(viewer: Viewer, sessionId: string): Promise<LiveSession> {
    this.#refuseWhenClosing();
    const known = await this.lookUp(viewer, sessionId);
    if (known instanceof LiveSession) return known;
    if (isActive(known)) throw new Error(`Session ${sessionId} is active in the store, but lives nowhere`);
    throw endedFailure(known);
  }

  /** The live session, or what the store holds of an ended one. @throws Failure SESSION_NOT_FOUND */
  async lookUp(viewer: Viewer, sessionId: string): Promise<LiveSession | Session> {
    const live = this.#live.get(sessionId.toLowerCase());
    if (live !== undefined && live.session.accountId === viewer.account.id && isActive(live.session))
      return live;
    if (live !== undefined && live.session.accountId === viewer.account.id) return live.session;
    const [kept] = await this.#parts.store.load(viewer.account.id, [sessionId.toLowerCase()]);
    if (kept == null)
      throw new Failure('SESSION_NOT_FOUND', `This account has no session ${sessionId.slice(0, 100)}.`);
    return this.#owed.peek(kept.id) ?? kept;
  }

  /** Closes every session; those that are being made too. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#reaper.stop();
    this.#heart.stop();
    this.#forgetClock?.();
    // Those that wait for a place get one as the others leave.
    await this.#closeLive();
    await Promise.allSettled(this.#beginning);
    await this.#closeLive();
    await this.#owed.settle();
    this.#owed.stop();
  }

  async #closeLive(): Promise<void> {
    const ends = [...this.#live.values()].map(live => live.end({ type: 'close', at: this.now() }));
    await Promise.allSettled(ends);
  }

  #refuseWhenClosing(): void {
    if (this.#closing)
      throw new Failure('SHUTTING_DOWN', 'The service is shutting down. Try again in a moment.', {
        retryAfterSeconds: 5,
      });
  }
}
