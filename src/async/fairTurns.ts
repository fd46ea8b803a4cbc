import { setImmediate as nextTurn } from 'node:timers/promises';

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
  /**
   * Returns the items as a list that a reader receives in several turns if its work for them takes long. Returns the list itself if it has
   * at most `short` items.
   */
  sliced<Item>(items: readonly Item[], short: number): readonly Item[] | AsyncIterable<Item>;
}

/** Gives turns to callers, in rotation: a caller with a thousand waiting operations gets as many turns as one with a single operation. */
export class FairTurns {
  /** The waiting operations of each caller. The first caller has the next turn. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #now: () => number;
  #hasTurn = false;
  #turnStartedAt = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Returns the turns of a caller. @param caller such as the id of its account */
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

  /** Begins a turn, which ends with this pass of the event loop. */
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

/**
 * Calls `visit` for each item, in order, and lets the event loop run after every `perTurn` items. A short list is visited in the
 * present turn.
 * @param perTurn number of items that take some milliseconds together
 */
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
