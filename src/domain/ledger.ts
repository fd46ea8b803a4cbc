/** What is charged to an account, and what is kept of it. Money is whole micro-units: millionths of the service's unit of account. */

/** What a row of the ledger is for. `idle` is the time of a session between its operations, charged at its end. */
export const LEDGER_KINDS = ['start', 'observe', 'step', 'scrape', 'upload', 'idle', 'credit'] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];
/** What is charged: all but credits. */
export type ChargeKind = Exclude<LedgerKind, 'credit'>;

/** What things cost, in micro-units. */
export interface Prices {
  /** A minute of a browser, whether an operation ran in it or not; charged by the millisecond, rounded up a row. */
  readonly browserMinute: number;
  /** An operation that was done, beside its time. One that failed costs its time only. */
  readonly operation: Readonly<Record<Exclude<ChargeKind, 'idle'>, number>>;
}

/** A charge before it is written. */
export interface Charge {
  /** UUID of the operation (of the session, for its idle time): charged once, however often it is written. */
  readonly operationId: string;
  readonly accountId: string;
  readonly sessionId: string;
  /** The key that asked; for idle time the one that started the session. */
  readonly keyId: string;
  readonly kind: ChargeKind;
  readonly at: number;
  readonly browserMs: number;
  readonly priceMicros: number;
}

/** A row of the ledger. */
export interface LedgerEntry {
  /** Rises by one within its account, from 1. */
  readonly seq: number;
  readonly accountId: string;
  /** The operation's UUID, or what the credit refers to. */
  readonly reference: string;
  readonly sessionId: string | null;
  readonly keyId: string | null;
  readonly kind: LedgerKind;
  readonly at: number;
  readonly browserMs: number;
  /** What it did to the balance: a charge is negative, a credit positive. */
  readonly amountMicros: number;
  /** The account's balance after it. */
  readonly balanceMicros: number;
}

/** Credit for an account. */
export interface Credit {
  readonly accountId: string;
  /** What it is for (an invoice, a transaction): the account is credited once for it. */
  readonly reference: string;
  readonly amountMicros: number;
  readonly at: number;
}

/** What an account has left, and what it has used. */
export interface AccountBalance {
  readonly balanceMicros: number;
  /** Browser time charged on the day (UTC) that was asked about. */
  readonly dayBrowserMs: number;
  /** What the key has spent in all, and how much it may; null for any amount. */
  readonly keySpentMicros: number;
  readonly keySpendCapMicros: number | null;
}

/** Sums over rows of the ledger that are charges. */
export interface UsageTotals {
  readonly operations: number;
  readonly browserMs: number;
  readonly priceMicros: number;
}

export const ZERO_USAGE: UsageTotals = { operations: 0, browserMs: 0, priceMicros: 0 };

export const USAGE_GROUPS = ['hour', 'day', 'kind', 'key', 'session'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** One group of the usage: `name` is the kind, the key's or the session's id, or the ISO time at which the hour or day began. */
export interface UsageGroupTotals extends UsageTotals {
  readonly name: string;
}

/** Which rows: `from` is in, `to` is not. Milliseconds since the epoch. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** A millionth of a unit is the least amount: a browser for an hour costs 0.12 units, ten pages observed 0.005. */
export const PRICES: Prices = {
  browserMinute: 2_000,
  operation: { start: 0, observe: 500, step: 500, scrape: 1_000, upload: 0 },
};

/** The time of one session in the ledger. */
export interface ChargedSessionTime {
  /** When its first operation began. */
  readonly startedAt: number;
  /** All that was charged. */
  readonly browserMs: number;
  /** Who asked for the first. */
  readonly keyId: string;
}

/** The ledger, to be read and credited. Charges are written with the session that they are for (`SessionStore.commit`). */
export interface LedgerStore {
  /** Adds to the balance, once for a reference: the row that stands is answered, its amount the first one's. */
  credit(credit: Credit): Promise<LedgerEntry>;
  /** @param day when the day began, for `dayBrowserMs` */
  accountBalance(accountId: string, keyId: string, day: number): Promise<AccountBalance>;
  usage(accountId: string, period: Period): Promise<UsageTotals>;
  /** At most `limit` groups, in the order of their names. */
  usageByGroup(
    accountId: string,
    period: Period,
    group: UsageGroup,
    limit: number,
  ): Promise<readonly UsageGroupTotals[]>;
  /** In the order of the ids. */
  sessionUsage(sessionIds: readonly string[]): Promise<readonly UsageTotals[]>;
  /** What the ledger knows of a session's time; null where it was never charged. */
  chargedTime(sessionId: string): Promise<ChargedSessionTime | null>;
  /** The newest first: rows below `before`, at most `limit`. */
  newestEntries(accountId: string, before: number | null, limit: number): Promise<readonly LedgerEntry[]>;
  /** The oldest first: rows of the period above `after`, at most `limit`. */
  oldestEntries(
    accountId: string,
    period: Period,
    after: number,
    limit: number,
  ): Promise<readonly LedgerEntry[]>;
}

const MS_PER_MINUTE = 60_000;

/** What browser time costs, rounded up. */
export const browserTimePrice = (browserMs: number, prices: Prices): number =>
  Math.ceil((browserMs * prices.browserMinute) / MS_PER_MINUTE);
