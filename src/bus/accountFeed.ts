/**
 * The session updates of one account on this node: those of all nodes, each event once and each session in order of
 * `seq`. What did not arrive is read from the store.
 */
import { LRUCache } from 'lru-cache';
import type { SessionUpdate } from '../domain/ports/eventBus.ts';
import type { MissedUpdates } from './subscriber.ts';

/** Number of sessions whose last published `seq` is kept. */
const MAX_SESSIONS = 10_000;
/** Updates that wait while missed ones are read; above it the oldest are dropped, and the gap is read too. */
const MAX_WAITING = 5_000;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 2_000;

/** The functions of the bus that a feed uses. */
export interface AccountFeedOptions {
  readonly accountId: string;
  /** Time of the first subscription, in milliseconds since the epoch. */
  readonly subscribedAt: number;
  readonly missed: MissedUpdates;
  /** Gives an update to the local subscribers. */
  readonly publish: (update: SessionUpdate) => void;
  /** Calls back after `ms` milliseconds. @returns a function that cancels the call */
  readonly scheduleAfter: (ms: number, callback: () => void) => () => void;
}

/** Puts the updates of an account in order. */
export class AccountFeed {
  readonly #options: AccountFeedOptions;
  readonly #lastSeqs = new LRUCache<string, number>({ max: MAX_SESSIONS });
  readonly #closed = new AbortController();
  /** Sessions to read from the store, or `null` for all that changed since a time. */
  #toRead: { readonly sessionIds: Set<string>; since: number | null } | undefined;
  /** Updates that arrived while the store is read; undefined while it is not. */
  #waiting: SessionUpdate[] | undefined;
  #isReading = false;
  /** Sessions that were just read: a gap that is left after it cannot be filled. */
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

  /** Reads the events of a session from the store. */
  replaySession(sessionId: string): void {
    this.#toRead ??= { sessionIds: new Set(), since: null };
    this.#toRead.sessionIds.add(sessionId);
    this.#read();
  }

  /** Publishes nothing more. */
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
