/** The database schema as a list of migrations. Never edit a released migration; add another. */
import { type Kysely, PostgresAdapter, PostgresDialect, type PostgresPool, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { isPostgres } from '../sqlEngine.ts';
import type { Tables } from '../tables.ts';
import { assertSchema } from './assertSchema.ts';
import { cluster, databaseRuns, pageLog, record, totals } from './migrationSteps.ts';

/** The number of Kysely's own lock, which nodes of earlier versions hold while they migrate. */
const LOCK_ID = '3853314791062309107';
const LOCK_TIMEOUT_MS = 60_000;

/**
 * Locks the database for migrations until the end of the transaction. Kysely's own lock belongs to the connection: a node that hangs
 * would hold it for as long as it hangs, and behind a pooler it could stay for ever.
 */
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

const accounts: Migration = {
  async up(db) {
    await db.schema
      .createTable('accounts')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('tier', 'text', column => column.notNull())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .execute();
    await db.schema
      .createIndex('accounts_by_name')
      .on('accounts')
      .columns(['name', 'created_at', 'id'])
      .execute();
  },
};

const apiKeys: Migration = {
  async up(db) {
    await db.schema
      .createTable('api_keys')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('prefix', 'text', column => column.notNull())
      .addColumn('hash', 'text', column => column.notNull().unique())
      .addColumn('scopes', 'text', column => column.notNull())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('revoked_at', 'bigint')
      .addColumn('last_used_at', 'bigint')
      .execute();
    await db.schema
      .createIndex('api_keys_of_account')
      .on('api_keys')
      .columns(['account_id', 'created_at', 'id'])
      .execute();
  },
};

const sessions: Migration = {
  async up(db) {
    await db.schema
      .createTable('sessions')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('status', 'text', column => column.notNull())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('last_accessed_at', 'bigint', column => column.notNull())
      .addColumn('timeout_minutes', 'integer', column => column.notNull())
      .addColumn('running', 'integer', column => column.notNull())
      .addColumn('url', 'text')
      .addColumn('page_title', 'text')
      .addColumn('ended_at', 'bigint')
      .addColumn('error', 'text')
      .addColumn('last_seq', 'integer', column => column.notNull())
      .execute();
    for (const key of ['created_at', 'last_accessed_at'])
      await db.schema
        .createIndex(`sessions_of_account_by_${key}`)
        .on('sessions')
        .columns(['account_id', key, 'id'])
        .execute();
    await db.schema
      .createIndex('sessions_active')
      .on('sessions')
      .columns(['account_id', 'id'])
      .where(sql.ref('status'), '=', 'active')
      .execute();
  },
};

const sessionEvents: Migration = {
  async up(db) {
    await db.schema
      .createTable('session_events')
      .addColumn('session_id', 'text', column =>
        column.notNull().references('sessions.id').onDelete('cascade'),
      )
      .addColumn('seq', 'integer', column => column.notNull())
      .addColumn('type', 'text', column => column.notNull())
      .addColumn('at', 'bigint', column => column.notNull())
      .addColumn('body', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('session_events_pk', ['session_id', 'seq'])
      .execute();
    await db.schema
      .createIndex('session_events_by_type')
      .on('session_events')
      .columns(['session_id', 'type'])
      .execute();
  },
};

const observations: Migration = {
  async up(db) {
    await db.schema
      .createTable('observations')
      .addColumn('session_id', 'text', column =>
        column.primaryKey().references('sessions.id').onDelete('cascade'),
      )
      .addColumn('observed_at', 'bigint', column => column.notNull())
      .addColumn('url', 'text', column => column.notNull())
      .addColumn('title', 'text', column => column.notNull())
      .addColumn('http_status', 'integer')
      .addColumn('space', 'text', column => column.notNull())
      .execute();
  },
};

const sessionsEnded: Migration = {
  async up(db) {
    await db.schema
      .createIndex('sessions_ended')
      .on('sessions')
      .columns(['ended_at', 'id'])
      .where(sql.ref('ended_at'), 'is not', null)
      .execute();
  },
};

const ledger: Migration = {
  async up(db) {
    const sum = (table: string, column: string) =>
      db.schema
        .alterTable(table)
        .addColumn(column, 'bigint', one => one.notNull().defaultTo(0))
        .execute();
    for (const column of ['balance_micros', 'ledger_seq', 'day_began_at', 'day_browser_ms'])
      await sum('accounts', column);
    await sum('api_keys', 'spent_micros');
    await db.schema.alterTable('api_keys').addColumn('spend_cap_micros', 'bigint').execute();
    await db.schema
      .createTable('ledger')
      .addColumn('operation_id', 'text', column => column.primaryKey())
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('seq', 'bigint', column => column.notNull())
      .addColumn('reference', 'text', column => column.notNull())
      // No foreign key to sessions: charges are kept when the session is removed.
      .addColumn('session_id', 'text')
      .addColumn('key_id', 'text')
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('at', 'bigint', column => column.notNull())
      .addColumn('browser_ms', 'bigint', column => column.notNull())
      .addColumn('amount_micros', 'bigint', column => column.notNull())
      .addColumn('balance_micros', 'bigint', column => column.notNull())
      .execute();
    await db.schema
      .createIndex('ledger_of_account')
      .unique()
      .on('ledger')
      .columns(['account_id', 'seq'])
      .execute();
    await db.schema
      .createIndex('ledger_of_account_by_at')
      .on('ledger')
      .columns(['account_id', 'at'])
      .execute();
    await db.schema.createIndex('ledger_of_session').on('ledger').columns(['session_id']).execute();
  },
};

const wallets: Migration = {
  async up(db) {
    await db.schema
      .createTable('wallets')
      .addColumn('address', 'text', column => column.primaryKey())
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('created_at', 'bigint', column => column.notNull())
      .execute();
    await db.schema
      .createTable('nonces')
      .addColumn('nonce', 'text', column => column.primaryKey())
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .execute();
    await db.schema
      .createTable('web_visits')
      .addColumn('hash', 'text', column => column.primaryKey())
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('address', 'text', column => column.notNull())
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .execute();
  },
};

const sessionsSeen: Migration = {
  async up(db) {
    await db.schema.alterTable('sessions').addColumn('seen_at', 'bigint').execute();
  },
};

/**
 * Adds indexes on the expiry time of nonces and web sessions. Each sign-in deletes expired rows, and anyone can start a
 * sign-in: without an index this would be slow.
 */
const walletsExpiring: Migration = {
  async up(db) {
    for (const table of ['nonces', 'web_visits'])
      await db.schema.createIndex(`${table}_expiring`).on(table).columns(['expires_at']).execute();
  },
};

const meters: Migration = {
  async up(db) {
    await db.schema.alterTable('accounts').addColumn('tier_since', 'bigint').execute();
    await db.schema.alterTable('ledger').addColumn('minute_micros', 'bigint').execute();
    await db.schema.alterTable('sessions').addColumn('key_id', 'text').execute();
    for (const column of ['clock_shift_ms', 'browser_ms', 'uncharged_ms', 'uncharged_micros'])
      await db.schema
        .alterTable('sessions')
        .addColumn(column, 'bigint', one => one.notNull().defaultTo(0))
        .execute();
  },
};

/** Adds the table whose rows `SessionStore.assertWritable` writes and removes at once. */
const storageProbes: Migration = {
  async up(db) {
    await db.schema
      .createTable('storage_probes')
      .addColumn('body', 'text', column => column.notNull())
      .execute();
  },
};

const options: Migration = {
  async up(db) {
    await db.schema.alterTable('sessions').addColumn('options', 'text').execute();
  },
};

const profiles: Migration = {
  async up(db) {
    await db.schema
      .createTable('profiles')
      .addColumn('account_id', 'text', column => column.notNull())
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('version', 'bigint', column => column.notNull())
      .addColumn('saved_at', 'bigint', column => column.notNull())
      .addColumn('bytes', 'bigint', column => column.notNull())
      .addColumn('sealed', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('profiles_pk', ['account_id', 'name', 'version'])
      .execute();
    await db.schema
      .createTable('profile_writers')
      .addColumn('account_id', 'text', column => column.notNull())
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('session_id', 'text', column => column.notNull())
      .addColumn('since', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('profile_writers_pk', ['account_id', 'name'])
      .execute();
  },
};

const vault: Migration = {
  async up(db) {
    await db.schema
      .createTable('vault_entries')
      .addColumn('account_id', 'text', column => column.notNull())
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('fields', 'text', column => column.notNull())
      .addColumn('origins', 'text', column => column.notNull())
      .addColumn('saved_at', 'bigint', column => column.notNull())
      .addColumn('used_at', 'bigint')
      .addColumn('sealed', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('vault_entries_pk', ['account_id', 'name'])
      .execute();
  },
};

const policies: Migration = {
  async up(db) {
    await db.schema.alterTable('api_keys').addColumn('policy', 'text').execute();
    await db.schema
      .createTable('audit_log')
      .addColumn('account_id', 'text', column => column.notNull())
      .addColumn('seq', 'bigint', column => column.notNull())
      .addColumn('at', 'bigint', column => column.notNull())
      .addColumn('actor', 'text', column => column.notNull())
      .addColumn('action', 'text', column => column.notNull())
      .addColumn('subject', 'text', column => column.notNull())
      .addColumn('details', 'text', column => column.notNull())
      .addColumn('hash', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('audit_log_pk', ['account_id', 'seq'])
      .execute();
  },
};

const shareLinks: Migration = {
  async up(db) {
    await db.schema
      .createTable('share_links')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('account_id', 'text', column => column.notNull())
      .addColumn('session_id', 'text', column =>
        column.notNull().references('sessions.id').onDelete('cascade'),
      )
      .addColumn('mode', 'text', column => column.notNull())
      .addColumn('hash', 'text', column => column.notNull().unique())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .addColumn('revoked_at', 'bigint')
      .addColumn('views', 'integer', column => column.notNull())
      .execute();
    await db.schema
      .createIndex('share_links_of_session')
      .on('share_links')
      .columns(['session_id', 'created_at'])
      .execute();
    await db.schema
      .createTable('share_visits')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('link_id', 'text', column =>
        column.notNull().references('share_links.id').onDelete('cascade'),
      )
      .addColumn('hash', 'text', column => column.notNull().unique())
      .addColumn('began_at', 'bigint', column => column.notNull())
      .addColumn('seen_at', 'bigint', column => column.notNull())
      .addColumn('is_open', 'integer', column => column.notNull())
      .execute();
    await db.schema
      .createIndex('share_visits_of_link')
      .on('share_visits')
      .columns(['link_id', 'began_at'])
      .execute();
  },
};

const sessionCallers: Migration = {
  async up(db) {
    await db.schema.alterTable('sessions').addColumn('started_by', 'text').execute();
    await db.schema.alterTable('sessions').addColumn('ended_by', 'text').execute();
  },
};

const profileOrigins: Migration = {
  async up(db) {
    await db.schema
      .alterTable('profiles')
      .addColumn('origins', 'text', column => column.notNull().defaultTo(''))
      .execute();
  },
};

const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001_accounts': accounts,
  '0002_api_keys': apiKeys,
  '0003_sessions': sessions,
  '0004_session_events': sessionEvents,
  '0005_observations': observations,
  '0006_sessions_ended': sessionsEnded,
  '0007_ledger': ledger,
  '0008_wallets': wallets,
  '0009_sessions_seen': sessionsSeen,
  '0010_wallets_expiring': walletsExpiring,
  '0011_meters': meters,
  '0012_totals': totals,
  '0013_storage_probes': storageProbes,
  '0014_cluster': cluster,
  '0015_database_runs': databaseRuns,
  '0016_record': record,
  '0017_options': options,
  '0018_profiles': profiles,
  '0019_vault': vault,
  '0020_page_log': pageLog,
  '0021_policies': policies,
  '0022_share_links': shareLinks,
  '0023_session_callers': sessionCallers,
  '0024_profile_origins': profileOrigins,
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
