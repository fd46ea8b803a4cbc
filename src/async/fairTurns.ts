import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterMs, type Outcome, onAbort, race, type StopWhen } from './race.ts';

/**
 * Shares the event loop among callers. One event loop serves all callers, and work that is ready runs to its end before anything
 * else is read from a socket. So each caller's work is done in short turns, one for each pass of the loop, and callers alternate.
 */

/** Maximum length of a turn in milliseconds, for work that can be divided. */
const MAX_TURN_MS = 8;

/** The turns in which one caller may use the processor, between the turns of the others. */
export interface CallerTurns {
  /** Resolves at the caller's next turn. Await it before work that uses the processor. */
  next(): Promise<void>;
  /** Resolves at once while the present turn is short, otherwise at the caller's next turn. */
  continue(): Promise<void>;
  /** Returns a list that a reader receives in several turns if its work for the items takes long; the items if they are at most `short`. */
  sliced<Item>(items: readonly Item[], short: number): readonly Item[] | AsyncIterable<Item>;
}

/** Gives turns to callers, in rotation: a caller with a thousand waiting operations gets as many turns as one with a single operation. */
export class FairTurns {
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #now: () => number;
  #hasTurn = false;
  #turnStartedAt = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  of(caller: string): CallerTurns {
    const next = () => this.#next(caller);
    const isShort = () => this.#hasTurn && this.#now() - this.#turnStartedAt < MAX_TURN_MS;
    const pause = async () => {
      if (!isShort()) await next();
    };
    return {
      next,
      continue: pause,
      sliced: (items, short) => (items.length <= short ? items : slices(items, pause)),
    };
  }

  async #next(caller: string): Promise<void> {
    if (!this.#hasTurn) {
      this.#begin();
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const queue = this.#waiting.get(caller) ?? [];
    this.#waiting.set(caller, queue);
    queue.push(resolve);
    await promise;
  }

  #begin(): void {
    this.#hasTurn = true;
    this.#turnStartedAt = this.#now();
    setImmediate(() => this.#end());
  }

  #end(): void {
    this.#hasTurn = false;
    const [first] = this.#waiting;
    if (first === undefined) return;
    const [caller, queue] = first;
    const resolve = queue.shift();
    this.#waiting.delete(caller);
    if (queue.length > 0) this.#waiting.set(caller, queue);
    this.#begin();
    resolve?.();
  }
}

async function* slices<Item>(
  items: readonly Item[],
  pause: () => Promise<void>,
): AsyncGenerator<Item, void, undefined> {
  for (const item of items) {
    await pause();
    yield item;
  }
}

/** Calls `visit` for each item, in order; the event loop runs after every `perTurn` items, which take some milliseconds together. */
export async function eachInTurns<Item>(
  items: readonly Item[],
  perTurn: number,
  visit: (item: Item) => void,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % perTurn === 0) await nextTurn();
    visit(item);
  }
}

/** A queue in which owners take turns: an owner with many items delays the next item of another owner by one. */
export class TurnQueue<Item> {
  readonly #items = new Map<string, Item[]>();

  push(owner: string, item: Item): void {
    const own = this.#items.get(owner);
    if (own === undefined) this.#items.set(owner, [item]);
    else own.push(item);
  }

  /** Removes the oldest item of the owner whose turn it is; null for none. @param mayRun false for an owner to leave out now, which keeps its turn */
  shift(mayRun: (owner: string) => boolean = () => true): Item | null {
    for (const [owner, items] of this.#items) {
      if (!mayRun(owner)) continue;
      const item = items.shift();
      this.#items.delete(owner);
      if (items.length > 0) this.#items.set(owner, items);
      return item ?? null;
    }
    return null;
  }
}

interface SemaphoreOptions {
  /** Maximum number of permits in use at the same time. */
  readonly permits: number;
  /** Maximum number of callers that wait; the next caller is refused immediately. Default: any number. */
  readonly maxWaiting?: number;
  /** A caller that waits longer than this many milliseconds is refused. Default: no limit. */
  readonly waitTimeoutMs?: number;
  /** Creates the error for a caller that is refused because the queue is full or its wait was too long. */
  readonly refusal?: () => Error;
}

/** Gives a permit back to the semaphore, which passes it to a waiting caller; idempotent. */
export type Release = () => void;

interface Waiter extends Outcome<void> {
  readonly owner: string;
}

/** Gives a fixed number of permits to callers: those of one owner in order of arrival, and owners take turns. */
export class Semaphore {
  readonly #options: SemaphoreOptions;
  readonly #queue: Waiter[] = [];
  /** The number of the last permit that each owner has got from the queue, until the queue is empty. */
  readonly #servedAt = new Map<string, number>();
  #acquired = 0;

  constructor(options: SemaphoreOptions) {
    this.#options = options;
  }

  get acquired(): number {
    return this.#acquired;
  }

  get available(): number {
    return Math.max(0, this.#options.permits - this.#acquired);
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /**
   * Acquires a permit; waits if all are in use. When the queue is full, the newest caller of the owner with the most waiting callers is
   * refused in place of one of an owner with fewer.
   * @param owner such as the id of an account. Default: all callers have one owner
   * @throws the options' `refusal`; the error of `rejectAll`; the signal's reason
   */
  async acquire(signal?: AbortSignal, owner = ''): Promise<Release> {
    signal?.throwIfAborted();
    if (this.available === 0) await this.#wait(signal, owner);
    else this.#acquired++;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const next = this.#nextWaiter();
      // The permit passes directly to the next caller: a caller that arrives now must wait behind it.
      if (next === undefined) this.#acquired--;
      else next.resolve();
    };
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await task();
    } finally {
      release();
    }
  }

  /** Rejects every waiting caller with this error. Callers that have a permit keep it. */
  rejectAll(error: unknown): void {
    for (const waiter of this.#queue.splice(0)) waiter.reject(error);
  }

  /** Removes and returns the waiting caller whose turn it is: of the owner that was served longest ago, the one that has waited longest. */
  #nextWaiter(): Waiter | undefined {
    const turnOf = ({ owner }: Waiter): number => this.#servedAt.get(owner) ?? 0;
    const [first] = this.#queue;
    if (first === undefined) return undefined;
    const next = this.#queue.reduce((best, waiter) => (turnOf(waiter) < turnOf(best) ? waiter : best), first);
    this.#queue.splice(this.#queue.indexOf(next), 1);
    if (this.#queue.length === 0) this.#servedAt.clear();
    else this.#servedAt.set(next.owner, Math.max(0, ...this.#servedAt.values()) + 1);
    return next;
  }

  /** Refuses a waiting caller, so that one of an owner with fewer waiting callers has a place. @throws the refusal if no owner has more */
  #refuseNewestFor(owner: string): void {
    const byOwner = Map.groupBy(this.#queue, waiter => waiter.owner);
    const own = byOwner.get(owner)?.length ?? 0;
    const most = [...byOwner.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    const newest = most.at(-1);
    if (newest === undefined || most.length <= own + 1) throw this.#refusal();
    this.#queue.splice(this.#queue.indexOf(newest), 1);
    newest.reject(this.#refusal());
  }

  #wait(signal: AbortSignal | undefined, owner: string): Promise<void> {
    const { maxWaiting = Number.POSITIVE_INFINITY, waitTimeoutMs } = this.#options;
    if (this.#queue.length >= maxWaiting) this.#refuseNewestFor(owner);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { owner, resolve, reject };
    this.#queue.push(waiter);
    // A caller that already has its permit keeps it, even if a stop happens before the caller continues.
    const leave = (error: unknown): void => {
      const index = this.#queue.indexOf(waiter);
      if (index < 0) return;
      this.#queue.splice(index, 1);
      reject(error);
    };
    const whileQueued =
      (stop: StopWhen<never>): StopWhen<void> =>
      () =>
        stop({ resolve, reject: leave });
    const stops: StopWhen<never>[] = [];
    if (signal !== undefined) stops.push(onAbort(signal));
    if (waitTimeoutMs !== undefined)
      stops.push(
        afterMs(waitTimeoutMs, () => {
          throw this.#refusal();
        }),
      );
    return race(promise, ...stops.map(whileQueued));
  }

  #refusal(): Error {
    return this.#options.refusal?.() ?? new Error('All permits are in use.');
  }
}
