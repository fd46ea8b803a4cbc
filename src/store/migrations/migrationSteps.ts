import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../sqlEngine.ts';
import type { Tables } from '../tables.ts';

export const cluster: Migration = {
  async up(db) {
    await db.schema.alterTable('sessions').addColumn('node_id', 'text').execute();
    await db.schema.alterTable('sessions').addColumn('epoch', 'bigint').execute();
    if (!isPostgres(db)) return;
    await db.schema
      .createIndex('sessions_of_epoch')
      .on('sessions')
      .columns(['epoch'])
      .where(sql.ref('status'), '=', 'active')
      .execute();
    await sql`create table nodes (
      epoch bigint generated always as identity primary key,
      node_id text not null,
      version text not null,
      renewed_at timestamptz not null default clock_timestamp(),
      ended_at timestamptz,
      sessions integer not null default 0,
      capacity integer not null default 0,
      draining boolean not null default false,
      buried_by bigint)`.execute(db);
    await sql`create unique index nodes_open on nodes (node_id) where ended_at is null`.execute(db);
    await sql`create table idempotency_keys (
      account_id text not null,
      key text not null,
      input_hash text not null,
      epoch bigint not null,
      response bytea,
      expires_at timestamptz,
      primary key (account_id, key))`.execute(db);
    await sql`create index idempotency_keys_expiring on idempotency_keys (expires_at)`.execute(db);
    // Unlogged: a crash of the server may lose the counts of one minute.
    await sql`create unlogged table rate_limit_windows (
      key text primary key, points bigint not null, expire bigint)`.execute(db);
  },
};

/** The token of the server's present run. The table is unlogged, so empty after a crash: then a transaction number may be another one's. */
export const databaseRuns: Migration = {
  async up(db) {
    if (!isPostgres(db)) return;
    await sql`create unlogged table database_runs (
      is_present boolean primary key default true check (is_present),
      token text not null default gen_random_uuid()::text)`.execute(db);
  },
};

/** Makes the text columns of PostgreSQL compare by their bytes, as those of SQLite do, and not by the language of the database. */
export async function compareBytes(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ table_name: string; column_name: string }>`
    select table_name, column_name from information_schema.columns
    where table_schema = current_schema() and data_type = 'text' and collation_name is distinct from 'C'
      and table_name not like 'kysely_%' order by table_name`.execute(db);
  for (const [table, columns] of Map.groupBy(rows, row => row.table_name)) {
    const changes = columns.map(
      ({ column_name }) => sql`alter column ${sql.ref(column_name)} type text collate "C"`,
    );
    await sql`alter table ${sql.table(table)} ${sql.join(changes)}`.execute(db);
  }
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Computes all totals from sessions, events and ledger. The tables of the totals must be empty. */
export async function computeTotals(db: QueryExecutorProvider): Promise<void> {
  // SQLite only: no version without the column ran on PostgreSQL, and its function has another name there.
  if (!isPostgres(db))
    await sql`update sessions set search_text =
    lower(id) || char(31) || lower(coalesce(url, '')) || char(31) || lower(coalesce(page_title, ''))`.execute(
      db,
    );
  await sql`insert into session_counts (account_id, status, total)
    select account_id, status, count(*) from sessions group by account_id, status`.execute(db);
  await sql`insert into event_counts (session_id, type, total)
    select session_id, type, count(*) from session_events group by session_id, type`.execute(db);
  for (const span of [HOUR_MS, DAY_MS])
    await sql`insert into usage_totals
        (account_id, span_ms, began_at, kind, key_id, operations, browser_ms, amount_micros)
      select account_id, ${sql.lit(span)}, at - at % ${sql.lit(span)}, kind, coalesce(key_id, ''),
        sum(case when kind = 'idle' then 0 else 1 end), sum(browser_ms), sum(amount_micros)
      from ledger where kind <> 'credit'
      group by account_id, at - at % ${sql.lit(span)}, kind, coalesce(key_id, '')`.execute(db);
  await sql`insert into session_usage (session_id, day, account_id, operations, browser_ms, amount_micros)
    select session_id, at - at % ${sql.lit(DAY_MS)}, account_id,
      sum(case when kind = 'idle' then 0 else 1 end), sum(browser_ms), sum(amount_micros)
    from ledger where session_id is not null
    group by session_id, at - at % ${sql.lit(DAY_MS)}, account_id`.execute(db);
}
