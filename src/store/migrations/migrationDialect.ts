/** PostgreSQL for migrations: the caller locks the database, so that the lock ends with its transaction. */
import { type Kysely, PostgresAdapter, PostgresDialect, type PostgresPool, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** The number of Kysely's own lock, which nodes of earlier versions hold while they migrate. */
const LOCK_ID = '3853314791062309107';
/** Maximum wait for another node that migrates, in milliseconds. */
const LOCK_TIMEOUT_MS = 60_000;

/**
 * Locks the database for migrations until the end of the transaction. Kysely's own lock belongs to the connection: a node that hangs
 * would hold it for as long as it hangs, and behind a pooler it could stay for ever.
 */
export async function lockMigrations(trx: Kysely<Tables>): Promise<void> {
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
