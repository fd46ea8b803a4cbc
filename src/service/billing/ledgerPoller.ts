/** Word of rows that another process wrote in an account's ledger: a credit from the command line beside the service. */

import type { Clock } from '../../domain/ports/clock.ts';
import type { EventBus } from '../../domain/ports/eventBus.ts';
import type { LedgerStore } from '../../domain/ports/ledgerStore.ts';

/** How often ledgers that somebody watches are looked at. Milliseconds. */
const LEDGER_POLL_INTERVAL_MS = 5_000;

/** What it works with. */
export interface LedgerPollerDeps {
  readonly ledger: LedgerStore;
  readonly bus: EventBus;
  readonly clock: Clock;
}

export class LedgerPoller {
  readonly #deps: LedgerPollerDeps;
  /** Account → how many watch, and the last row that was seen; null before the first look. */
  readonly #watched = new Map<string, { watchers: number; seq: number | null }>();
  #cancel: (() => void) | null = null;

  constructor(deps: LedgerPollerDeps) {
    this.#deps = deps;
  }

  /** Looks after an account's ledger until the signal aborts. */
  watch(accountId: string, signal: AbortSignal): void {
    if (signal.aborted) return;
    const watched = this.#watched.get(accountId) ?? { watchers: 0, seq: null };
    this.#watched.set(accountId, watched);
    watched.watchers += 1;
    this.#schedule();
    signal.addEventListener('abort', () => this.#unwatch(accountId), { once: true });
  }

  #unwatch(accountId: string): void {
    const watched = this.#watched.get(accountId);
    if (watched === undefined || --watched.watchers > 0) return;
    this.#watched.delete(accountId);
    if (this.#watched.size > 0) return;
    this.#cancel?.();
    this.#cancel = null;
  }

  #schedule(): void {
    const { clock } = this.#deps;
    this.#cancel ??= clock.scheduleAt(clock.now() + LEDGER_POLL_INTERVAL_MS, () => void this.#poll());
  }

  async #poll(): Promise<void> {
    const { ledger, bus } = this.#deps;
    this.#cancel = null;
    try {
      for (const [accountId, watched] of [...this.#watched]) {
        const [newest] = await ledger.newestEntries(accountId, null, 1);
        const seq = newest?.seq ?? 0;
        // Rows of this process are told twice this way: the reader finds nothing new the second time.
        if (watched.seq !== seq) bus.publishLedgerUpdate(accountId);
        watched.seq = seq;
      }
    } catch {
      // A store that cannot be read now says nothing of any ledger; it is asked again.
    }
    if (this.#watched.size > 0) this.#schedule();
  }
}
