/** The store of the ledger. Charges are written together with the session that they belong to (`SessionStore.commit`). */
import type {
  AccountBalance,
  Credit,
  LedgerEntry,
  Period,
  TierInForce,
  UsageGroup,
  UsageGroupTotals,
  UsageTotals,
} from '../account/ledger.ts';

/** Reads the ledgers of accounts and writes credits. Prices and amounts are in millionths of the unit of account. */
export interface LedgerStore {
  /** Adds a credit to the balance of an account. For a reference that the account already has, changes nothing and returns the existing row. */
  credit(credit: Credit): Promise<LedgerEntry>;
  /** Returns the values that limit the spending of an account and of one of its keys. @param day start of the day (UTC) for `dayBrowserMs` */
  accountBalance(accountId: string, keyId: string, day: number): Promise<AccountBalance>;
  /** Returns the totals of a key on a day (UTC). @param day its start */
  keyUsageOnDay(
    accountId: string,
    keyId: string,
    day: number,
  ): Promise<{ readonly browserMs: number; readonly amountMicros: number }>;
  /** Returns the totals of the account's charges in the period. */
  usage(accountId: string, period: Period): Promise<UsageTotals>;
  /** Returns the totals of the account's charges in the period, per group: at most `limit` groups, ordered by name. */
  usageByGroup(
    accountId: string,
    period: Period,
    group: UsageGroup,
    limit: number,
  ): Promise<readonly UsageGroupTotals[]>;
  /** Returns the totals of the charges of each session, in the order of the ids; zeros for a session without charges. */
  sessionUsage(sessionIds: readonly string[]): Promise<readonly UsageTotals[]>;
  /** Returns the number of the newest ledger row of each account, in the order of the ids; 0 for an empty ledger or an unknown id. */
  newestSeqs(accountIds: readonly string[]): Promise<readonly number[]>;
  /** Returns the balance of each account in micro-units, in the order of the ids; 0 for an unknown id. */
  balances(accountIds: readonly string[]): Promise<readonly number[]>;
  /** Returns the tier of each account, in the order of the ids; null for an unknown id. */
  accountTiers(accountIds: readonly string[]): Promise<readonly (TierInForce | null)[]>;
  /** Returns at most `limit` ledger rows of the account with `seq < before` (all rows for null), newest first. */
  newestEntries(accountId: string, before: number | null, limit: number): Promise<readonly LedgerEntry[]>;
  /** Returns at most `limit` ledger rows of the account in the period with `seq > after`, oldest first. */
  oldestEntries(
    accountId: string,
    period: Period,
    after: number,
    limit: number,
  ): Promise<readonly LedgerEntry[]>;
}
