/** The bus of one process: notices go straight from publisher to subscribers' own queues. */
import type { EventBus, SessionUpdate } from '../domain/ports/eventBus.ts';
import { Subscriber, type SubscriberOptions } from './subscriber.ts';

/** Notices that a subscriber may be behind before it loses the oldest. */
export const SUBSCRIBER_QUEUE_LENGTH = 256;

/** @returns a bus on which publishing never waits and never throws */
export function memoryBus(): EventBus {
  // By account, and by account and session: a change costs only those whom it concerns.
  const sessions = new TopicMap<SessionUpdate>();
  const books = new TopicMap<string>();
  return {
    publish(notice) {
      const { id, accountId } = notice.session;
      sessions.publish(accountId, notice);
      sessions.publish(topicOf(accountId, id), notice);
    },

    subscribe: (accountId, { signal, sessionId, filter = () => true } = {}) =>
      sessions.subscribe(sessionId === undefined ? accountId : topicOf(accountId, sessionId), {
        queueLength: SUBSCRIBER_QUEUE_LENGTH,
        filter,
        withMissed: (notice, missed) => ({ ...notice, missed }),
        signal,
      }),

    publishLedgerUpdate: accountId => books.publish(accountId, accountId),

    // One word says as much as many: there is something new to read.
    subscribeLedger: (accountId, signal) =>
      books.subscribe(accountId, { queueLength: 1, filter: () => true, withMissed: word => word, signal }),
  };
}

const topicOf = (accountId: string, sessionId: string): string => `${accountId}\n${sessionId}`;

class TopicMap<Notice> {
  readonly #topics = new Map<string, Set<Subscriber<Notice>>>();

  publish(topic: string, notice: Notice): void {
    for (const subscriber of this.#topics.get(topic) ?? []) subscriber.push(notice);
  }

  subscribe(topic: string, parts: Omit<SubscriberOptions<Notice>, 'onEnd'>): Subscriber<Notice> {
    const leave = () => {
      const left = this.#topics.get(topic);
      left?.delete(subscriber);
      if (left?.size === 0) this.#topics.delete(topic);
    };
    const subscriber: Subscriber<Notice> = new Subscriber({ ...parts, onEnd: leave });
    if (parts.signal?.aborted === true) return subscriber;
    const subscribers = this.#topics.get(topic) ?? new Set();
    this.#topics.set(topic, subscribers.add(subscriber));
    return subscriber;
  }
}
