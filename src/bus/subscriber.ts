/** A subscriber of a topic, with a queue of limited length. */
import type { Subscription } from '../domain/ports/eventBus.ts';

/** Options of `Subscriber`. */
export interface SubscriberOptions<Update> {
  /** Maximum number of queued updates; when the queue is full, the oldest are dropped. */
  readonly queueLength: number;
  /** Returns true for an update that the subscriber receives. Other updates do not enter the queue. */
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
export class Subscriber<Update> implements Subscription<Update> {
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
