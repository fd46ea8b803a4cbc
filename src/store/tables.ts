/** The tables as Kysely knows them; `migrations.ts` makes them. Times are milliseconds since the epoch. */
import type { Generated } from 'kysely';
import type { SessionStatus } from '../domain/session.ts';
import type { SessionEventType } from '../domain/sessionEvent.ts';

/** Who may use the service. */
export interface AccountRow {
  id: string;
  name: string;
  tier: string;
  created_at: number;
  balance_micros: Generated<number>;
  /** The highest `seq` of its rows in the ledger. */
  ledger_seq: Generated<number>;
  /** The day (UTC) that `day_browser_ms` is the browser time of. */
  day_began_at: Generated<number>;
  day_browser_ms: Generated<number>;
}

/** A key as it is kept: its hash, never itself. */
export interface ApiKeyRow {
  id: string;
  account_id: string;
  name: string;
  prefix: string;
  hash: string;
  /** Separated by single spaces. */
  scopes: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
  /** What was charged to it in all. */
  spent_micros: Generated<number>;
  /** What may be charged to it in all; null for any amount. */
  spend_cap_micros: number | null;
}

/** A session as it stood at its last commit. */
export interface SessionRow {
  id: string;
  account_id: string;
  status: SessionStatus;
  created_at: number;
  last_accessed_at: number;
  timeout_minutes: number;
  running: number;
  url: string | null;
  page_title: string | null;
  ended_at: number | null;
  error: string | null;
  /** The highest `seq` of its events. */
  last_seq: number;
  /** When it was last known to live, beside its commits; null before the first such look. */
  seen_at: Generated<number | null>;
}

/** One event; `seq` rises by one within its session. */
export interface EventRow {
  session_id: string;
  seq: number;
  type: SessionEventType;
  at: number;
  /** The whole SessionEvent as JSON. */
  body: string;
}

/** The last observation of a session, one row each. */
export interface ObservationRow {
  session_id: string;
  observed_at: number;
  url: string;
  title: string;
  http_status: number | null;
  /** The Space as JSON. */
  space: string;
}

/** One row of the ledger; `seq` rises by one within its account. */
export interface LedgerRow {
  /** The operation's UUID, the session's for its idle time, `credit:<account>:<reference>` for a credit. */
  operation_id: string;
  account_id: string;
  seq: number;
  reference: string;
  session_id: string | null;
  key_id: string | null;
  kind: string;
  at: number;
  browser_ms: number;
  /** What it did to the balance. */
  amount_micros: number;
  /** The account's balance after it. */
  balance_micros: number;
}

/** Whose account a wallet opens. */
export interface WalletRow {
  /** Lower case. */
  address: string;
  account_id: string;
  created_at: number;
}

/** A nonce that was given out and not used yet. */
export interface NonceRow {
  nonce: string;
  expires_at: number;
}

/** A browser that is signed in. */
export interface WebSessionRow {
  /** SHA-256 of the cookie's token, hex. */
  hash: string;
  account_id: string;
  address: string;
  expires_at: number;
}

/** Table → row. */
export interface Tables {
  accounts: AccountRow;
  api_keys: ApiKeyRow;
  sessions: SessionRow;
  session_events: EventRow;
  observations: ObservationRow;
  ledger: LedgerRow;
  wallets: WalletRow;
  nonces: NonceRow;
  web_visits: WebSessionRow;
}
