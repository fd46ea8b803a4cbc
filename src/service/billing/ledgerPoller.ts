/** Finds ledger rows that another process has written, such as a credit from the command line. */
import type { Clock } from '../../domain/ports/clock.ts';
import type { EventBus } from '../../domain/ports/eventBus.ts';
import type { LedgerStore } from '../../domain/ports/ledgerStore.ts';

/** Time between two reads of the ledgers that have subscribers, in milliseconds. */
const LEDGER_POLL_INTERVAL_MS = 5_000;

/** Maximum number of accounts that one read returns. */
const ACCOUNTS_PER_READ = 500;

/** The ledger that `LedgerPoller` reads, the bus that it publishes on, and the clock of its timer. */
export interface LedgerPollerDeps {
  readonly ledger: LedgerStore;
  readonly bus: EventBus;
  readonly clock: Clock;
}

interface WatchedLedger {
  subscribers: number;
  /** `seq` of the newest row at the last poll, 0 for an empty ledger; null before the first poll. */
  seq: number | null;
}

/**
 * Reads the ledgers of watched accounts every five seconds, and publishes an update on the event bus when a ledger has a
 * new row. So subscribers also get rows that another process has written.
 */
export class LedgerPoller {
  readonly #deps: LedgerPollerDeps;
  /** The watched ledgers by account id. */
  readonly #watched = new Map<string, WatchedLedger>();
  #cancel: (() => void) | null = null;

  constructor(deps: LedgerPollerDeps) {
    this.#deps = deps;
  }

  /**
   * Adds a subscriber to the ledger of an account: the ledger is polled until the signal of its last subscriber
   * aborts.
   */
  watch(accountId: string, signal: AbortSignal): void {
    if (signal.aborted) return;
    const watched = this.#watched.get(accountId) ?? { subscribers: 0, seq: null };
    this.#watched.set(accountId, watched);
    watched.subscribers += 1;
    this.#schedule();
    signal.addEventListener('abort', () => this.#unwatch(accountId), { once: true });
  }

  #unwatch(accountId: string): void {
    const watched = this.#watched.get(accountId);
    if (watched === undefined || --watched.subscribers > 0) return;
    this.#watched.delete(accountId);
    if (this.#watched.size > 0) return;
    this.#cancel?.();
    this.#cancel = null;
  }

  #schedule(): void {
    const { clock } = this.#deps;
    this.#cancel ??= clock.scheduleAfter(LEDGER_POLL_INTERVAL_MS, () => void this.#poll());
  }

  async #poll(): Promise<void> {
    const { ledger, bus } = this.#deps;
    this.#cancel = null;
    try {
      const ids = [...this.#watched.keys()];
      for (let start = 0; start < ids.length; start += ACCOUNTS_PER_READ) {
        const some = ids.slice(start, start + ACCOUNTS_PER_READ);
        const seqs = await ledger.newestSeqs(some);
        for (const [index, accountId] of some.entries()) {
          const watched = this.#watched.get(accountId);
          if (watched === undefined) continue;
          const seq = seqs[index] ?? 0;
          // The poll also publishes rows that this process has already published; subscribers then find nothing new.
          if (watched.seq !== seq) bus.publishLedgerUpdate(accountId);
          watched.seq = seq;
        }
      }
    } catch {
      // The store cannot be read now; the next poll tries again.
    }
    if (this.#watched.size > 0) this.#schedule();
  }
}
