/** Checks that a database has the tables and columns that its list of migrations promises: a partial restore can lack some. */
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../sqlEngine.ts';
import type { Tables } from '../tables.ts';

/** The columns of each table, as the migrations leave them. */
const COLUMNS = {
  accounts: 'id name tier created_at balance_micros tier_since ledger_seq',
  api_keys:
    'id account_id name prefix hash scopes created_at expires_at revoked_at last_used_at spent_micros spend_cap_micros record page_log policy',
  sessions:
    'id account_id status created_at last_accessed_at timeout_minutes running url page_title ended_at error last_seq seen_at clock_shift_ms key_id browser_ms uncharged_ms uncharged_micros search_text name labels record page_log started_by ended_by options node_id epoch',
  session_events: 'session_id seq type at body account_id account_number',
  service_keys: 'name value',
  session_labels: 'account_id label session_id',
  account_event_counters: 'account_id last_number',
  session_counts: 'account_id status total',
  event_counts: 'session_id type total',
  usage_totals: 'operations browser_ms amount_micros account_id span_ms began_at kind key_id',
  session_usage: 'operations browser_ms amount_micros session_id day account_id',
  observations: 'session_id observed_at url title http_status space',
  ledger:
    'operation_id account_id seq reference session_id key_id kind at browser_ms amount_micros balance_micros minute_micros',
  profiles: 'account_id name version saved_at bytes sealed origins',
  profile_writers: 'account_id name session_id since',
  audit_log: 'account_id seq at actor action subject details hash',
  vault_entries: 'account_id name fields origins saved_at used_at sealed',
  share_links: 'id account_id session_id mode hash created_at expires_at revoked_at views',
  share_visits: 'id link_id hash began_at seen_at is_open',
  wallets: 'address account_id created_at',
  nonces: 'nonce expires_at',
  web_visits: 'hash account_id address expires_at',
  storage_probes: 'body',
  nodes: 'epoch node_id version renewed_at ended_at sessions capacity draining buried_by',
  idempotency_keys: 'account_id key input_hash epoch response expires_at',
} as const satisfies { readonly [Table in keyof Tables]: string };

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;
/** The columns that `COLUMNS` lacks or invents: none. */
type Wrong = {
  [Table in keyof Tables]:
    | Exclude<keyof Tables[Table], Words<(typeof COLUMNS)[Table]>>
    | Exclude<Words<(typeof COLUMNS)[Table]>, keyof Tables[Table]>;
}[keyof Tables];

const CLUSTER_TABLES: ReadonlySet<string> = new Set<keyof Tables>(['nodes', 'idempotency_keys']);

/** @throws Error that names the first table or column that is missing */
export async function assertSchema(
  db: Kysely<Tables>,
  expected: [Wrong] extends [never] ? typeof COLUMNS : never = COLUMNS,
): Promise<void> {
  const isCluster = isPostgres(db);
  const found = await columnsOf(db);
  for (const [table, columns] of Object.entries(expected)) {
    if (!isCluster && CLUSTER_TABLES.has(table)) continue;
    const present = found.get(table);
    if (present === undefined) throw incomplete(`the table ${table}`);
    const missing = columns.split(' ').find(column => !present.has(column));
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
