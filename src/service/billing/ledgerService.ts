/** What accounts used, paid and have left, as the doors ask for it. */
import { isOperator, scopesGrant, type Viewer } from '../../domain/account.ts';
import { Failure } from '../../domain/failures.ts';
import type {
  AccountBalance,
  LedgerEntry,
  Period,
  UsageGroup,
  UsageGroupTotals,
  UsageTotals,
} from '../../domain/ledger.ts';
import type { AccountStore } from '../../domain/ports/accountStore.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { EventBus } from '../../domain/ports/eventBus.ts';
import type { LedgerStore } from '../../domain/ports/ledgerStore.ts';
import { startOfUtcDay } from '../../domain/tiers.ts';
import { LedgerPoller } from './ledgerPoller.ts';

/** Credit as the operator gives it. */
export interface CreditCommand {
  readonly accountId: string;
  /** What it is for: the account is credited once for it. */
  readonly reference: string;
  /** Micro-units, above 0. */
  readonly amountMicros: number;
}

/** Which rows of the ledger, the newest first. */
export interface LedgerQuery {
  readonly limit: number;
  /** Rows older than the one with this `seq`; null from the newest. */
  readonly after: number | null;
  /** Rows newer than the one with this `seq`: the `limit` next to it. */
  readonly before: number | null;
  /** Without either: the oldest `limit` of all. */
  readonly fromEnd: boolean;
}

/** A page of the ledger, the newest first. */
export interface LedgerPage {
  readonly rows: readonly LedgerEntry[];
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
}

/** An account's book, for its own callers; credit for the operator. */
export interface LedgerService {
  accountBalance(viewer: Viewer): Promise<AccountBalance>;
  usage(viewer: Viewer, period: Period): Promise<UsageTotals>;
  /** At most a thousand groups, in the order of their names. */
  usageByGroup(viewer: Viewer, period: Period, group: UsageGroup): Promise<readonly UsageGroupTotals[]>;
  /** Of sessions that the caller was given, in the order of the ids. */
  sessionUsage(sessionIds: readonly string[]): Promise<readonly UsageTotals[]>;
  /** A page of the rows, the newest first. */
  ledgerPage(viewer: Viewer, query: LedgerQuery): Promise<LedgerPage>;
  /** A word, now or later, when the ledger may have new rows; those of other processes within five seconds. */
  ledgerUpdates(viewer: Viewer, signal: AbortSignal): AsyncIterableIterator<string>;
  /**
   * The rows of a period, the oldest first, a page at a time.
   * @throws Failure SCOPE_DENIED
   */
  exportLedger(viewer: Viewer, period: Period): AsyncGenerator<readonly LedgerEntry[], void, undefined>;
  /** @throws Failure SCOPE_DENIED, ACCOUNT_NOT_FOUND */
  credit(viewer: Viewer, command: CreditCommand): Promise<LedgerEntry>;
}

const MAX_USAGE_GROUPS = 1_000;
const EXPORT_PAGE_SIZE = 1_000;
const ALL_TIME: Period = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** What the book is kept with. */
export interface LedgerServiceDeps {
  readonly ledger: LedgerStore;
  readonly accounts: AccountStore;
  readonly bus: EventBus;
  readonly clock: Clock;
}

export function createLedgerService(deps: LedgerServiceDeps): LedgerService {
  const { ledger, accounts, bus, clock } = deps;
  const poller = new LedgerPoller(deps);
  return {
    accountBalance: ({ account, keyId }) =>
      ledger.accountBalance(account.id, keyId, startOfUtcDay(clock.now())),
    usage: ({ account }, period) => ledger.usage(account.id, period),
    usageByGroup: ({ account }, period, group) =>
      ledger.usageByGroup(account.id, period, group, MAX_USAGE_GROUPS),
    sessionUsage: ids => ledger.sessionUsage(ids),

    async ledgerPage({ account }, { limit, after, before, fromEnd }) {
      if (before !== null || fromEnd) {
        const rows = await ledger.oldestEntries(account.id, ALL_TIME, before ?? 0, limit + 1);
        const page = rows.slice(0, limit).reverse();
        return { rows: page, hasNext: before !== null, hasPrevious: rows.length > limit };
      }
      const rows = await ledger.newestEntries(account.id, after, limit + 1);
      return { rows: rows.slice(0, limit), hasNext: rows.length > limit, hasPrevious: after !== null };
    },

    ledgerUpdates({ account }, signal) {
      poller.watch(account.id, signal);
      return bus.subscribeLedger(account.id, signal);
    },

    async *exportLedger({ account, scopes }, period) {
      if (!scopesGrant(scopes, 'read'))
        throw new Failure('SCOPE_DENIED', 'This key lacks the scope "read", which the ledger needs.');
      for (let after = 0, full = true; full; ) {
        const rows = await ledger.oldestEntries(account.id, period, after, EXPORT_PAGE_SIZE);
        if (rows.length > 0) yield rows;
        after = rows.at(-1)?.seq ?? after;
        full = rows.length === EXPORT_PAGE_SIZE;
      }
    },

    async credit(viewer, command) {
      if (!isOperator(viewer))
        throw new Failure('SCOPE_DENIED', 'Only the operator of this service credits accounts.');
      const [account] = await accounts.accounts([command.accountId]);
      if (account == null)
        throw new Failure('ACCOUNT_NOT_FOUND', `There is no account "${command.accountId.slice(0, 64)}".`);
      const entry = await ledger.credit({ ...command, at: clock.now() });
      bus.publishLedgerUpdate(account.id);
      return entry;
    },
  };
}
