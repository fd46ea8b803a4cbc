/**
 * The fair share of processor time. While a session has an operation running, the pages of the sessions that have none get a part of
 * the processors together; the rest is for the operation.
 */

/** A session, or a renderer whose session is unknown, and what it used since the last settlement. */
export interface ProcessorConsumer<Key> {
  readonly key: Key;
  /** Processor time in milliseconds. */
  readonly usedMs: number;
  readonly isOperating: boolean;
}

/** The part of all processors that the pages of sessions without an operation get together while another session has one. */
const IDLE_PART = 0.25;
/** Processor time that a session may use at once before its share counts, in milliseconds: the end of a page load. */
const BURST_MS = 500;
/** Maximum time until a session that used too much runs again, in milliseconds. */
const MAX_IDLE_WAIT_MS = 2_000;
/** The same for a session that has an operation running. */
const MAX_OPERATING_WAIT_MS = 500;
/** A session that used less than this part of a processor needs no share of its own. */
const DEMAND_PART = 0.02;

/** Counts the processor time of all sessions, and tells which of them must pause. */
export class ProcessorBudget<Key> {
  readonly #processors: number;
  /** Milliseconds of processor time that each consumer may still use; negative for one that used too much. */
  #balances = new Map<Key, number>();

  /** @param processors number of processors that the node may use */
  constructor(processors: number) {
    this.#processors = processors;
  }

  /**
   * Records what all consumers used within `elapsedMs`, and forgets the consumers that are not listed.
   * @returns those that must pause now
   */
  settle(consumers: readonly ProcessorConsumer<Key>[], elapsedMs: number): ReadonlySet<Key> {
    const before = this.#balances;
    const isDemanding = ({ key, usedMs }: ProcessorConsumer<Key>): boolean =>
      usedMs > DEMAND_PART * elapsedMs || (before.get(key) ?? 0) < 0;
    const idle = consumers.filter(one => !one.isOperating && isDemanding(one)).length;
    const operating = consumers.filter(one => one.isOperating).length;
    const idleRate = (this.#processors * IDLE_PART) / Math.max(1, idle);
    // One processor is what the script of one page uses: only threads beside it are taken from other operations.
    const operatingRate = Math.max(1, this.#processors / Math.max(1, operating));
    this.#balances = new Map();
    const paused = new Set<Key>();
    for (const { key, usedMs, isOperating } of consumers) {
      const rate = isOperating ? operatingRate : idleRate;
      const maxWaitMs = isOperating ? MAX_OPERATING_WAIT_MS : MAX_IDLE_WAIT_MS;
      const balance = (before.get(key) ?? BURST_MS) + rate * elapsedMs - usedMs;
      const bounded = Math.min(BURST_MS, Math.max(-rate * maxWaitMs, balance));
      this.#balances.set(key, bounded);
      if (bounded < 0) paused.add(key);
    }
    return paused;
  }

  /** Forgives what a consumer used too much: its operation begins. */
  forgive(key: Key): void {
    const balance = this.#balances.get(key);
    if (balance !== undefined) this.#balances.set(key, Math.max(0, balance));
  }
}
