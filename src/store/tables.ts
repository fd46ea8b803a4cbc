/** Types of the tables for Kysely; `migrations.ts` creates the tables. Times are milliseconds since the epoch. */
import type { Generated } from 'kysely';
import type { Account, ApiKey, ShareLink, ShareVisit, WebSession } from '../domain/account/account.ts';
import type { LedgerEntry, SessionMeter, UsageTotals } from '../domain/account/ledger.ts';
import type { ProfileVersion } from '../domain/ports/accountStore.ts';
import type { AuditEntry } from '../domain/ports/auditLog.ts';
import type { IdempotencyClaim, LiveNode } from '../domain/ports/nodes.ts';
import type { StoredObservation } from '../domain/ports/sessionStore.ts';
import type { RecordMode, Session, SessionStatus } from '../domain/session/session.ts';
import type { SessionEventType } from '../domain/session/sessionEvent.ts';
import type { VaultEntry } from '../domain/vault.ts';

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name;

/** The fields of a value of the domain as columns: their names in snake_case. */
export type Columns<Value> = { -readonly [Name in keyof Value as Snake<Name & string>]: Value[Name] };

const renamed = (value: object, rename: (name: string) => string): object =>
  Object.fromEntries(Object.entries(value).map(([name, each]) => [rename(name), each]));

/** Returns a value of the domain as columns. */
export const toColumns = <Value extends object>(value: Value): Columns<Value> =>
  // Safe: the names are those of the type.
  renamed(value, name => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)) as Columns<Value>;

/** Returns columns as the value of the domain. The columns must be those of its fields, and no others. */
export const fromColumns = <Value extends object>(columns: Columns<Value>): Value =>
  // Safe: the names are those of the type.
  renamed(columns, name => name.replace(/_[a-z]/g, part => part.charAt(1).toUpperCase())) as Value;

/** A row of `accounts`: an account with its balance. `micros`: millionths of the unit of account. */
export interface AccountRow extends Columns<Account> {
  balance_micros: Generated<number>;
  /** Time since which the account has its tier; null for an account of version 0.1 whose tier has not changed since. */
  tier_since: Generated<number | null>;
  /** The highest `seq` in the ledger of the account. */
  ledger_seq: Generated<number>;
}

export interface ApiKeyRow
  extends Columns<Omit<ApiKey, 'scopes' | 'spentMicros' | 'record' | 'pageLog' | 'policy'>> {
  /** Separated by single spaces. */
  scopes: string;
  spent_micros: Generated<number>;
  record: RecordMode | null;
  page_log: 'on' | 'off' | null;
  /** `KeyPolicy` as JSON. */
  policy: Generated<string | null>;
}

/** A row of `sessions`: a session after its last change. */
export interface SessionRow
  extends Columns<
    Pick<
      Session,
      'id' | 'accountId' | 'status' | 'createdAt' | 'lastAccessedAt' | 'timeoutMinutes' | 'url' | 'pageTitle'
    >
  > {
  /** Number of running operations; 0 for a session that has ended. */
  running: number;
  ended_at: number | null;
  /** Why a session failed, or why the service closed it; null for another end. */
  error: string | null;
  /** The highest `seq` of the session's events. */
  last_seq: number;
  /** Last time at which the service recorded that the session was running (heartbeat); null before the first record. */
  seen_at: Generated<number | null>;
  clock_shift_ms: Generated<number>;
  /** The four columns of `SessionMeter`. The id is null for a session of version 0.1, which has no record of its time. */
  key_id: Generated<string | null>;
  browser_ms: Generated<number>;
  uncharged_ms: Generated<number>;
  uncharged_micros: Generated<number>;
  /** Id, URL and title in lower case, to search in. */
  search_text: Generated<string>;
  name: Generated<string | null>;
  /** JSON array. */
  labels: Generated<string | null>;
  /** Null for a session of version 0.1. */
  record: Generated<RecordMode | null>;
  page_log: Generated<'on' | null>;
  /** The callers who started and closed the session, as JSON. */
  started_by: Generated<string | null>;
  ended_by: Generated<string | null>;
  /** The options of the session's browser, without secrets, as JSON. */
  options: Generated<string | null>;
  /** The node that runs the session or ran it last, and its epoch; null on one machine. */
  node_id: Generated<string | null>;
  epoch: Generated<number | null>;
}

export type MeterRow = Columns<SessionMeter>;

export interface EventCountRow {
  session_id: string;
  type: SessionEventType;
  total: number;
}

/** Sums over charges. `micros`: millionths of the unit of account; negative for charges. */
type UsageSums = Columns<Omit<UsageTotals, 'priceMicros'>> & { amount_micros: number };

/** A row of `usage_totals`: the charges of an account in an hour or a day (UTC), by kind and key. */
export interface UsageTotalsRow extends UsageSums {
  account_id: string;
  /** Milliseconds of an hour or of a day. */
  span_ms: number;
  began_at: number;
  kind: string;
  /** Empty for charges without a key. */
  key_id: string;
}

/** A row of `session_usage`: the charges of a session on a day. */
export interface SessionUsageRow extends UsageSums {
  session_id: string;
  /** Start of the day (UTC). */
  day: number;
  account_id: string;
}

/** A row of `session_events`: one event of a session. `seq` counts 1, 2, 3, … within the session. */
export interface EventRow {
  session_id: string;
  seq: number;
  type: SessionEventType;
  at: number;
  /** The complete SessionEvent as JSON. */
  body: string;
  /** The account of the session, and the number of the event among all events of the account; null for events of version 0.1. */
  account_id: Generated<string | null>;
  account_number: Generated<number | null>;
}

/** A row of `account_event_counters`: the highest `account_number` of an account's events. */
export interface AccountEventCounterRow {
  account_id: string;
  last_number: number;
}

/** A row of `observations`: the last observation of a session, with its `Space` as JSON. */
export type ObservationRow = Columns<Omit<StoredObservation, 'space'>> & { space: string };

/** A row of `ledger`: a charge or a credit. */
export interface LedgerRow extends Columns<LedgerEntry> {
  /** UUID of the operation, or of the session for its idle time; `credit:<account>:<reference>` for a credit. */
  operation_id: string;
  /** Price of a browser minute when the charge was made; null if the account did not pay, and for a credit. */
  minute_micros: number | null;
}

/** A row of `profiles`: one version of a profile. `sealed` is encrypted, `origins` are separated by spaces. */
export type ProfileRow = Columns<Omit<ProfileVersion, 'origins'>> & {
  account_id: string;
  sealed: string;
  origins: string;
};

/** A row of `vault_entries`. `fields` and `origins` are separated by spaces, `sealed` is encrypted. */
export interface VaultEntryRow extends Columns<Pick<VaultEntry, 'name' | 'savedAt'>> {
  account_id: string;
  fields: string;
  origins: string;
  used_at: Generated<number | null>;
  sealed: string;
}

/** A row of `audit_log`. `details` is JSON. */
export type AuditLogRow = Columns<Omit<AuditEntry, 'details'>> & { account_id: string; details: string };

/** A row of `share_visits`. `is_open` is 1 or 0. */
export type ShareVisitRow = Columns<Omit<ShareVisit, 'isOpen'>> & { is_open: number };

export interface Tables {
  accounts: AccountRow;
  api_keys: ApiKeyRow;
  sessions: SessionRow;
  session_events: EventRow;
  session_labels: { account_id: string; label: string; session_id: string };
  account_event_counters: AccountEventCounterRow;
  session_counts: { account_id: string; status: SessionStatus; total: number };
  event_counts: EventCountRow;
  usage_totals: UsageTotalsRow;
  session_usage: SessionUsageRow;
  observations: ObservationRow;
  ledger: LedgerRow;
  /** The wallet addresses (in lower case) that give access to an account. */
  wallets: { address: string; account_id: string; created_at: number };
  /** The nonces for wallet sign-in that are issued and not used yet. */
  nonces: { nonce: string; expires_at: number };
  web_visits: Columns<WebSession>;
  profiles: ProfileRow;
  /** The session that writes a profile. */
  profile_writers: { account_id: string; name: string; session_id: string; since: number };
  vault_entries: VaultEntryRow;
  share_links: Columns<ShareLink>;
  share_visits: ShareVisitRow;
  audit_log: AuditLogRow;
  /** A row never outlives its transaction. */
  storage_probes: { body: string };
  /** The epochs of the nodes of the cluster. Only in PostgreSQL; times are those of the database. */
  nodes: Columns<Pick<LiveNode, 'nodeId' | 'version'>> & {
    epoch: Generated<number>;
    renewed_at: Date;
    ended_at: Date | null;
    sessions: Generated<number>;
    capacity: Generated<number>;
    draining: Generated<boolean>;
    /** The epoch whose node ends the sessions that this one left. */
    buried_by: number | null;
  };
  /** Operations with a key, and their responses: null while the operation runs. Only in PostgreSQL. */
  idempotency_keys: Columns<IdempotencyClaim> & {
    epoch: number;
    response: Buffer | null;
    expires_at: Date | null;
  };
  /** Random keys of the service itself. */
  service_keys: { name: string; value: string };
}
