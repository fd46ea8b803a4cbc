/** Word of rows that another process wrote in an account's ledger: a credit from the command line beside the service. */
import type { LedgerStore } from '../domain/ledger.ts';
import type { Clock, EventBus } from '../domain/ports.ts';

/** How often ledgers that somebody watches are looked at. Milliseconds. */
const LOOK_EVERY_MS = 5_000;

/** What it works with. */
export interface BookWatchParts {
  readonly ledger: LedgerStore;
  readonly bus: EventBus;
  readonly clock: Clock;
}

export class BookWatch {
  readonly #parts: BookWatchParts;
  /** Account → how many watch, and the last row that was seen; null before the first look. */
  readonly #watched = new Map<string, { watchers: number; seq: number | null }>();
  #cancel: (() => void) | null = null;

  constructor(parts: BookWatchParts) {
    this.#parts = parts;
  }

  /** Looks after an account's ledger until the signal aborts. */
  watch(accountId: string, signal: AbortSignal): void {
    if (signal.aborted) return;
    const watched = this.#watched.get(accountId) ?? { watchers: 0, seq: null };
    this.#watched.set(accountId, watched);
    watched.watchers += 1;
    this.#arm();
    signal.addEventListener('abort', () => this.#leave(accountId), { once: true });
  }

  #leave(accountId: string): void {
    const watched = this.#watched.get(accountId);
    if (watched === undefined || --watched.watchers > 0) return;
    this.#watched.delete(accountId);
    if (this.#watched.size > 0) return;
    this.#cancel?.();
    this.#cancel = null;
  }

  #arm(): void {
    const { clock } = this.#parts;
    this.#cancel ??= clock.wakeAt(clock.now() + LOOK_EVERY_MS, () => void this.#look());
  }

  async #look(): Promise<void> {
    const { ledger, bus } = this.#parts;
    this.#cancel = null;
    try {
      for (const [accountId, watched] of [...this.#watched]) {
        const [newest] = await ledger.newest(accountId, null, 1);
        const seq = newest?.seq ?? 0;
        // Rows of this process are told twice this way: the reader finds nothing new the second time.
        if (watched.seq !== seq) bus.booked(accountId);
        watched.seq = seq;
      }
    } catch {
      // A store that cannot be read now says nothing of any ledger; it is asked again.
    }
    if (this.#watched.size > 0) this.#arm();
  }
}
