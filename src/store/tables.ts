/** Types of the tables for Kysely; `migrations.ts` creates the tables. Times are milliseconds since the epoch. */
import type { Generated } from 'kysely';
import type { ShareMode } from '../domain/account/account.ts';
import type { RecordMode, SessionStatus } from '../domain/session/session.ts';
import type { SessionEventType } from '../domain/session/sessionEvent.ts';

/** A row of `accounts`: an account with its balance. `micros`: millionths of the unit of account. */
export interface AccountRow {
  id: string;
  name: string;
  tier: string;
  created_at: number;
  balance_micros: Generated<number>;
  /** Time since which the account has its tier; null for an account of version 0.1 whose tier has not changed since. */
  tier_since: Generated<number | null>;
  /** The highest `seq` in the ledger of the account. */
  ledger_seq: Generated<number>;
}

/** A row of `api_keys`: an API key. It contains the hash of the key, never the key itself. */
export interface ApiKeyRow {
  id: string;
  account_id: string;
  name: string;
  prefix: string;
  hash: string;
  /** Scopes, separated by single spaces. */
  scopes: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
  /** Total amount charged to the key, in millionths of the unit of account. */
  spent_micros: Generated<number>;
  /** Maximum of `spent_micros`; null for no maximum. */
  spend_cap_micros: number | null;
  /** The records of the sessions of the key; null for the setting of the service. */
  record: RecordMode | null;
  page_log: 'on' | 'off' | null;
  /** The policy of the key (`KeyPolicy`) as JSON; null for none. */
  policy: Generated<string | null>;
}

/** A row of `sessions`: a session after its last change. */
export interface SessionRow {
  id: string;
  account_id: string;
  status: SessionStatus;
  created_at: number;
  last_accessed_at: number;
  timeout_minutes: number;
  /** Number of running operations; 0 for a session that has ended. */
  running: number;
  url: string | null;
  page_title: string | null;
  ended_at: number | null;
  /** Why a session failed, or why the service closed it; null for another end. */
  error: string | null;
  /** The highest `seq` of the session's events. */
  last_seq: number;
  /** Last time at which the service recorded that the session was running (heartbeat); null before the first record. */
  seen_at: Generated<number | null>;
  /** Milliseconds by which the wall clock was set while the session ran. */
  clock_shift_ms: Generated<number>;
  /** Id of the key that started the session; null for a session of version 0.1, which has no record of its time. */
  key_id: Generated<string | null>;
  /** Browser time of the session, charged or not, in milliseconds. */
  browser_ms: Generated<number>;
  /** The part of `browser_ms` that no charge includes yet. */
  uncharged_ms: Generated<number>;
  /** The price of `uncharged_ms`, in millionths of the unit of account. */
  uncharged_micros: Generated<number>;
  /** Id, URL and title in lower case, to search in. */
  search_text: Generated<string>;
  /** Name that the caller gave the session; null for none. */
  name: Generated<string | null>;
  /** The labels of the session as a JSON array; null for none. */
  labels: Generated<string | null>;
  /** The mode of the session's record; null for a session of version 0.1. */
  record: Generated<RecordMode | null>;
  /** `on` if the session records the console and the requests of its pages. */
  page_log: Generated<'on' | null>;
  /** The callers who started and closed the session, as JSON; null for none. */
  started_by: Generated<string | null>;
  ended_by: Generated<string | null>;
  /** The options of the session's browser, without secrets, as JSON; null for none. */
  options: Generated<string | null>;
  /** The node that runs the session or ran it last, and its epoch; null on one machine. */
  node_id: Generated<string | null>;
  epoch: Generated<number | null>;
}

/** A row of `session_counts`: how many sessions of an account have a status. */
export interface SessionCountRow {
  account_id: string;
  status: SessionStatus;
  total: number;
}

/** A row of `event_counts`: how many events of a type a session has. */
export interface EventCountRow {
  session_id: string;
  type: SessionEventType;
  total: number;
}

/** Sums over charges. `micros`: millionths of the unit of account; negative for charges. */
interface UsageSums {
  operations: number;
  browser_ms: number;
  amount_micros: number;
}

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

export interface SessionLabelRow {
  account_id: string;
  label: string;
  session_id: string;
}

/** A row of `account_event_counters`: the highest `account_number` of an account's events. */
export interface AccountEventCounterRow {
  account_id: string;
  last_number: number;
}

/** A row of `observations`: the last observation of a session. */
export interface ObservationRow {
  session_id: string;
  observed_at: number;
  url: string;
  title: string;
  http_status: number | null;
  /** The action space (`Space`) of the page as JSON. */
  space: string;
}

/** A row of `ledger`: a charge or a credit. `seq` counts 1, 2, 3, … within the account. `micros`: millionths of the unit of account. */
export interface LedgerRow {
  /** UUID of the operation, or of the session for its idle time; `credit:<account>:<reference>` for a credit. */
  operation_id: string;
  account_id: string;
  seq: number;
  reference: string;
  session_id: string | null;
  key_id: string | null;
  kind: string;
  at: number;
  browser_ms: number;
  /** Change of the balance: negative for a charge, positive for a credit. */
  amount_micros: number;
  /** Balance of the account after this row. */
  balance_micros: number;
  /** Price of a browser minute when the charge was made; null if the account did not pay, and for a credit. */
  minute_micros: number | null;
}

/** A row of `wallets`: a wallet and the account to which it gives access. */
export interface WalletRow {
  /** Wallet address in lower case. */
  address: string;
  account_id: string;
  created_at: number;
}

/** A row of `nonces`: a nonce for a wallet sign-in that was issued and is not used yet. */
export interface NonceRow {
  nonce: string;
  expires_at: number;
}

/** A row of `web_visits`: a browser of a user that is signed in with a wallet. */
export interface WebSessionRow {
  /** SHA-256 of the cookie's token, hex. */
  hash: string;
  account_id: string;
  address: string;
  expires_at: number;
}

/** A row of `profiles`: one version of a profile. `sealed` is encrypted. */
export interface ProfileRow {
  account_id: string;
  name: string;
  version: number;
  saved_at: number;
  /** Size of `sealed`. */
  bytes: number;
  sealed: string;
  /** Separated by spaces. */
  origins: string;
}

/** A row of `profile_writers`: the session that writes a profile. */
export interface ProfileWriterRow {
  account_id: string;
  name: string;
  session_id: string;
  since: number;
}

/** A row of `audit_log`. `seq` counts 1, 2, 3, … within the account. `hash` is the SHA-256 of the row and of the hash before it, hex. */
export interface AuditLogRow {
  account_id: string;
  seq: number;
  at: number;
  actor: string;
  action: string;
  subject: string;
  /** JSON. */
  details: string;
  hash: string;
}

/** A row of `vault_entries`. `fields` and `origins` are separated by spaces, `sealed` is encrypted. */
export interface VaultEntryRow {
  account_id: string;
  name: string;
  fields: string;
  origins: string;
  saved_at: number;
  used_at: Generated<number | null>;
  sealed: string;
}

export interface ShareLinkRow {
  id: string;
  account_id: string;
  session_id: string;
  mode: ShareMode;
  hash: string;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
  views: number;
}

/** A row of `share_visits`. `is_open` is 1 or 0. */
export interface ShareVisitRow {
  id: string;
  link_id: string;
  hash: string;
  began_at: number;
  seen_at: number;
  is_open: number;
}

/** A row of `storage_probes`; it never outlives its transaction. */
export interface StorageProbeRow {
  body: string;
}

/** A row of `nodes`: one epoch of a node of the cluster. Only in PostgreSQL. Times are those of the database. */
export interface NodeRow {
  epoch: Generated<number>;
  node_id: string;
  version: string;
  renewed_at: Date;
  ended_at: Date | null;
  sessions: Generated<number>;
  capacity: Generated<number>;
  draining: Generated<boolean>;
  /** The epoch whose node ends the sessions that this one left. */
  buried_by: number | null;
}

/** A row of `idempotency_keys`: an operation with a key, and its response. Only in PostgreSQL. */
export interface IdempotencyRow {
  account_id: string;
  key: string;
  input_hash: string;
  epoch: number;
  /** Null while the operation runs. */
  response: Buffer | null;
  expires_at: Date | null;
}

/** A row of `service_keys`: a random key of the service itself. */
export interface ServiceKeyRow {
  name: string;
  value: string;
}

/** The types of the rows, by table name. */
export interface Tables {
  accounts: AccountRow;
  api_keys: ApiKeyRow;
  sessions: SessionRow;
  session_events: EventRow;
  session_labels: SessionLabelRow;
  account_event_counters: AccountEventCounterRow;
  session_counts: SessionCountRow;
  event_counts: EventCountRow;
  usage_totals: UsageTotalsRow;
  session_usage: SessionUsageRow;
  observations: ObservationRow;
  ledger: LedgerRow;
  wallets: WalletRow;
  nonces: NonceRow;
  web_visits: WebSessionRow;
  profiles: ProfileRow;
  profile_writers: ProfileWriterRow;
  vault_entries: VaultEntryRow;
  share_links: ShareLinkRow;
  share_visits: ShareVisitRow;
  audit_log: AuditLogRow;
  storage_probes: StorageProbeRow;
  nodes: NodeRow;
  idempotency_keys: IdempotencyRow;
  service_keys: ServiceKeyRow;
}
