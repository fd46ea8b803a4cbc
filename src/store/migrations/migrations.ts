/** The database schema as a list of migrations. Never edit a released migration; add another. */
import { type Kysely, PostgresAdapter, PostgresDialect, type PostgresPool, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { isPostgres } from '../sqlEngine.ts';
import type { Tables } from '../tables.ts';
import { assertSchema } from './assertSchema.ts';
import { cluster, compareBytes, computeTotals, databaseRuns } from './migrationSteps.ts';

/** The number of Kysely's own lock, which nodes of earlier versions hold while they migrate. */
const LOCK_ID = '3853314791062309107';
const LOCK_TIMEOUT_MS = 60_000;

/** Locks the database for migrations until the transaction ends. Kysely's own lock stays with its connection, if a node hangs or behind a pooler for ever. */
async function lockMigrations(trx: Kysely<Tables>): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(trx);
  await sql`select pg_advisory_xact_lock(${sql.raw(LOCK_ID)})`.execute(trx);
}

/** Creates a dialect without a lock of its own. */
export class MigrationDialect extends PostgresDialect {
  constructor(pool: PostgresPool) {
    super({ pool });
  }

  override createAdapter(): PostgresAdapter {
    return new UnlockedAdapter();
  }
}

class UnlockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** Creates a migration of statements that both engines understand. */
const statements = (...texts: readonly string[]): Migration => ({
  async up(db) {
    for (const text of texts) await sql.raw(text).execute(db);
  },
});

/** The tables of the totals. No foreign key from `session_usage` to sessions: charges are kept when the session is removed. */
const totals = statements(
  `create table session_counts (
    account_id text not null references accounts (id), status text not null, total bigint not null,
    constraint session_counts_pk primary key (account_id, status))`,
  `create table event_counts (
    session_id text not null references sessions (id) on delete cascade, type text not null, total bigint not null,
    constraint event_counts_pk primary key (session_id, type))`,
  `create table usage_totals (
    account_id text not null references accounts (id), span_ms bigint not null, began_at bigint not null,
    kind text not null, key_id text not null,
    operations bigint not null, browser_ms bigint not null, amount_micros bigint not null,
    constraint usage_totals_pk primary key (account_id, span_ms, began_at, kind, key_id))`,
  `create table session_usage (
    session_id text not null, day bigint not null, account_id text not null references accounts (id),
    operations bigint not null, browser_ms bigint not null, amount_micros bigint not null,
    constraint session_usage_pk primary key (session_id, day))`,
  `create index session_usage_of_account
    on session_usage (account_id, day, session_id, operations, browser_ms, amount_micros)`,
  "alter table sessions add column search_text text not null default ''",
  // The counts replace the index, and the totals of the day replace the columns of the account.
  'drop index session_events_by_type',
  'alter table accounts drop column day_began_at',
  'alter table accounts drop column day_browser_ms',
);

const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001_accounts': statements(
    `create table accounts (
      id text primary key, name text not null, tier text not null, created_at bigint not null)`,
    'create index accounts_by_name on accounts (name, created_at, id)',
  ),
  '0002_api_keys': statements(
    `create table api_keys (
      id text primary key, account_id text not null references accounts (id),
      name text not null, prefix text not null, hash text not null unique, scopes text not null,
      created_at bigint not null, expires_at bigint, revoked_at bigint, last_used_at bigint)`,
    'create index api_keys_of_account on api_keys (account_id, created_at, id)',
  ),
  '0003_sessions': statements(
    `create table sessions (
      id text primary key, account_id text not null references accounts (id), status text not null,
      created_at bigint not null, last_accessed_at bigint not null,
      timeout_minutes integer not null, running integer not null, url text, page_title text,
      ended_at bigint, error text, last_seq integer not null)`,
    'create index sessions_of_account_by_created_at on sessions (account_id, created_at, id)',
    'create index sessions_of_account_by_last_accessed_at on sessions (account_id, last_accessed_at, id)',
    "create index sessions_active on sessions (account_id, id) where status = 'active'",
  ),
  '0004_session_events': statements(
    `create table session_events (
      session_id text not null references sessions (id) on delete cascade, seq integer not null,
      type text not null, at bigint not null, body text not null,
      constraint session_events_pk primary key (session_id, seq))`,
    'create index session_events_by_type on session_events (session_id, type)',
  ),
  '0005_observations': statements(
    `create table observations (
      session_id text primary key references sessions (id) on delete cascade,
      observed_at bigint not null, url text not null, title text not null, http_status integer, space text not null)`,
  ),
  '0006_sessions_ended': statements(
    'create index sessions_ended on sessions (ended_at, id) where ended_at is not null',
  ),
  '0007_ledger': statements(
    'alter table accounts add column balance_micros bigint not null default 0',
    'alter table accounts add column ledger_seq bigint not null default 0',
    'alter table accounts add column day_began_at bigint not null default 0',
    'alter table accounts add column day_browser_ms bigint not null default 0',
    'alter table api_keys add column spent_micros bigint not null default 0',
    'alter table api_keys add column spend_cap_micros bigint',
    // No foreign key to sessions: charges are kept when the session is removed.
    `create table ledger (
      operation_id text primary key, account_id text not null references accounts (id), seq bigint not null,
      reference text not null, session_id text, key_id text, kind text not null, at bigint not null,
      browser_ms bigint not null, amount_micros bigint not null, balance_micros bigint not null)`,
    'create unique index ledger_of_account on ledger (account_id, seq)',
    'create index ledger_of_account_by_at on ledger (account_id, at)',
    'create index ledger_of_session on ledger (session_id)',
  ),
  '0008_wallets': statements(
    `create table wallets (
      address text primary key, account_id text not null references accounts (id), created_at bigint not null)`,
    'create table nonces (nonce text primary key, expires_at bigint not null)',
    `create table web_visits (
      hash text primary key, account_id text not null references accounts (id),
      address text not null, expires_at bigint not null)`,
  ),
  '0009_sessions_seen': statements('alter table sessions add column seen_at bigint'),
  // Each sign-in deletes expired rows, and anyone can start one: without these indexes that would be slow.
  '0010_wallets_expiring': statements(
    'create index nonces_expiring on nonces (expires_at)',
    'create index web_visits_expiring on web_visits (expires_at)',
  ),
  '0011_meters': statements(
    'alter table accounts add column tier_since bigint',
    'alter table ledger add column minute_micros bigint',
    'alter table sessions add column key_id text',
    'alter table sessions add column clock_shift_ms bigint not null default 0',
    'alter table sessions add column browser_ms bigint not null default 0',
    'alter table sessions add column uncharged_ms bigint not null default 0',
    'alter table sessions add column uncharged_micros bigint not null default 0',
  ),
  '0012_totals': {
    async up(db) {
      await totals.up(db);
      await computeTotals(db);
    },
  },
  // `SessionStore.assertWritable` writes rows and removes them at once.
  '0013_storage_probes': statements('create table storage_probes (body text not null)'),
  '0014_cluster': cluster,
  '0015_database_runs': databaseRuns,
  // Events of earlier versions have no number in their account.
  '0016_record': statements(
    'alter table sessions add column name text',
    'alter table sessions add column labels text',
    'alter table sessions add column record text',
    `create table session_labels (
      account_id text not null, label text not null,
      session_id text not null references sessions (id) on delete cascade,
      constraint session_labels_pk primary key (session_id, label))`,
    'create index session_labels_of_account on session_labels (account_id, label, session_id)',
    'create table service_keys (name text primary key, value text not null)',
    'create table account_event_counters (account_id text primary key, last_number bigint not null)',
    'alter table session_events add column account_id text',
    'alter table session_events add column account_number bigint',
    `create unique index session_events_of_account on session_events (account_id, account_number)
      where account_number is not null`,
  ),
  '0017_options': statements('alter table sessions add column options text'),
  '0018_profiles': statements(
    `create table profiles (
      account_id text not null, name text not null, version bigint not null, saved_at bigint not null,
      bytes bigint not null, sealed text not null,
      constraint profiles_pk primary key (account_id, name, version))`,
    `create table profile_writers (
      account_id text not null, name text not null, session_id text not null, since bigint not null,
      constraint profile_writers_pk primary key (account_id, name))`,
  ),
  '0019_vault': statements(
    `create table vault_entries (
      account_id text not null, name text not null, fields text not null, origins text not null,
      saved_at bigint not null, used_at bigint, sealed text not null,
      constraint vault_entries_pk primary key (account_id, name))`,
  ),
  '0020_page_log': statements(
    'alter table api_keys add column record text',
    'alter table api_keys add column page_log text',
    'alter table sessions add column page_log text',
  ),
  '0021_policies': statements(
    'alter table api_keys add column policy text',
    `create table audit_log (
      account_id text not null, seq bigint not null, at bigint not null, actor text not null, action text not null,
      subject text not null, details text not null, hash text not null,
      constraint audit_log_pk primary key (account_id, seq))`,
  ),
  '0022_share_links': statements(
    `create table share_links (
      id text primary key, account_id text not null,
      session_id text not null references sessions (id) on delete cascade, mode text not null,
      hash text not null unique, created_at bigint not null, expires_at bigint not null, revoked_at bigint,
      views integer not null)`,
    'create index share_links_of_session on share_links (session_id, created_at)',
    `create table share_visits (
      id text primary key, link_id text not null references share_links (id) on delete cascade,
      hash text not null unique, began_at bigint not null, seen_at bigint not null, is_open integer not null)`,
    'create index share_visits_of_link on share_visits (link_id, began_at)',
  ),
  '0023_session_callers': statements(
    'alter table sessions add column started_by text',
    'alter table sessions add column ended_by text',
  ),
  '0024_profile_origins': statements("alter table profiles add column origins text not null default ''"),
};

/** Part of the name of a migration that versions before it cannot live with. No migration has it yet. */
const BREAKING = '_breaking_';

/**
 * Runs the migrations that the database does not have yet. All migrations run in one transaction, and on PostgreSQL under
 * a lock. There a database of a newer version is accepted, because migrations only add: during an upgrade the nodes of
 * both versions use it.
 * @param db on PostgreSQL, of a `MigrationDialect`
 * @throws Error if a newer version of pagespace has written the database, and this one cannot use it, or if a table or column is missing
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  try {
    if (!isPostgres(db)) await migrateToLatest(db);
    else
      await db.transaction().execute(async trx => {
        await lockMigrations(trx);
        await migrateToLatest(trx);
        await compareBytes(trx);
      });
  } catch (error) {
    const unknown = /previously executed migration (\S+) is missing/.exec(String(error))?.[1];
    if (unknown === undefined) throw error;
    if (!isPostgres(db) || (await newerMigrations(db)).some(name => name.includes(BREAKING)))
      throw new Error(
        `it was written by a newer version of pagespace (migration ${unknown} is unknown here). Use that version, or another ${isPostgres(db) ? 'DATABASE_URL' : 'PAGESPACE_DATA_DIR'}.`,
        { cause: error },
      );
  }
  await assertSchema(db);
}

async function migrateToLatest(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

async function newerMigrations(db: Kysely<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => name).filter(name => MIGRATIONS[name] === undefined);
}
