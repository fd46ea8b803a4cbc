import { Semaphore } from '../async/fairTurns.ts';
import type { EventBus, SessionUpdate, Subscription } from '../domain/ports/eventBus.ts';
import type { SessionStore } from '../domain/ports/sessionStore.ts';
import { isActive, newSession, type Session } from '../domain/session/session.ts';

/** Accounts that are read at the same time: after a break every subscribed account is read at once. */
const MAX_READS = 4;
const BATCH = 50;
/** A subscriber of one session reads the events before these itself. */
const MAX_EVENTS = 500;

export type MissedUpdateStore = Pick<
  SessionStore,
  'load' | 'list' | 'lastSeqs' | 'eventsInRanges' | 'endedSince'
>;

interface MissedSelection {
  readonly accountId: string;
  readonly sessionIds: readonly string[];
  /** Reads also all sessions that are active or ended after this time; null for none. */
  readonly since: number | null;
  /** Events before this time are not missed, unless earlier events of their session were published. */
  readonly subscribedAt: number;
  readonly lastSeq: (sessionId: string) => number | undefined;
}

/** Reads from the store the updates that did not arrive over the bus. A few reads run at once; the others wait. */
export class MissedUpdates {
  readonly #store: MissedUpdateStore;
  readonly #reads = new Semaphore({ permits: MAX_READS });

  constructor(store: MissedUpdateStore) {
    this.#store = store;
  }

  async *read(selection: MissedSelection): AsyncGenerator<SessionUpdate, void, undefined> {
    const release = await this.#reads.acquire();
    try {
      const sessions = await this.#changed(selection);
      for (let start = 0; start < sessions.length; start += BATCH)
        yield* this.#updates(sessions.slice(start, start + BATCH), selection);
    } finally {
      release();
    }
  }

  async #changed({ accountId, sessionIds, since }: MissedSelection): Promise<readonly Session[]> {
    const found = new Map<string, Session>();
    const add = (sessions: readonly (Session | null)[]): void => {
      for (const session of sessions) if (session !== null) found.set(session.id, session);
    };
    // The active ones first: a session that ends meanwhile is found a second time, as ended.
    if (since !== null) {
      for (let after: string | null = null; ; ) {
        const page = await this.#store.list({
          accountId,
          statuses: ['active'],
          search: null,
          order: 'created_at_asc',
          limit: BATCH,
          after,
          before: null,
        });
        add(page.rows.map(({ session }) => session));
        if (!page.hasNext) break;
        after = page.rows.at(-1)?.cursor ?? null;
      }
      add(await this.#store.endedSince(accountId, since));
    }
    if (sessionIds.length > 0) add(await this.#store.load(accountId, sessionIds));
    return [...found.values()];
  }

  async *#updates(
    sessions: readonly Session[],
    { since, subscribedAt, lastSeq }: MissedSelection,
  ): AsyncGenerator<SessionUpdate, void, undefined> {
    const newest = await this.#store.lastSeqs(sessions.map(({ id }) => id));
    const changed = sessions
      .map((session, i) => ({ session, upTo: newest[i] ?? 0, last: lastSeq(session.id) }))
      .filter(({ upTo, last }) => upTo > (last ?? 0));
    const pages = await this.#store.eventsInRanges(
      changed.flatMap(({ session, upTo, last }) => {
        const after = Math.max(last ?? 0, upTo - MAX_EVENTS);
        // The first event says that the session was created.
        const first = last === undefined && after > 0 ? 1 : 0;
        return [
          { sessionId: session.id, after: 0, upTo: first },
          { sessionId: session.id, after, upTo },
        ];
      }),
    );
    const from = Math.max(since ?? 0, subscribedAt);
    for (const [i, { session, last }] of changed.entries()) {
      const stored = [...(pages[2 * i] ?? []), ...(pages[2 * i + 1] ?? [])];
      const events = last === undefined ? stored.filter(({ event }) => event.at >= from) : stored;
      yield* splitAtEnd({ session, events });
    }
  }
}

/** The events before the end belong to an active session: a subscriber sees both statuses. */
function splitAtEnd({ session, events }: SessionUpdate): readonly SessionUpdate[] {
  const ended = events.filter(({ event }) => event.type === 'ended');
  const before = events.filter(({ event }) => event.type !== 'ended');
  if (isActive(session) || ended.length === 0 || before.length === 0)
    return events.length === 0 ? [] : [{ session, events }];
  const { id, accountId, createdAt, timeoutMinutes, lastAccessedAt, url, pageTitle } = session;
  const active = newSession({ id, accountId, at: createdAt, timeoutMinutes });
  return [
    { session: { ...active, lastAccessedAt, url, pageTitle }, events: before },
    { session, events: ended },
  ];
}

interface SubscriberOptions<Update> {
  /** Maximum number of queued updates; when the queue is full, the oldest are dropped. */
  readonly queueLength: number;
  readonly filter: (update: Update) => boolean;
  /** Returns the update with `missed` added: the number of updates that were dropped before it. */
  readonly withMissed: (update: Update, missed: number) => Update;
  /** Ends the subscription when it aborts. */
  readonly signal: AbortSignal | undefined;
  /** Called when the subscription ends; can be called several times. */
  readonly onEnd: () => void;
}

const ENDED: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** The iterator that a subscription to the event bus returns. It queues updates until the reader takes them. */
class Subscriber<Update> implements Subscription<Update> {
  started: Promise<void> = Promise.resolve();
  readonly #options: SubscriberOptions<Update>;
  // A ring buffer: an update for a stalled subscriber costs one write.
  readonly #ring: (Update | undefined)[] = [];
  #first = 0;
  #count = 0;
  #missed = 0;
  readonly #pendingReads: ((result: IteratorResult<Update, undefined>) => void)[] = [];
  #ended: boolean;

  constructor(options: SubscriberOptions<Update>) {
    this.#options = options;
    this.#ended = options.signal?.aborted === true;
    options.signal?.addEventListener('abort', this.#end, { once: true });
  }

  /** Gives an update that matches the filter to a waiting reader, or queues it. Drops the oldest update of a full queue. */
  push(update: Update): void {
    const { queueLength, filter } = this.#options;
    if (!filter(update)) return;
    const reader = this.#pendingReads.shift();
    if (reader !== undefined) {
      reader({ done: false, value: update });
      return;
    }
    this.#ring[(this.#first + this.#count) % queueLength] = update;
    if (this.#count < queueLength) {
      this.#count += 1;
      return;
    }
    this.#first = (this.#first + 1) % queueLength;
    this.#missed += 1;
  }

  next(): Promise<IteratorResult<Update, undefined>> {
    const { queueLength, withMissed } = this.#options;
    const update = this.#ring[this.#first];
    if (this.#count > 0 && update !== undefined) {
      this.#ring[this.#first] = undefined;
      this.#first = (this.#first + 1) % queueLength;
      this.#count -= 1;
      const value = this.#missed === 0 ? update : withMissed(update, this.#missed);
      this.#missed = 0;
      return Promise.resolve({ done: false, value });
    }
    if (this.#ended) return Promise.resolve(ENDED);
    return new Promise(resolve => this.#pendingReads.push(resolve));
  }

  return(): Promise<IteratorResult<Update, undefined>> {
    this.#end();
    return Promise.resolve(ENDED);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  // Drop the queue: an ended subscription returns no more updates.
  readonly #end = (): void => {
    this.#ended = true;
    this.#options.signal?.removeEventListener('abort', this.#end);
    this.#options.onEnd();
    this.#ring.length = 0;
    this.#count = 0;
    this.#first = 0;
    for (const reader of this.#pendingReads.splice(0)) reader(ENDED);
  };
}

/** Maximum number of queued session updates per subscriber; when the queue is full, the oldest are dropped. */
export const SUBSCRIBER_QUEUE_LENGTH = 256;

/** The functions that `memoryBus` calls for the subscriptions to the sessions and to the ledger of an account. */
export interface SubscriptionListener {
  /** @returns a promise that resolves when every later update will arrive */
  onSubscribe(kind: 'sessions' | 'ledger', accountId: string): Promise<void>;
  /** Called once for each `onSubscribe`. */
  onUnsubscribe(kind: 'sessions' | 'ledger', accountId: string): void;
}

/** Creates an event bus within this process. Publishing never waits and never throws. */
export function memoryBus(listener?: SubscriptionListener): EventBus {
  // Topics: an account, and an account with a session. So an update is processed only for its own subscribers.
  const sessions = new TopicMap<SessionUpdate>('sessions', listener);
  const ledgers = new TopicMap<string>('ledger', listener);
  return {
    publish(update) {
      const { id, accountId } = update.session;
      sessions.publish(accountId, update);
      sessions.publish(topicOf(accountId, id), update);
    },

    subscribe: (accountId, { signal, sessionId, filter = () => true } = {}) =>
      sessions.subscribe(accountId, sessionId === undefined ? accountId : topicOf(accountId, sessionId), {
        queueLength: SUBSCRIBER_QUEUE_LENGTH,
        filter,
        withMissed: (update, missed) => ({ ...update, missed }),
        signal,
      }),

    publishLedgerUpdate: accountId => ledgers.publish(accountId, accountId),

    // One queued update is enough: subscribers read the ledger after they receive it.
    subscribeLedger: (accountId, signal) =>
      ledgers.subscribe(accountId, accountId, {
        queueLength: 1,
        filter: () => true,
        withMissed: id => id,
        signal,
      }),
  };
}

const topicOf = (accountId: string, sessionId: string): string => `${accountId}\n${sessionId}`;

class TopicMap<Update> {
  readonly #topics = new Map<string, Set<Subscriber<Update>>>();
  readonly #kind: 'sessions' | 'ledger';
  readonly #listener: SubscriptionListener | undefined;

  constructor(kind: 'sessions' | 'ledger', listener: SubscriptionListener | undefined) {
    this.#kind = kind;
    this.#listener = listener;
  }

  publish(topic: string, update: Update): void {
    for (const subscriber of this.#topics.get(topic) ?? []) subscriber.push(update);
  }

  subscribe(
    accountId: string,
    topic: string,
    options: Omit<SubscriberOptions<Update>, 'onEnd'>,
  ): Subscriber<Update> {
    const onEnd = () => {
      const subscribers = this.#topics.get(topic);
      if (subscribers?.delete(subscriber) !== true) return;
      if (subscribers.size === 0) this.#topics.delete(topic);
      this.#listener?.onUnsubscribe(this.#kind, accountId);
    };
    const subscriber: Subscriber<Update> = new Subscriber({ ...options, onEnd });
    if (options.signal?.aborted === true) return subscriber;
    const subscribers = this.#topics.get(topic) ?? new Set();
    this.#topics.set(topic, subscribers.add(subscriber));
    subscriber.started = this.#listener?.onSubscribe(this.#kind, accountId) ?? subscriber.started;
    return subscriber;
  }
}
