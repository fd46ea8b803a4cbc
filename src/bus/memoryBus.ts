/** EventBus within one process: publishing adds an update to the queue of each subscriber. */
import type { EventBus, SessionUpdate } from '../domain/ports/eventBus.ts';
import { Subscriber, type SubscriberOptions } from './subscriber.ts';

/** Maximum number of queued session updates per subscriber; when the queue is full, the oldest are dropped. */
export const SUBSCRIBER_QUEUE_LENGTH = 256;

/** The functions that `memoryBus` calls for the subscriptions to the sessions and to the ledger of an account. */
export interface SubscriptionListener {
  /** A subscription begins. @returns a promise that resolves when every later update will arrive */
  onSubscribe(kind: 'sessions' | 'ledger', accountId: string): Promise<void>;
  /** A subscription ends. Called once for each `onSubscribe`. */
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
