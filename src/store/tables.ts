/** The tables as Kysely knows them; `migrations.ts` makes them. Times are milliseconds since the epoch. */
import type { SessionEventType } from '../domain/events.ts';
import type { SessionStatus } from '../domain/session.ts';

/** Who may use the service. */
export interface AccountRow {
  id: string;
  name: string;
  tier: string;
  created_at: number;
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

/** Table → row. */
export interface Tables {
  accounts: AccountRow;
  api_keys: ApiKeyRow;
  sessions: SessionRow;
  session_events: EventRow;
  observations: ObservationRow;
}
