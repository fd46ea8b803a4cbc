/** The bus of one process: notices go straight from publisher to subscribers' own queues. */
import type { EventBus, SessionNotice } from '../domain/ports.ts';

/** Notices that a subscriber may be behind before it loses the oldest. */
export const QUEUE_LENGTH = 256;

/** @returns a bus on which publishing never waits and never throws */
export function memoryBus(): EventBus {
  const accounts = new Map<string, Set<Subscriber>>();
  return {
    publish(notice) {
      for (const subscriber of accounts.get(notice.session.accountId) ?? []) subscriber.push(notice);
    },

    subscribe(accountId, signal) {
      const subscriber = new Subscriber(signal, () => {
        const left = accounts.get(accountId);
        left?.delete(subscriber);
        if (left?.size === 0) accounts.delete(accountId);
      });
      if (signal?.aborted === true) return subscriber;
      const subscribers = accounts.get(accountId) ?? new Set();
      accounts.set(accountId, subscribers.add(subscriber));
      return subscriber;
    },
  };
}

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
