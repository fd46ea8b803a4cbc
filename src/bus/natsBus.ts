import type { Msg, Subscription as NatsSubscription } from '@nats-io/transport-node';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../domain/ports/clock.ts';
import type { EventBus, SessionUpdate } from '../domain/ports/eventBus.ts';
import { type MissedUpdateStore, MissedUpdates, memoryBus } from './memoryBus.ts';
import { eventSubject, ledgerSubject, type NatsConnection } from './natsConnection.ts';

const MAX_SESSIONS = 10_000;
/** Updates that wait while missed ones are read; above it the oldest are dropped, and the gap is read too. */
const MAX_WAITING = 5_000;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 2_000;

interface AccountFeedOptions {
  readonly accountId: string;
  /** Time of the first subscription, in milliseconds since the epoch. */
  readonly subscribedAt: number;
  readonly missed: MissedUpdates;
  readonly publish: (update: SessionUpdate) => void;
  /** Calls back after `ms` milliseconds. @returns a function that cancels the call */
  readonly scheduleAfter: (ms: number, callback: () => void) => () => void;
}

class AccountFeed {
  readonly #options: AccountFeedOptions;
  readonly #lastSeqs = new LRUCache<string, number>({ max: MAX_SESSIONS });
  readonly #closed = new AbortController();
  /** Sessions to read from the store, or `null` for all that changed since a time. */
  #toRead: { readonly sessionIds: Set<string>; since: number | null } | undefined;
  /** Updates that arrived while the store is read; undefined while it is not. */
  #waiting: SessionUpdate[] | undefined;
  #isReading = false;
  readonly #wasRead = new Set<string>();

  constructor(options: AccountFeedOptions) {
    this.#options = options;
  }

  /** Publishes an update, without the events that were published before. */
  add(update: SessionUpdate): void {
    if (this.#waiting === undefined) {
      this.#publish(update);
      return;
    }
    this.#waiting.push(update);
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
  }

  /** Reads from the store what changed since a time, in milliseconds since the epoch. */
  replaySince(since: number): void {
    this.#toRead ??= { sessionIds: new Set(), since: null };
    this.#toRead.since = Math.min(this.#toRead.since ?? since, since);
    this.#read();
  }

  replaySession(sessionId: string): void {
    this.#toRead ??= { sessionIds: new Set(), since: null };
    this.#toRead.sessionIds.add(sessionId);
    this.#read();
  }

  close(): void {
    this.#closed.abort();
  }

  #publish(update: SessionUpdate): void {
    const { session } = update;
    const last = this.#lastSeqs.get(session.id);
    const events = update.events.filter(({ seq }) => last === undefined || seq > last);
    const [first] = events;
    if (first === undefined) {
      if (update.events.length === 0) this.#options.publish(update);
      return;
    }
    // A session that is new since the first subscription has to begin with its first event.
    const expected = last ?? (session.createdAt >= this.#options.subscribedAt ? 0 : first.seq - 1);
    if (first.seq > expected + 1 && !this.#wasRead.has(session.id)) {
      this.#waiting = [update];
      this.replaySession(session.id);
      return;
    }
    this.#lastSeqs.set(session.id, events.at(-1)?.seq ?? first.seq);
    this.#options.publish(events.length === update.events.length ? update : { ...update, events });
  }

  #read(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#waiting ??= [];
    void this.#readAll().finally(() => {
      this.#isReading = false;
      const waiting = this.#waiting ?? [];
      this.#waiting = undefined;
      // An update with a gap starts the next read, for which the rest waits.
      for (const update of waiting) this.add(update);
      if (this.#waiting === undefined) this.#wasRead.clear();
    });
  }

  /** Reads until nothing is left to read. Tries again while the store fails. */
  async #readAll(): Promise<void> {
    const { accountId, subscribedAt, missed, scheduleAfter } = this.#options;
    const { signal } = this.#closed;
    let retryMs = FIRST_RETRY_MS;
    while (this.#toRead !== undefined && !signal.aborted) {
      const { sessionIds, since } = this.#toRead;
      this.#toRead = undefined;
      try {
        const lastSeq = (id: string) => this.#lastSeqs.get(id);
        const from = { accountId, sessionIds: [...sessionIds], since, subscribedAt, lastSeq };
        for await (const update of missed.read(from)) {
          if (signal.aborted) return;
          this.#wasRead.add(update.session.id);
          this.#publishRead(update);
        }
        for (const id of sessionIds) this.#wasRead.add(id);
      } catch {
        if (since !== null) this.replaySince(since);
        for (const id of sessionIds) this.replaySession(id);
        const { promise, resolve } = Promise.withResolvers<void>();
        const cancel = scheduleAfter(retryMs, resolve);
        signal.addEventListener('abort', () => {
          cancel();
          resolve();
        });
        await promise;
        retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
      }
    }
  }

  /** Publishes what the store has: it is complete, so a gap means that the events were removed. */
  #publishRead(update: SessionUpdate): void {
    const last = this.#lastSeqs.get(update.session.id) ?? 0;
    const events = update.events.filter(({ seq }) => seq > last);
    const newest = events.at(-1);
    if (newest === undefined) return;
    this.#lastSeqs.set(update.session.id, newest.seq);
    this.#options.publish({ ...update, events });
  }
}

/** Each account disappears some time after it was added last. */
function recentAccounts(clock: Pick<Clock, 'now'>, keepMs: number) {
  /** The earliest first. */
  const addedAt = new Map<string, number>();
  let isHeld = false;
  const forget = (now: number): void => {
    for (const [accountId, at] of isHeld ? [] : addedAt) {
      if (now - at <= keepMs) return;
      addedAt.delete(accountId);
    }
  };
  return {
    /** Adds an account, or keeps it longer. */
    add(accountId: string): void {
      const now = clock.now();
      addedAt.delete(accountId);
      addedAt.set(accountId, now);
      forget(now);
    },
    /** Keeps every account until `release()`. */
    hold(): void {
      forget(clock.now());
      isHeld = true;
    },
    /** Returns the accounts since `hold()` and shortly before. */
    release(): readonly string[] {
      isHeld = false;
      return [...addedAt.keys()];
    },
  };
}

/** A break of the connection is noticed up to this many milliseconds later; the clocks of the nodes may differ by as much. */
const NOTICE_DELAY_MS = 15_000;
/** Time between two readings of the clock, in milliseconds. If one is later than SUSPENDED_AFTER_MS, the process was suspended. */
const LOOK_INTERVAL_MS = 1_000;
const SUSPENDED_AFTER_MS = 5_000;
const OVERHEAD_BYTES = 1_024;

/** A message of one node to the others: an update; a session to read, because its update is too large; or the length of a break, in milliseconds. */
type BusMessage = SessionUpdate | { readonly readSession: string } | { readonly missedForMs: number };

export interface NatsBusDeps {
  readonly connection: NatsConnection;
  /** The store of the sessions: what did not arrive is read from it. */
  readonly sessions: MissedUpdateStore;
  readonly clock: Pick<Clock, 'now' | 'scheduleAfter'>;
}

/** Creates the event bus of this node. It ends with its connection. */
export function natsBus(deps: NatsBusDeps): EventBus {
  return new NatsBus(deps).bus;
}

/** The local subscribers of an account, and the subject from which they get the updates of other nodes. */
interface Interest {
  subscribers: number;
  readonly subscription: NatsSubscription;
  /** Resolves when the server knows of the subscription. */
  readonly started: Promise<void>;
}

class NatsBus {
  readonly bus: EventBus;
  readonly #deps: NatsBusDeps;
  readonly #origin = crypto.randomUUID();
  readonly #missed: MissedUpdates;
  readonly #sessions = new Map<string, Interest & { readonly feed: AccountFeed }>();
  readonly #ledgers = new Map<string, Interest>();
  /** Accounts of which this node published something lately: what was sent just before a break may be lost. */
  readonly #recentSessions: ReturnType<typeof recentAccounts>;
  readonly #recentLedgers: ReturnType<typeof recentAccounts>;
  /** Time of the first break after which the store was not read, in milliseconds since the epoch; null if there is none. */
  #unreadSince: number | null = null;

  constructor(deps: NatsBusDeps) {
    this.#deps = deps;
    this.#missed = new MissedUpdates(deps.sessions);
    this.#recentSessions = recentAccounts(deps.clock, NOTICE_DELAY_MS);
    this.#recentLedgers = recentAccounts(deps.clock, NOTICE_DELAY_MS);
    const local = memoryBus({
      onSubscribe: (topic, accountId) => this.#onSubscribe(topic, accountId),
      onUnsubscribe: (topic, accountId) => this.#onUnsubscribe(topic, accountId),
    });
    this.#local = local;
    this.bus = {
      publish: update => this.#publish(update),
      publishLedgerUpdate: accountId => {
        local.publishLedgerUpdate(accountId);
        this.#recentLedgers.add(accountId);
        this.#sendLedgerUpdate(accountId);
      },
      subscribe: (accountId, options) => local.subscribe(accountId, options),
      subscribeLedger: (accountId, signal) => local.subscribeLedger(accountId, signal),
    };
    deps.connection.onConnectionChange(isConnected => {
      if (isConnected) this.#recover();
      else this.#lose();
    });
    this.#look(deps.clock.now());
  }
  readonly #local: EventBus;

  #publish(update: SessionUpdate): void {
    const { accountId, id } = update.session;
    const feed = this.#sessions.get(accountId)?.feed;
    if (feed === undefined) this.#local.publish(update);
    else feed.add(update);
    this.#recentSessions.add(accountId);
    const message = JSON.stringify(update satisfies BusMessage);
    const isLarge = Buffer.byteLength(message) > this.#deps.connection.maxPayload - OVERHEAD_BYTES;
    this.#sendEvent(accountId, isLarge ? { readSession: id } : message);
  }

  #sendEvent(accountId: string, message: BusMessage | string): void {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    this.#deps.connection.publish(`${eventSubject(accountId)}.${this.#origin}`, text);
  }

  #sendLedgerUpdate(accountId: string): void {
    this.#deps.connection.publish(`${ledgerSubject(accountId)}.${this.#origin}`);
  }

  #onSubscribe(topic: 'sessions' | 'ledger', accountId: string): Promise<void> {
    if (topic === 'ledger') {
      const listen = () =>
        this.#listen(ledgerSubject(accountId), () => this.#local.publishLedgerUpdate(accountId));
      return increase(this.#ledgers, accountId, listen);
    }
    return increase(this.#sessions, accountId, () => {
      const feed = new AccountFeed({
        accountId,
        subscribedAt: this.#deps.clock.now(),
        missed: this.#missed,
        publish: update => this.#local.publish(update),
        scheduleAfter: (ms, callback) => this.#deps.clock.scheduleAfter(ms, callback),
      });
      const interest = this.#listen(eventSubject(accountId), message => this.#onEvent(feed, message));
      return { ...interest, feed };
    });
  }

  #onUnsubscribe(topic: 'sessions' | 'ledger', accountId: string): void {
    const map: Map<string, Interest & { readonly feed?: AccountFeed }> =
      topic === 'ledger' ? this.#ledgers : this.#sessions;
    const interest = map.get(accountId);
    if (interest === undefined) return;
    interest.subscribers -= 1;
    if (interest.subscribers > 0) return;
    map.delete(accountId);
    interest.subscription.unsubscribe();
    interest.feed?.close();
  }

  /** Subscribes to a subject of an account. Leaves out what this node published: its subscribers have it already. */
  #listen(subject: string, onMessage: (message: Msg) => void): Interest {
    const { connection } = this.#deps;
    const subscription = connection.subscribe(`${subject}.*`, message => {
      if (!message.subject.endsWith(this.#origin)) onMessage(message);
    });
    // While the connection is broken, its return makes up for everything.
    const started = connection.isConnected ? connection.client.flush().catch(() => {}) : Promise.resolve();
    return { subscribers: 0, subscription, started };
  }

  #onEvent(feed: AccountFeed, message: Msg): void {
    const event = message.json<BusMessage>();
    if ('missedForMs' in event)
      feed.replaySince(this.#deps.clock.now() - event.missedForMs - NOTICE_DELAY_MS);
    else if ('readSession' in event) feed.replaySession(event.readSession);
    else feed.add(event);
  }

  /** A suspended process may have lost its connection without a sign: reads what changed since the last look. */
  #look(lastLookAt: number): void {
    const { clock } = this.#deps;
    const now = clock.now();
    if (now - lastLookAt > SUSPENDED_AFTER_MS) this.#readSince(lastLookAt);
    clock.scheduleAfter(LOOK_INTERVAL_MS, () => this.#look(now));
  }

  #lose(): void {
    this.#unreadSince ??= this.#deps.clock.now();
    this.#recentSessions.hold();
    this.#recentLedgers.hold();
  }

  /** Reads what the other nodes published meanwhile, and makes them read what this one published. */
  #recover(): void {
    const now = this.#deps.clock.now();
    const since = this.#unreadSince ?? now;
    const missedForMs = Math.max(0, now - since);
    // The server must know of the subscriptions before the store is read: what is committed after the read has to arrive.
    void this.#deps.connection.client.flush().then(
      () => {
        if (!this.#deps.connection.isConnected) return;
        this.#unreadSince = null;
        this.#readSince(since);
      },
      // The connection broke again. Its next return reads from the first break on.
      () => {},
    );
    for (const accountId of this.#recentSessions.release()) this.#sendEvent(accountId, { missedForMs });
    for (const accountId of this.#recentLedgers.release()) this.#sendLedgerUpdate(accountId);
  }

  #readSince(at: number): void {
    for (const { feed } of this.#sessions.values()) feed.replaySince(at - NOTICE_DELAY_MS);
    for (const accountId of this.#ledgers.keys()) this.#local.publishLedgerUpdate(accountId);
  }
}

function increase<Each extends Interest>(
  interests: Map<string, Each>,
  accountId: string,
  create: () => Each,
): Promise<void> {
  const interest = interests.get(accountId) ?? create();
  interests.set(accountId, interest);
  interest.subscribers += 1;
  return interest.started;
}
