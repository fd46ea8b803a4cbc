/** The bus of one process: notices go straight from publisher to subscribers' own queues. */
import type { EventBus, SessionNotice } from '../domain/ports.ts';

/** Notices that a subscriber may be behind before it loses the oldest. */
export const QUEUE_LENGTH = 256;

/** @returns a bus on which publishing never waits and never throws */
export function memoryBus(): EventBus {
  // By account, and by account and session: a change costs only those whom it concerns.
  const topics = new Map<string, Set<Subscriber>>();
  return {
    publish(notice) {
      const { id, accountId } = notice.session;
      for (const subscriber of topics.get(accountId) ?? []) subscriber.push(notice);
      for (const subscriber of topics.get(topicOf(accountId, id)) ?? []) subscriber.push(notice);
    },

    subscribe(accountId, signal, sessionId) {
      const topic = sessionId === undefined ? accountId : topicOf(accountId, sessionId);
      const subscriber = new Subscriber(signal, () => {
        const left = topics.get(topic);
        left?.delete(subscriber);
        if (left?.size === 0) topics.delete(topic);
      });
      if (signal?.aborted === true) return subscriber;
      const subscribers = topics.get(topic) ?? new Set();
      topics.set(topic, subscribers.add(subscriber));
      return subscriber;
    },
  };
}

const topicOf = (accountId: string, sessionId: string): string => `${accountId}\n${sessionId}`;

const ENDED: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** One reader: either notices wait for it, or it waits for notices. */
class Subscriber implements AsyncIterableIterator<SessionNotice> {
  // A ring: a stalled subscriber costs one slot's write a notice, however far it is behind.
  readonly #ring: (SessionNotice | undefined)[] = [];
  #first = 0;
  #count = 0;
  readonly #waiting: ((result: IteratorResult<SessionNotice, undefined>) => void)[] = [];
  #ended: boolean;
  readonly #signal: AbortSignal | undefined;
  readonly #leave: () => void;

  constructor(signal: AbortSignal | undefined, leave: () => void) {
    this.#signal = signal;
    this.#leave = leave;
    this.#ended = signal?.aborted === true;
    signal?.addEventListener('abort', this.#end, { once: true });
  }

  push(notice: SessionNotice): void {
    const reader = this.#waiting.shift();
    if (reader !== undefined) {
      reader({ done: false, value: notice });
      return;
    }
    this.#ring[(this.#first + this.#count) % QUEUE_LENGTH] = notice;
    if (this.#count < QUEUE_LENGTH) this.#count += 1;
    else this.#first = (this.#first + 1) % QUEUE_LENGTH;
  }

  next(): Promise<IteratorResult<SessionNotice, undefined>> {
    const notice = this.#ring[this.#first];
    if (this.#count > 0 && notice !== undefined) {
      this.#ring[this.#first] = undefined;
      this.#first = (this.#first + 1) % QUEUE_LENGTH;
      this.#count -= 1;
      return Promise.resolve({ done: false, value: notice });
    }
    if (this.#ended) return Promise.resolve(ENDED);
    return new Promise(resolve => this.#waiting.push(resolve));
  }

  return(): Promise<IteratorResult<SessionNotice, undefined>> {
    this.#end();
    return Promise.resolve(ENDED);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  // What is queued goes with it: who ends a subscription has no more use for it.
  readonly #end = (): void => {
    this.#ended = true;
    this.#signal?.removeEventListener('abort', this.#end);
    this.#leave();
    this.#ring.length = 0;
    this.#count = 0;
    this.#first = 0;
    for (const reader of this.#waiting.splice(0)) reader(ENDED);
  };
}
