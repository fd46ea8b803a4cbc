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
  /** When the first charged operation started. */
  readonly startedAt: number;
  /** Total charged browser time. */
  readonly browserMs: number;
  /** The key of the first charged operation. */
  readonly keyId: string;
}

/** Reads the ledger and writes credits. */
export interface LedgerStore {
  /** Adds to the balance, once per reference. A repeated reference returns the existing row with its amount. */
  credit(credit: Credit): Promise<LedgerEntry>;
  /** @param day start of the day (UTC) that `dayBrowserMs` is for */
  accountBalance(accountId: string, keyId: string, day: number): Promise<AccountBalance>;
  usage(accountId: string, period: Period): Promise<UsageTotals>;
  /** At most `limit` groups, ordered by name. */
  usageByGroup(
    accountId: string,
    period: Period,
    group: UsageGroup,
    limit: number,
  ): Promise<readonly UsageGroupTotals[]>;
  /** One result per id, in the order of the ids. */
  sessionUsage(sessionIds: readonly string[]): Promise<readonly UsageTotals[]>;
  /** The charged time of a session; null if it has no charges. */
  chargedTime(sessionId: string): Promise<ChargedSessionTime | null>;
  /** At most `limit` rows with `seq < before`, newest first. */
  newestEntries(accountId: string, before: number | null, limit: number): Promise<readonly LedgerEntry[]>;
  /** At most `limit` rows of the period with `seq > after`, oldest first. */
  oldestEntries(
    accountId: string,
    period: Period,
    after: number,
    limit: number,
  ): Promise<readonly LedgerEntry[]>;
}
