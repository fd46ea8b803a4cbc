/** Checks that a database has the tables and columns that its list of migrations promises: a partial restore can lack some. */
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../sqlEngine.ts';
import type { Tables } from '../tables.ts';

type Columns = { readonly [Table in keyof Tables]: { readonly [Column in keyof Tables[Table]]: true } };

const COLUMNS: Columns = {
  accounts: {
    id: true,
    name: true,
    tier: true,
    created_at: true,
    balance_micros: true,
    tier_since: true,
    ledger_seq: true,
  },
  api_keys: {
    id: true,
    account_id: true,
    name: true,
    prefix: true,
    hash: true,
    scopes: true,
    created_at: true,
    expires_at: true,
    revoked_at: true,
    last_used_at: true,
    spent_micros: true,
    spend_cap_micros: true,
    record: true,
    page_log: true,
    policy: true,
  },
  sessions: {
    id: true,
    account_id: true,
    status: true,
    created_at: true,
    last_accessed_at: true,
    timeout_minutes: true,
    running: true,
    url: true,
    page_title: true,
    ended_at: true,
    error: true,
    last_seq: true,
    seen_at: true,
    clock_shift_ms: true,
    key_id: true,
    browser_ms: true,
    uncharged_ms: true,
    uncharged_micros: true,
    search_text: true,
    name: true,
    labels: true,
    record: true,
    page_log: true,
    started_by: true,
    ended_by: true,
    options: true,
    node_id: true,
    epoch: true,
  },
  session_events: {
    session_id: true,
    seq: true,
    type: true,
    at: true,
    body: true,
    account_id: true,
    account_number: true,
  },
  service_keys: { name: true, value: true },
  session_labels: { account_id: true, label: true, session_id: true },
  account_event_counters: { account_id: true, last_number: true },
  session_counts: { account_id: true, status: true, total: true },
  event_counts: { session_id: true, type: true, total: true },
  usage_totals: {
    operations: true,
    browser_ms: true,
    amount_micros: true,
    account_id: true,
    span_ms: true,
    began_at: true,
    kind: true,
    key_id: true,
  },
  session_usage: {
    operations: true,
    browser_ms: true,
    amount_micros: true,
    session_id: true,
    day: true,
    account_id: true,
  },
  observations: {
    session_id: true,
    observed_at: true,
    url: true,
    title: true,
    http_status: true,
    space: true,
  },
  ledger: {
    operation_id: true,
    account_id: true,
    seq: true,
    reference: true,
    session_id: true,
    key_id: true,
    kind: true,
    at: true,
    browser_ms: true,
    amount_micros: true,
    balance_micros: true,
    minute_micros: true,
  },
  profiles: {
    account_id: true,
    name: true,
    version: true,
    saved_at: true,
    bytes: true,
    sealed: true,
    origins: true,
  },
  profile_writers: { account_id: true, name: true, session_id: true, since: true },
  audit_log: {
    account_id: true,
    seq: true,
    at: true,
    actor: true,
    action: true,
    subject: true,
    details: true,
    hash: true,
  },
  vault_entries: {
    account_id: true,
    name: true,
    fields: true,
    origins: true,
    saved_at: true,
    used_at: true,
    sealed: true,
  },
  share_links: {
    id: true,
    account_id: true,
    session_id: true,
    mode: true,
    hash: true,
    created_at: true,
    expires_at: true,
    revoked_at: true,
    views: true,
  },
  share_visits: { id: true, link_id: true, hash: true, began_at: true, seen_at: true, is_open: true },
  wallets: { address: true, account_id: true, created_at: true },
  nonces: { nonce: true, expires_at: true },
  web_visits: { hash: true, account_id: true, address: true, expires_at: true },
  storage_probes: { body: true },
  nodes: {
    epoch: true,
    node_id: true,
    version: true,
    renewed_at: true,
    ended_at: true,
    sessions: true,
    capacity: true,
    draining: true,
    buried_by: true,
  },
  idempotency_keys: {
    account_id: true,
    key: true,
    input_hash: true,
    epoch: true,
    response: true,
    expires_at: true,
  },
};

/** The tables that only PostgreSQL has. */
const CLUSTER_TABLES: ReadonlySet<string> = new Set<keyof Tables>(['nodes', 'idempotency_keys']);

/**
 * Checks the schema of a database whose migrations have run.
 * @throws Error that names the first table or column that is missing
 */
export async function assertSchema(db: Kysely<Tables>): Promise<void> {
  const isCluster = isPostgres(db);
  const found = await columnsOf(db);
  for (const [table, columns] of Object.entries(COLUMNS)) {
    if (!isCluster && CLUSTER_TABLES.has(table)) continue;
    const present = found.get(table);
    if (present === undefined) throw incomplete(`the table ${table}`);
    const missing = Object.keys(columns).find(column => !present.has(column));
    if (missing !== undefined) throw incomplete(`the column ${missing} of the table ${table}`);
  }
}

const incomplete = (missing: string): Error =>
  new Error(
    `${missing} is missing, although the migration that creates it has run: something else removed it, or only a part was restored from a backup. Restore the whole backup, or start with an empty database.`,
  );

async function columnsOf(db: Kysely<Tables>): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const query = isPostgres(db)
    ? sql<ColumnRow>`select table_name as tbl, column_name as col from information_schema.columns
        where table_schema = any (current_schemas(false))`
    : sql<ColumnRow>`select t.name as tbl, c.name as col from sqlite_master t
        join pragma_table_info(t.name) c where t.type = 'table'`;
  const found = new Map<string, Set<string>>();
  for (const { tbl, col } of (await query.execute(db)).rows)
    found.set(tbl, (found.get(tbl) ?? new Set()).add(col));
  return found;
}

interface ColumnRow {
  readonly tbl: string;
  readonly col: string;
}
