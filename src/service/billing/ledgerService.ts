import { isOperator, scopesGrant, startOfUtcDay, type Viewer } from '../../domain/account/account.ts';
import type {
  AccountBalance,
  LedgerEntry,
  Period,
  UsageGroup,
  UsageGroupTotals,
  UsageTotals,
} from '../../domain/account/ledger.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { AccountStore, LedgerStore } from '../../domain/ports/accountStore.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { EventBus, Subscription } from '../../domain/ports/eventBus.ts';
import { cutText } from '../../domain/space/pageText.ts';

const LEDGER_POLL_INTERVAL_MS = 5_000;

const ACCOUNTS_PER_READ = 500;

interface LedgerPollerDeps {
  readonly ledger: LedgerStore;
  readonly bus: EventBus;
  readonly clock: Clock;
}

interface WatchedLedger {
  subscribers: number;
  /** `seq` of the newest row at the last poll, 0 for an empty ledger; null before the first poll. */
  seq: number | null;
}

/** Reads the ledgers of watched accounts every five seconds, so that subscribers also get rows of other processes. */
class LedgerPoller {
  readonly #deps: LedgerPollerDeps;
  readonly #watched = new Map<string, WatchedLedger>();
  #cancel: (() => void) | null = null;

  constructor(deps: LedgerPollerDeps) {
    this.#deps = deps;
  }

  /** The ledger is polled until the signal of its last subscriber aborts. */
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

export interface CreditCommand {
  readonly accountId: string;
  /** An invoice or transaction number. A second credit with the same reference changes nothing. */
  readonly reference: string;
  readonly amountMicros: number;
}

export interface LedgerQuery {
  readonly limit: number;
  /** Selects rows older than the row with this `seq`; null for no such bound. */
  readonly after: number | null;
  /** Selects rows newer than the row with this `seq`; null for no such bound. */
  readonly before: number | null;
  /** True for the oldest `limit` of these rows, false for the newest. */
  readonly fromEnd: boolean;
}

export interface LedgerPage {
  readonly rows: readonly LedgerEntry[];
  /** True if older rows follow, as the Relay specification defines `hasNextPage`. */
  readonly hasNext: boolean;
  /** True if there are newer rows, as the Relay specification defines `hasPreviousPage`. */
  readonly hasPrevious: boolean;
}

export interface LedgerService {
  accountBalance(viewer: Viewer): Promise<AccountBalance>;
  usage(viewer: Viewer, period: Period): Promise<UsageTotals>;
  usageByGroup(viewer: Viewer, period: Period, group: UsageGroup): Promise<readonly UsageGroupTotals[]>;
  /** In the order of the ids. Does not check access: call it only for sessions that the viewer may read. */
  sessionUsage(sessionIds: readonly string[]): Promise<readonly UsageTotals[]>;
  ledgerPage(viewer: Viewer, query: LedgerQuery): Promise<LedgerPage>;
  /** Yields the account id when its ledger may have new rows, those of other processes within five seconds. */
  ledgerUpdates(viewer: Viewer, signal: AbortSignal): Subscription<string>;
  /** Yields pages with the rows of a period, oldest first. @throws Failure SCOPE_DENIED */
  exportLedger(viewer: Viewer, period: Period): AsyncGenerator<readonly LedgerEntry[], void, undefined>;
  /** Adds a credit, once for each reference; only for the operator. @throws Failure SCOPE_DENIED, ACCOUNT_NOT_FOUND, VALIDATION_ERROR */
  credit(viewer: Viewer, command: CreditCommand): Promise<LedgerEntry>;
}

const MAX_USAGE_GROUPS = 1_000;
const EXPORT_PAGE_SIZE = 1_000;
const ALL_TIME: Period = { from: 0, to: Number.MAX_SAFE_INTEGER };

export interface LedgerServiceDeps {
  readonly ledger: LedgerStore;
  readonly accounts: AccountStore;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly onCredit: (accountId: string) => Promise<void>;
}

export function createLedgerService(deps: LedgerServiceDeps): LedgerService {
  const { ledger, accounts, bus, clock, onCredit } = deps;
  const poller = new LedgerPoller(deps);
  return {
    accountBalance: ({ account, keyId }) =>
      ledger.accountBalance(account.id, keyId, startOfUtcDay(clock.now())),
    usage: ({ account }, period) => ledger.usage(account.id, period),
    usageByGroup: ({ account }, period, group) =>
      ledger.usageByGroup(account.id, period, group, MAX_USAGE_GROUPS),
    sessionUsage: ids => ledger.sessionUsage(ids),

    async ledgerPage({ account }, { limit, after, before, fromEnd }) {
      const newestSeq = async (): Promise<number> =>
        (await ledger.newestEntries(account.id, null, 1))[0]?.seq ?? 0;
      if (fromEnd) {
        const found = await ledger.oldestEntries(account.id, ALL_TIME, before ?? 0, limit + 1);
        const rows = found.filter(({ seq }) => seq < (after ?? Number.POSITIVE_INFINITY));
        return {
          rows: rows.slice(0, limit).reverse(),
          // `seq` starts at 1 and has no gaps, so an older row exists if any row does.
          hasNext: before !== null && (await newestSeq()) > 0,
          hasPrevious: rows.length > limit,
        };
      }
      const found = await ledger.newestEntries(account.id, after, limit + 1);
      const rows = found.filter(({ seq }) => seq > (before ?? 0));
      return {
        rows: rows.slice(0, limit),
        hasNext: rows.length > limit,
        hasPrevious: after !== null && (await newestSeq()) >= after,
      };
    },

    ledgerUpdates({ account }, signal) {
      poller.watch(account.id, signal);
      return bus.subscribeLedger(account.id, signal);
    },

    async *exportLedger({ account, scopes }, period) {
      if (!scopesGrant(scopes, 'read'))
        throw new Failure('SCOPE_DENIED', 'This key lacks the scope "read", which the ledger needs.');
      for (let after = 0, isFull = true; isFull; ) {
        const rows = await ledger.oldestEntries(account.id, period, after, EXPORT_PAGE_SIZE);
        if (rows.length > 0) yield rows;
        after = rows.at(-1)?.seq ?? after;
        isFull = rows.length === EXPORT_PAGE_SIZE;
      }
    },

    async credit(viewer, command) {
      if (!isOperator(viewer))
        throw new Failure('SCOPE_DENIED', 'Only the operator of this service can credit accounts.');
      const [account] = await accounts.accounts([command.accountId]);
      if (account == null)
        throw new Failure('ACCOUNT_NOT_FOUND', `There is no account "${cutText(command.accountId, 64)}".`);
      const entry = await ledger.credit({ ...command, at: clock.now() });
      await onCredit(account.id);
      bus.publishLedgerUpdate(account.id);
      return entry;
    },
  };
}
