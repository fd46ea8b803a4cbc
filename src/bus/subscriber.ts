/** One reader of a topic: either notices wait for it, or it waits for notices. */

/** What a subscriber is made of. */
export interface SubscriberOptions<Notice> {
  /** Notices that may wait for it; of more the oldest are dropped. */
  readonly queueLength: number;
  /** What it wants at all; the rest takes no room. */
  readonly filter: (notice: Notice) => boolean;
  /** The notice as it is told after so many were dropped. */
  readonly withMissed: (notice: Notice, missed: number) => Notice;
  readonly signal: AbortSignal | undefined;
  /** Told when it ends; once or more. */
  readonly onEnd: () => void;
}

const ENDED: IteratorReturnResult<undefined> = { done: true, value: undefined };

export class Subscriber<Notice> implements AsyncIterableIterator<Notice> {
  readonly #options: SubscriberOptions<Notice>;
  // A ring: a stalled subscriber costs one slot's write a notice, however far it is behind.
  readonly #ring: (Notice | undefined)[] = [];
  #first = 0;
  #count = 0;
  #missed = 0;
  readonly #pendingReads: ((result: IteratorResult<Notice, undefined>) => void)[] = [];
  #ended: boolean;

  constructor(options: SubscriberOptions<Notice>) {
    this.#options = options;
    this.#ended = options.signal?.aborted === true;
    options.signal?.addEventListener('abort', this.#end, { once: true });
  }

  push(notice: Notice): void {
    const { queueLength, filter } = this.#options;
    if (!filter(notice)) return;
    const reader = this.#pendingReads.shift();
    if (reader !== undefined) {
      reader({ done: false, value: notice });
      return;
    }
    this.#ring[(this.#first + this.#count) % queueLength] = notice;
    if (this.#count < queueLength) {
      this.#count += 1;
      return;
    }
    this.#first = (this.#first + 1) % queueLength;
    this.#missed += 1;
  }

  next(): Promise<IteratorResult<Notice, undefined>> {
    const { queueLength, withMissed } = this.#options;
    const notice = this.#ring[this.#first];
    if (this.#count > 0 && notice !== undefined) {
      this.#ring[this.#first] = undefined;
      this.#first = (this.#first + 1) % queueLength;
      this.#count -= 1;
      const value = this.#missed === 0 ? notice : withMissed(notice, this.#missed);
      this.#missed = 0;
      return Promise.resolve({ done: false, value });
    }
    if (this.#ended) return Promise.resolve(ENDED);
    return new Promise(resolve => this.#pendingReads.push(resolve));
  }

  return(): Promise<IteratorResult<Notice, undefined>> {
    this.#end();
    return Promise.resolve(ENDED);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  // What is queued goes with it: who ends a subscription has no more use for it.
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
