/** The store of the ledger. Charges are written together with the session that they belong to (`SessionStore.commit`). */
import type {
  AccountBalance,
  Credit,
  LedgerEntry,
  Period,
  UsageGroup,
  UsageGroupTotals,
  UsageTotals,
} from '../ledger.ts';

/** The charged browser time of one session. */
export interface ChargedSessionTime {
  /** Start time of the first charged operation. */
  readonly startedAt: number;
  /** Total charged browser time. */
  readonly browserMs: number;
  /** Id of the key that the first charged operation used. */
  readonly keyId: string;
}

/** Reads the ledger and writes credits. */
export interface LedgerStore {
  /** Adds a credit to the balance, once per reference. For a repeated reference, returns the existing row with its amount. */
  credit(credit: Credit): Promise<LedgerEntry>;
  /** @param day start of the day (UTC) whose browser time is returned as `dayBrowserMs` */
  accountBalance(accountId: string, keyId: string, day: number): Promise<AccountBalance>;
  usage(accountId: string, period: Period): Promise<UsageTotals>;
  /** Returns at most `limit` groups, ordered by name. */
  usageByGroup(
    accountId: string,
    period: Period,
    group: UsageGroup,
    limit: number,
  ): Promise<readonly UsageGroupTotals[]>;
  /** Returns one result per id, in the order of the ids. */
  sessionUsage(sessionIds: readonly string[]): Promise<readonly UsageTotals[]>;
  /** Returns the charged time of a session; null if it has no charges. */
  chargedTime(sessionId: string): Promise<ChargedSessionTime | null>;
  /** Returns at most `limit` rows with `seq < before`, newest first. */
  newestEntries(accountId: string, before: number | null, limit: number): Promise<readonly LedgerEntry[]>;
  /** Returns at most `limit` rows of the period with `seq > after`, oldest first. */
  oldestEntries(
    accountId: string,
    period: Period,
    after: number,
    limit: number,
  ): Promise<readonly LedgerEntry[]>;
}
