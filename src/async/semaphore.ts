/**
 * A counting semaphore with a limited queue. Own code, because async-mutex and p-queue cannot remove one waiting caller
 * on its AbortSignal, refuse a caller when the queue is full, and give permits by acquire and release.
 */
import { afterMs, type Outcome, onAbort, race, type StopWhen } from './race.ts';

export interface SemaphoreOptions {
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

/**
 * Limits how many callers run at the same time: gives a fixed number of permits to callers. Waiting callers of one owner get them in
 * order of arrival, and owners take turns.
 */
export class Semaphore {
  readonly #options: SemaphoreOptions;
  readonly #queue: Waiter[] = [];
  /** The number of the last permit that each owner has got from the queue, until the queue is empty. */
  readonly #servedAt = new Map<string, number>();
  #acquired = 0;

  constructor(options: SemaphoreOptions) {
    this.#options = options;
  }

  /** Number of permits in use. */
  get acquired(): number {
    return this.#acquired;
  }

  /** Number of permits that can be acquired without waiting. */
  get available(): number {
    return Math.max(0, this.#options.permits - this.#acquired);
  }

  /** Number of callers that wait for a permit. */
  get waiting(): number {
    return this.#queue.length;
  }

  /**
   * Acquires a permit; waits if all are in use. When the queue is full, the newest caller of the owner with the most waiting callers is
   * refused in place of one of an owner with fewer.
   * @param signal removes the caller from the queue when it aborts
   * @param owner such as the id of an account. Default: all callers have one owner
   * @returns a function that gives the permit back
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

  /** Acquires a permit, runs `task` and gives the permit back. */
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
