/** Usage, balance and ledger of an account; credits by the operator. */
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

/** A credit, as the operator sends it. */
export interface CreditCommand {
  readonly accountId: string;
  /** An invoice or transaction number. A second credit with the same reference is not added. */
  readonly reference: string;
  /** Amount in micro-units, above 0. */
  readonly amountMicros: number;
}

/** Selects rows of the ledger, newest first. */
export interface LedgerQuery {
  readonly limit: number;
  /** Selects rows older than the row with this `seq`; null to start with the newest row. */
  readonly after: number | null;
  /** Selects rows newer than the row with this `seq`: the `limit` rows that are closest to it. */
  readonly before: number | null;
  /** True without `after` and `before`: selects the oldest `limit` rows. */
  readonly fromEnd: boolean;
}

/** A page of ledger rows, newest first. */
export interface LedgerPage {
  readonly rows: readonly LedgerEntry[];
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
}

/** Reads of the viewer's ledger, and credit by the operator. */
export interface LedgerService {
  accountBalance(viewer: Viewer): Promise<AccountBalance>;
  usage(viewer: Viewer, period: Period): Promise<UsageTotals>;
  /** Returns at most a thousand groups, ordered by name. */
  usageByGroup(viewer: Viewer, period: Period, group: UsageGroup): Promise<readonly UsageGroupTotals[]>;
  /** Returns one result per id, in the order of the ids. The caller must already have access to the sessions. */
  sessionUsage(sessionIds: readonly string[]): Promise<readonly UsageTotals[]>;
  ledgerPage(viewer: Viewer, query: LedgerQuery): Promise<LedgerPage>;
  /** Yields when the ledger may have new rows. Detects rows of other processes within five seconds. */
  ledgerUpdates(viewer: Viewer, signal: AbortSignal): AsyncIterableIterator<string>;
  /** Yields pages with the rows of a period, oldest first. @throws Failure SCOPE_DENIED */
  exportLedger(viewer: Viewer, period: Period): AsyncGenerator<readonly LedgerEntry[], void, undefined>;
  /** Credits an account. Only the operator may call it. @throws Failure SCOPE_DENIED, ACCOUNT_NOT_FOUND */
  credit(viewer: Viewer, command: CreditCommand): Promise<LedgerEntry>;
}

const MAX_USAGE_GROUPS = 1_000;
const EXPORT_PAGE_SIZE = 1_000;
const ALL_TIME: Period = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** Stores, bus and clock of the ledger service. */
export interface LedgerServiceDeps {
  readonly ledger: LedgerStore;
  readonly accounts: AccountStore;
  readonly bus: EventBus;
  readonly clock: Clock;
}

/** Creates the ledger service with its poller. */
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
        throw new Failure('ACCOUNT_NOT_FOUND', `There is no account "${command.accountId.slice(0, 64)}".`);
      const entry = await ledger.credit({ ...command, at: clock.now() });
      bus.publishLedgerUpdate(account.id);
      return entry;
    },
  };
}
