/** Charges, credits and usage. Amounts are whole micro-units: millionths of the operator's unit of account. */

import type { Tier } from './account.ts';

export interface LedgerFinding {
  /** Name of the rule that is broken, such as `session time`. */
  readonly rule: string;
  readonly accountId: string;
  readonly subject: string | null;
  readonly expected: string;
  readonly found: string;
}

export interface LedgerAudit {
  readonly accounts: number;
  readonly sessions: number;
  readonly ledgerRows: number;
  readonly rules: readonly string[];
  /** At most 100 findings for each rule; empty if everything agrees. */
  readonly findings: readonly LedgerFinding[];
}

/** All kinds of ledger rows. `idle` is the time of a session between its operations; it is charged when the session ends. */
export const LEDGER_KINDS = ['start', 'observe', 'step', 'scrape', 'upload', 'idle', 'credit'] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];
export type ChargeKind = Exclude<LedgerKind, 'credit'>;

/** Maximum balance of an account, and of one credit: sums of balances and charges stay below 2^53. */
export const MAX_BALANCE_MICROS = 1_000_000_000_000_000;

/** The prices of the service in micro-units (millionths of the operator's unit of account). */
export interface Prices {
  /** Price of a minute of browser time. Charged by the millisecond; the price of each ledger row is rounded up. */
  readonly browserMinute: number;
  /** Price of a successful operation by kind, in addition to its browser time. A failed operation costs only its browser time. */
  readonly operation: Readonly<Record<Exclude<ChargeKind, 'idle'>, number>>;
}

/** A charge for an operation or for idle time, before the store adds it to the ledger. */
export interface Charge {
  /** UUID of the operation; for idle time the id of the session, with the day before its last one. The store charges each id only once. */
  readonly operationId: string;
  readonly accountId: string;
  readonly sessionId: string;
  /** Id of the caller's API key; for idle time, of the key that started the session. */
  readonly keyId: string;
  readonly kind: ChargeKind;
  readonly at: number;
  readonly browserMs: number;
  readonly priceMicros: number;
  /** Price of a browser minute in force when the charge was made, in micro-units; null if the account did not pay then. */
  readonly minuteMicros: number | null;
}

/** The browser time of a session as the service has measured it, and the part that no charge includes yet. */
export interface SessionMeter {
  readonly keyId: string;
  /** Browser time since the session had its browser, in milliseconds. */
  readonly browserMs: number;
  /** The part of `browserMs` that no charge includes yet. */
  readonly unchargedMs: number;
  /** Price of `unchargedMs`, at the prices in force while it passed. */
  readonly unchargedMicros: number;
}

export interface LedgerEntry {
  /** Number of the row within its account: 1, 2, 3, … */
  readonly seq: number;
  readonly accountId: string;
  /** UUID of the operation (for idle time: of the session), or the reference of the credit. */
  readonly reference: string;
  readonly sessionId: string | null;
  readonly keyId: string | null;
  readonly kind: LedgerKind;
  readonly at: number;
  readonly browserMs: number;
  /** Change of the balance in micro-units: negative for a charge, positive for a credit. */
  readonly amountMicros: number;
  /** Balance of the account after this row, in micro-units. */
  readonly balanceMicros: number;
}

export interface Credit {
  readonly accountId: string;
  /** An invoice or transaction number. The store credits an account once per reference. */
  readonly reference: string;
  readonly amountMicros: number;
  readonly at: number;
}

/** The tier of an account, and the time since which the account has it; null if the store does not know the time. */
export interface TierInForce {
  readonly tier: Tier;
  readonly since: number | null;
}

export interface AccountBalance {
  readonly tierInForce: TierInForce;
  readonly balanceMicros: number;
  /** Browser time charged to the account on the requested day (UTC). */
  readonly dayBrowserMs: number;
  /** Total amount charged to the key, in micro-units. */
  readonly keySpentMicros: number;
  /** Maximum of `keySpentMicros`; null for no maximum. */
  readonly keySpendCapMicros: number | null;
}

export interface UsageTotals {
  readonly operations: number;
  readonly browserMs: number;
  readonly priceMicros: number;
}

export const ZERO_USAGE: UsageTotals = { operations: 0, browserMs: 0, priceMicros: 0 };

const USAGE_GROUPS = ['hour', 'day', 'kind', 'key', 'session'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** Totals of one group of charges. `name` is the kind, the id of the key or session, or the ISO start time of the hour or day. */
export interface UsageGroupTotals extends UsageTotals {
  readonly name: string;
}

/** A period of time; `from` is inclusive, `to` exclusive. Milliseconds since the epoch. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** Default of `PAGESPACE_PRICES`: an hour of a browser costs 0.12 units, ten observations cost 0.005. */
export const PRICES: Prices = {
  browserMinute: 2_000,
  operation: { start: 0, observe: 500, step: 500, scrape: 1_000, upload: 0 },
};

const MS_PER_MINUTE = 60_000;

/** An amount of browser time. `cost` is its milliseconds times the price of a browser minute: a whole number, so that sums are exact. */
export interface TimeCost {
  readonly browserMs: number;
  readonly cost: number;
}

export const NO_TIME: TimeCost = { browserMs: 0, cost: 0 };

/** Returns the price of browser time in micro-units, rounded up. */
export const timePrice = ({ cost }: TimeCost): number => Math.ceil(cost / MS_PER_MINUTE);
